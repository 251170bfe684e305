/** Transactions that delegate their own sender (EIP-7702): the authorization has the sender's next nonce but one. */
import test from 'ava'
import { parseGwei, type Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { localSimulation, type Asked } from '../../helpers/ethSimulation.ts'

const signer = privateKeyToAccount(`0x${'51'.repeat(32)}`)
const alice = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
const contract = '0x00000000000000000000000000000000000c0de1'
/** Stores 1 in slot 0 and returns 42. */
const code = '0x60015f55602a5f5260205ff3'
const chainId = 31_337

function funded(...changed: Parameters<typeof localSimulation>): Asked {
  const chain = localSimulation(...changed)
  chain.call('anvil_setBalance', signer.address, '0xde0b6b3a7640000')
  chain.call('anvil_setCode', contract, code)
  chain.call('evm_mine')
  return chain
}

async function signed(nonce: number) {
  const { yParity = 0, r, s } = await signer.signAuthorization({ address: contract, chainId, nonce })
  return { address: contract, chainId, nonce, yParity, r, s } as const
}

/** The arguments of a call of the sender's own code, as JSON-RPC takes them. */
async function selfCall(nonce = 1): Promise<object> {
  const { yParity, ...rest } = await signed(nonce)
  const quantities = { chainId: `0x${chainId.toString(16)}`, nonce: `0x${nonce}`, yParity: `0x${yParity}` }
  return { from: signer.address, to: signer.address, authorizationList: [{ ...rest, ...quantities }] }
}

async function sent({ call }: Asked, gas: bigint): Promise<Hex> {
  const raw = await signer.signTransaction({
    type: 'eip7702',
    chainId,
    nonce: 0,
    gas,
    to: signer.address,
    maxFeePerGas: parseGwei('10'),
    maxPriorityFeePerGas: parseGwei('5'),
    authorizationList: [await signed(1)],
  })
  return call('eth_sendRawTransaction', raw).result as Hex
}

test('an estimate covers the code that a self-sponsored transaction delegates to', async (t) => {
  const chain = funded()
  const estimated = chain.call('eth_estimateGas', await selfCall()).result
  const hash = await sent(chain, BigInt(String(estimated)))
  const receipt = chain.call('eth_getTransactionReceipt', hash).result as { status: string }
  t.is(receipt.status, '0x1')
  t.is(BigInt(String(chain.call('eth_getStorageAt', signer.address, '0x0', 'latest').result)), 1n)
})

type Accounts = Readonly<Record<string, { readonly nonce?: number }>>
const slot = `0x${'0'.repeat(64)}`
const one = `0x${'1'.padStart(64, '0')}`

test('the trace of a self-sponsored transaction runs the code that it delegates to', async (t) => {
  const chain = funded()
  const sender = signer.address.toLowerCase()
  const hash = await sent(chain, 200_000n)
  const { output } = chain.call('debug_traceTransaction', hash, { tracer: 'callTracer' }).result as { output: string }
  t.is(output, `0x${'2a'.padStart(64, '0')}`)
  const diff = { tracer: 'prestateTracer', tracerConfig: { diffMode: true } }
  const { pre, post } = chain.call('debug_traceTransaction', hash, diff).result as Record<'pre' | 'post', Accounts>
  t.like(post[sender], { nonce: 2, code: `0xef0100${contract.slice(2)}`, storage: { [slot]: one } })
  t.is(pre[sender]?.nonce ?? 0, 0)
})

test('a trace runs the code that an earlier transaction of the block delegated to', async (t) => {
  const chain = funded({ blocks: 'manual' })
  await sent(chain, 200_000n)
  const args = { from: alice, to: signer.address, gas: '0x30d40', gasPrice: '0xee6b2800' }
  const later = chain.call('eth_sendTransaction', args).result as Hex
  chain.call('evm_mine')
  t.like(chain.call('eth_getTransactionReceipt', later).result, { transactionIndex: '0x1', status: '0x1' })
  const { output } = chain.call('debug_traceTransaction', later, { tracer: 'callTracer' }).result as { output: string }
  t.is(output, `0x${'2a'.padStart(64, '0')}`)
})

test('with quirk trace-nonce-kept, the delegation of the sender fails in the trace', async (t) => {
  const chain = funded({ quirks: ['trace-nonce-kept'] })
  const hash = await sent(chain, 200_000n)
  const { output } = chain.call('debug_traceTransaction', hash, { tracer: 'callTracer' }).result as { output?: string }
  t.is(output, undefined)
})

test('a transaction that waits for the nonce which an authorization uses is mined after that', async (t) => {
  const chain = funded()
  const fees = { maxFeePerGas: parseGwei('10'), maxPriorityFeePerGas: parseGwei('5') }
  const later = { ...fees, type: 'eip1559', chainId, nonce: 1, gas: 21_000n, to: alice } as const
  const waiting = chain.call('eth_sendRawTransaction', await signer.signTransaction(later)).result
  t.is(chain.call('eth_getTransactionReceipt', waiting).result, null)
  const { yParity, ...rest } = await signed(0)
  const authorization = { ...rest, chainId: '0x7a69', nonce: '0x0', yParity: `0x${yParity}` }
  chain.call('eth_sendTransaction', { from: alice, to: alice, gas: '0x30d40', authorizationList: [authorization] })
  t.like(chain.call('eth_getTransactionReceipt', waiting).result, { status: '0x1' })
})
