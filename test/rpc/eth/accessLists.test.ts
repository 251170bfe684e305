import test from 'ava'
import { toHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { localSimulation } from '../../helpers/ethSimulation.ts'
import { startLocal } from '../../helpers/server.ts'

const sender = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
const contract = '0x00000000000000000000000000000000000c0de1'
const other = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'
const slot = (digit: number): string => `0x${String(digit).padStart(64, '0')}`

type Answer = { readonly result: { readonly accessList: unknown; readonly gasUsed: string } }

async function listOf(url: string, call: object, code: string): Promise<Answer['result']> {
  const overrides = { [contract]: { code } }
  const params = [{ from: sender, ...call }, 'latest', overrides]
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_createAccessList', params })
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(url, { method: 'POST', headers, body })
  return ((await response.json()) as Answer).result
}

/** SLOAD 1, SSTORE 5, BALANCE of the other account. */
const touching = `0x60015450600160055573${other.slice(2)}315000`

test('an access list names the slots and accounts that a message touches', async (t) => {
  await using server = await startLocal()
  const call = { to: contract, gas: '0x186a0' }
  const { accessList } = await listOf(server.urls.eth, call, touching)
  t.deepEqual(accessList, [
    { address: contract, storageKeys: [slot(1), slot(5)] },
    { address: other, storageKeys: [] },
  ])
})

test('a gas price makes no difference to the list', async (t) => {
  await using server = await startLocal()
  const call = { to: contract, gas: '0x186a0', gasPrice: '0x77359400' }
  const { accessList } = await listOf(server.urls.eth, call, touching)
  t.deepEqual(accessList, [
    { address: contract, storageKeys: [slot(1), slot(5)] },
    { address: other, storageKeys: [] },
  ])
})

test('what was given stays listed, and a plain transfer lists nothing', async (t) => {
  await using server = await startLocal()
  const given = [{ address: other, storageKeys: [slot(9)] }]
  const call = { to: contract, gas: '0x186a0', accessList: given }
  const { accessList } = await listOf(server.urls.eth, call, '0x00')
  t.deepEqual(accessList, given)
  t.deepEqual((await listOf(server.urls.eth, { to: sender, value: '0x1' }, '0x')).accessList, [])
})

test('the gas is what the transaction costs with the list, and half of its limit at least', async (t) => {
  await using server = await startLocal()
  // The list costs 2 × 2,400 and 2 × 1,900; a new slot 20,000; two warm reads 100 each; six pushes and pops 16.
  const exact = 21_000 + 4_800 + 3_800 + 20_000 + 200 + 16
  const gasOf = async (gas: number) => {
    const { gasUsed } = await listOf(server.urls.eth, { to: contract, gas: `0x${gas.toString(16)}` }, touching)
    return Number(gasUsed)
  }
  t.is(await gasOf(60_000), exact)
  t.is(await gasOf(120_000), 60_000)
})

test('without gas, the limit is estimated with the overrides', async (t) => {
  await using server = await startLocal()
  const { accessList } = await listOf(server.urls.eth, { to: contract }, touching)
  t.deepEqual(accessList, [
    { address: contract, storageKeys: [slot(1), slot(5)] },
    { address: other, storageKeys: [] },
  ])
})

test('without gas, the limit is estimated on the state of the given block', (t) => {
  const { call } = localSimulation()
  call('hardhat_setCode', contract, touching)
  call('evm_mine')
  const at = call('eth_blockNumber').result
  const list = () => call('eth_createAccessList', { from: sender, to: contract }, at)
  const before = list()
  t.truthy(before.result)
  call('evm_mine')
  call('hardhat_setCode', contract, '0x')
  call('evm_mine')
  t.deepEqual(list(), before)
})

test('a limit above the gas cap is charged as the cap', (t) => {
  const args = { from: sender, to: other, gas: '0xffffffffffffffff' }
  const { result } = localSimulation({ gasCap: 20_000_000 }).call('eth_createAccessList', args) as Answer
  t.is(Number(result.gasUsed), 10_000_000)
})

test('a limit that cannot be estimated is refused as by eth_estimateGas', (t) => {
  const { call } = localSimulation()
  const args = { from: contract, to: other, value: '0x1' }
  const { error } = call('eth_estimateGas', args)
  t.regex(error?.message ?? '', /^rpc error: code = Unknown desc = insufficient/)
  t.deepEqual(call('eth_createAccessList', args).error, error)
})

test('whoever signed an authorization is left out, if it can be valid on this chain', async (t) => {
  const { call } = localSimulation()
  const signer = privateKeyToAccount(`0x${'11'.repeat(32)}`)
  const entry = (address: string) => ({ address: address.toLowerCase(), storageKeys: [] })
  const listed = async (chainId: number, changed: object = {}) => {
    const { r, s, yParity } = await signer.signAuthorization({ chainId, nonce: 0, contractAddress: contract })
    const [chain, ...signature] = [chainId, yParity ?? 0, r, s].map((each) => toHex(BigInt(each)))
    const named = { yParity: signature[0], r: signature[1], s: signature[2] }
    const authorizationList = [{ chainId: chain, address: contract, nonce: '0x0', ...named, ...changed }]
    const args = { from: sender, to: other, gas: '0x30000', authorizationList }
    return call('eth_createAccessList', { ...args, accessList: [entry(signer.address), entry(contract)] }).result
  }
  t.like(await listed(31337), { accessList: [entry(contract)] })
  t.like(await listed(0), { accessList: [entry(contract)] })
  const both = { accessList: [entry(contract), entry(signer.address)] }
  t.like(await listed(5), both)
  t.like(await listed(31337, { nonce: '0xffffffffffffffff' }), both)
})

test('a limit that cannot pay for the authorizations is refused', (t) => {
  const authorization = { chainId: '0x0', address: contract, nonce: '0x0', yParity: '0x0', r: '0x1', s: '0x1' }
  const authorizationList = [authorization, authorization]
  const refusal = 'insufficient gas to process all authorizations'
  const { call } = localSimulation()
  const ask = (args: object) => call('eth_createAccessList', { from: sender, to: other, authorizationList, ...args })
  t.is(ask({ gas: '0xc34f' }).error?.message, refusal)
  t.is(ask({ gas: '0x186a0' }).error, undefined)
  t.is(ask({}).error, undefined)
  // The node estimates without them.
  const faithful = localSimulation({ quirks: ['faithful'] })
  const args = { from: sender, to: other, authorizationList }
  t.is(faithful.call('eth_createAccessList', args, 'latest').error?.message, refusal)
})
