import test from 'ava'
import { parseGwei } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { demoToken } from '../../helpers/contracts.ts'
import { localSimulation, type Asked } from '../../helpers/ethSimulation.ts'

const alice = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
const stranger = '0x1111111111111111111111111111111111111111'
const bob = '0x2222222222222222222222222222222222222222'

function wei(chain: Asked, who: string, at = 'latest'): bigint {
  return BigInt(String(chain.call('eth_getBalance', who, at).result))
}

function receiptOf(chain: Asked, hash: unknown): Record<string, string> {
  return chain.call('eth_getTransactionReceipt', hash).result as Record<string, string>
}

test('a balance that is set is there at once, and after the next block', (t) => {
  const chain = localSimulation()
  t.is(chain.call('anvil_setBalance', stranger, '0xde0b6b3a7640000').result, null)
  t.is(wei(chain, stranger), 10n ** 18n)
  chain.call('evm_mine')
  t.is(wei(chain, stranger, '0x2'), 10n ** 18n)
  chain.call('anvil_addBalance', stranger, 5)
  t.is(wei(chain, stranger), 10n ** 18n + 5n)
})

test('what is set belongs to the latest block, also when it is read by number once there are others', (t) => {
  const chain = localSimulation()
  chain.call('evm_mine')
  const code = '0x602a60005260206000f3'
  chain.call('anvil_setBalance', stranger, '0xde0b6b3a7640000')
  chain.call('anvil_setCode', bob, code)
  chain.call('anvil_impersonateAccount', stranger)
  const seenAt = (block: string) => [
    wei(chain, stranger, block),
    chain.call('eth_getCode', bob, block).result,
    chain.call('eth_call', { to: bob }, block).result,
  ]
  const before = [0n, '0x', '0x']
  const set = [10n ** 18n, code, `0x${'2a'.padStart(64, '0')}`]
  t.deepEqual([seenAt('0x1'), seenAt('0x2')], [before, set])
  const hash = chain.call('eth_sendTransaction', { from: stranger, to: alice, value: '0x1' }).result
  t.is(receiptOf(chain, hash)['status'], '0x1')
  t.true(wei(chain, stranger) < 10n ** 18n)
  t.deepEqual([seenAt('0x1'), seenAt('0x2')], [before, set])
  // Old states are kept as their changes.
  for (let block = 0; block < 300; block++) chain.call('evm_mine')
  t.deepEqual([seenAt('0x1'), seenAt('0x2')], [before, set])
})

test('a proof has what was committed at a height', (t) => {
  const chain = localSimulation()
  chain.call('anvil_setBalance', stranger, '0x64')
  chain.call('evm_mine')
  const proof = (block: string) =>
    (chain.call('eth_getProof', stranger, [], block).result as { readonly balance: string }).balance
  t.deepEqual([proof('0x1'), proof('0x2')], ['0x0', '0x64'])
})

test('a balance of more than 256 bits is refused and changes nothing', (t) => {
  const chain = localSimulation()
  chain.call('anvil_setBalance', stranger, `0x${'f'.repeat(64)}`)
  const { error } = chain.call('dev_faucet', stranger, '1')
  t.regex(String(error?.message), /expected a balance below 2\^256/)
  t.is(wei(chain, stranger), 2n ** 256n - 1n)
})

test('a nonce of more than 64 bits is refused and changes nothing', (t) => {
  const chain = localSimulation()
  chain.call('anvil_setNonce', stranger, '0xffffffffffffffff')
  t.is(
    chain.call('anvil_setNonce', stranger, '0x10000000000000000').error?.message,
    'expected a nonce below 2^64, received 18446744073709551616',
  )
  t.is(chain.call('eth_getTransactionCount', stranger, 'latest').result, '0xffffffffffffffff')
})

test('nonce, code and storage are set', (t) => {
  const chain = localSimulation()
  const code = '0x60005460005260206000f3'
  const value = `0x${'00'.repeat(31)}2a`
  chain.call('hardhat_setNonce', stranger, '0x7')
  chain.call('hardhat_setCode', stranger, code)
  t.is(chain.call('hardhat_setStorageAt', stranger, '0x0', value).result, true)
  t.is(chain.call('eth_getTransactionCount', stranger, 'latest').result, '0x7')
  t.is(chain.call('eth_getCode', stranger, 'latest').result, code)
  t.is(chain.call('eth_getStorageAt', stranger, '0x0', 'latest').result, value)
  t.is(chain.call('eth_call', { to: stranger }, 'latest').result, value)
})

test('the receipt is there when the hash is', (t) => {
  const chain = localSimulation()
  const sent = chain.call('eth_sendTransaction', { from: alice, to: stranger, value: '0x5' })
  const receipt = receiptOf(chain, sent.result)
  t.is(receipt['status'], '0x1')
  t.is(chain.call('eth_blockNumber').result, receipt['blockNumber'])
  t.is(wei(chain, stranger), 5n)
})

test('an impersonated account sends without a key until that ends', (t) => {
  const chain = localSimulation()
  const args = { from: stranger, to: alice, value: '0x1' }
  chain.call('anvil_setBalance', stranger, '0xde0b6b3a7640000')
  t.regex(chain.call('eth_sendTransaction', args).error?.message ?? '', /no key for given address/)
  chain.call('anvil_impersonateAccount', stranger)
  const sent = chain.call('eth_sendTransaction', args).result
  const tx = chain.call('eth_getTransactionByHash', sent).result as { from: string }
  t.is(tx.from, stranger)
  t.is(receiptOf(chain, sent)['status'], '0x1')
  const unsigned = chain.call('eth_sendUnsignedTransaction', args).result
  t.is(receiptOf(chain, unsigned)['from'], stranger)
  chain.call('anvil_stopImpersonatingAccount', stranger)
  t.truthy(chain.call('eth_sendTransaction', args).error)
  const refused = chain.call('eth_sendUnsignedTransaction', args).error?.message ?? ''
  t.true(refused.includes(`not signed, and ${stranger} is not impersonated (anvil_impersonateAccount)`), refused)
})

test('a transaction that waits for a nonce is mined when that nonce is set', (t) => {
  const chain = localSimulation()
  const args = { from: alice, to: stranger, value: '0x1', gas: '0x5208' }
  const sent = chain.call('eth_sendTransaction', { ...args, nonce: '0x1' }).result
  t.is(chain.call('eth_getTransactionReceipt', sent).result, null)
  chain.call('anvil_setNonce', alice, '0x1')
  t.is(receiptOf(chain, sent)['status'], '0x1')
})

test('transactions after a nonce that is skipped are in the next block', (t) => {
  const chain = localSimulation()
  chain.call('evm_setAutomine', false)
  const args = { from: alice, to: stranger, value: '0x1', gas: '0x5208' }
  const [first, ...rest] = ['0x0', '0x1', '0x2'].map(
    (nonce) => chain.call('eth_sendTransaction', { ...args, nonce }).result,
  )
  chain.call('anvil_setNonce', alice, '0x1')
  t.is(chain.call('eth_getTransactionByHash', first).result, null)
  t.deepEqual(chain.call('txpool_status').result, { pending: '0x2', queued: '0x0' })
  chain.call('evm_mine')
  for (const hash of rest) t.is(receiptOf(chain, hash)['status'], '0x1')
})

test('a transaction of an impersonated account that waits is mined after that ends', (t) => {
  const chain = localSimulation()
  for (const who of [stranger, bob]) chain.call('anvil_setBalance', who, '0xde0b6b3a7640000')
  chain.call('evm_setAutomine', false)
  chain.call('anvil_impersonateAccount', stranger)
  chain.call('anvil_autoImpersonateAccount', true)
  const sent = [stranger, bob].map(
    (from) => chain.call('eth_sendTransaction', { from, to: alice, value: '0x1' }).result,
  )
  const later = chain.call('eth_sendTransaction', { from: stranger, to: alice, gas: '0x5208', nonce: '0x2' }).result
  chain.call('anvil_stopImpersonatingAccount', stranger)
  chain.call('anvil_autoImpersonateAccount', false)
  t.is(
    (chain.call('eth_getBlockByNumber', 'pending', false).result as { transactions: unknown[] }).transactions.length,
    2,
  )
  chain.call('evm_mine')
  for (const hash of sent) t.is(receiptOf(chain, hash)['status'], '0x1')
  t.like(chain.call('eth_getTransactionByHash', later).result, { from: stranger })
  t.truthy(chain.call('eth_sendTransaction', { from: stranger, to: alice }).error)
})

test('an impersonated contract sends, which EIP-3607 forbids for a signed transaction', (t) => {
  const chain = localSimulation()
  chain.call('hardhat_setCode', stranger, '0x60005460005260206000f3')
  chain.call('hardhat_setBalance', stranger, '0xde0b6b3a7640000')
  chain.call('hardhat_impersonateAccount', stranger)
  const sent = chain.call('eth_sendTransaction', { from: stranger, to: alice, value: '0x1' })
  t.is(sent.error, undefined)
  t.is(receiptOf(chain, sent.result)['status'], '0x1')
  t.is(chain.call('eth_getTransactionCount', stranger, 'latest').result, '0x1')
  chain.call('hardhat_setCode', alice, '0x00')
  t.regex(
    chain.call('eth_sendTransaction', { from: alice, to: stranger }).error?.message ?? '',
    /the sender is not EOA/,
  )
})

test('waiting transactions are dropped', (t) => {
  const chain = localSimulation({ blocks: 'manual' })
  const hash = chain.call('eth_sendTransaction', { from: alice, to: stranger, value: '0x5' }).result
  t.deepEqual(chain.call('txpool_status').result, { pending: '0x1', queued: '0x0' })
  t.is(chain.call('eth_getTransactionCount', alice, 'pending').result, '0x1')
  t.is(chain.call('hardhat_dropTransaction', hash).result, true)
  t.is(chain.call('hardhat_dropTransaction', hash).result, false)
  t.deepEqual(chain.call('txpool_status').result, { pending: '0x0', queued: '0x0' })
  t.is(chain.call('eth_getTransactionByHash', hash).result, null)
})

test('a replaced transaction can be sent again when the one in its place is gone', async (t) => {
  const chain = localSimulation()
  chain.call('evm_setAutomine', false)
  const signer = privateKeyToAccount(`0x${'51'.repeat(32)}`)
  chain.call('anvil_setBalance', signer.address, '0xde0b6b3a7640000')
  const send = async (gwei: string) =>
    chain.call(
      'eth_sendRawTransaction',
      await signer.signTransaction({
        type: 'eip1559',
        chainId: 31_337,
        gas: 21_000n,
        to: alice,
        maxFeePerGas: parseGwei(gwei),
        maxPriorityFeePerGas: parseGwei(gwei),
      }),
    )
  const first = (await send('2')).result
  const dropped = (await send('4')).result
  t.is(chain.call('anvil_dropTransaction', dropped).result, dropped)
  t.is(chain.call('anvil_dropTransaction', dropped).result, null)
  t.is((await send('2')).result, first)
  await send('4')
  chain.call('evm_mine')
  t.regex((await send('2')).error?.message ?? '', /nonce too low/)
})

test('the base fee of the next block is set', (t) => {
  const chain = localSimulation()
  chain.call('anvil_setNextBlockBaseFeePerGas', '0x2540be400')
  chain.call('evm_mine')
  const block = chain.call('eth_getBlockByNumber', 'latest', false).result
  t.is(BigInt((block as { baseFeePerGas: string }).baseFeePerGas), 10_000_000_000n)
})

test('tokens are dealt', (t) => {
  const chain = localSimulation()
  const { bytecode } = demoToken()
  const deployed = chain.call('eth_sendTransaction', { from: alice, data: bytecode, gas: '0x2dc6c0' })
  const { contractAddress = '' } = receiptOf(chain, deployed.result)
  t.is(chain.call('anvil_dealERC20', stranger, contractAddress, '123').result, null)
  const data = `0x70a08231${stranger.slice(2).padStart(64, '0')}`
  t.is(BigInt(String(chain.call('eth_call', { to: contractAddress, data }, 'latest').result)), 123n)
})

test('a waiting transaction is pushed whole to who asks for that', (t) => {
  const chain = localSimulation()
  chain.over(1, '{"jsonrpc":"2.0","id":1,"method":"eth_subscribe","params":["newPendingTransactions",true]}')
  const params = [{ from: alice, to: stranger, value: '0x5' }]
  const [pushed = ''] = chain.over(1, JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'eth_sendTransaction', params }))
  const { result } = (JSON.parse(pushed) as { params: { result: object } }).params
  t.like(result, { from: alice, to: stranger, blockHash: null })
})
