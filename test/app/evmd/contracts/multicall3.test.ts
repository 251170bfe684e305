/** Our Multicall3 beside the one that viem carries for deployment: same calls, same answers. */
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import test from 'ava'
import { encodeFunctionData, parseAbi, toHex, type Hex } from 'viem'
import { post } from '../../../helpers/raw.ts'
import { startLocal } from '../../../helpers/server.ts'
import { contract } from '../../../helpers/solc.ts'

const place = '0xcA11bde05977b3631167028862bE2a173976CA11'
const from = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const theirs = toHex(contract('Multicall3').runtime)

const abi = parseAbi([
  'struct Call { address target; bytes callData; }',
  'struct Call3 { address target; bool allowFailure; bytes callData; }',
  'struct Call3Value { address target; bool allowFailure; uint256 value; bytes callData; }',
  'function aggregate(Call[] calls) payable',
  'function tryAggregate(bool requireSuccess, Call[] calls) payable',
  'function blockAndAggregate(Call[] calls) payable',
  'function tryBlockAndAggregate(bool requireSuccess, Call[] calls) payable',
  'function aggregate3(Call3[] calls) payable',
  'function aggregate3Value(Call3Value[] calls) payable',
  'function getEthBalance(address who) view',
  'function getBlockHash(uint256 height) view',
  'function getBasefee() view',
  'function getBlockNumber() view',
  'function getChainId() view',
  'function getCurrentBlockCoinbase() view',
  'function getCurrentBlockDifficulty() view',
  'function getCurrentBlockGasLimit() view',
  'function getCurrentBlockTimestamp() view',
  'function getLastBlockHash() view',
])
const getters = [
  'getBasefee',
  'getBlockNumber',
  'getChainId',
  'getCurrentBlockCoinbase',
  'getCurrentBlockDifficulty',
  'getCurrentBlockGasLimit',
  'getCurrentBlockTimestamp',
  'getLastBlockHash',
] as const

const callData = encodeFunctionData({ abi, functionName: 'getBasefee' })
const good = { target: place, callData, allowFailure: false } as const
const bad = { target: place, callData: '0x12345678', allowFailure: false } as const
const nobody = {
  target: '0x00000000000000000000000000000000000000aa',
  callData: '0x',
  allowFailure: false,
  value: 3n,
} as const

const of = (functionName: 'aggregate' | 'blockAndAggregate', ...calls: (typeof good | typeof bad)[]) =>
  encodeFunctionData({ abi, functionName, args: [calls] })
const tried = (functionName: 'tryAggregate' | 'tryBlockAndAggregate', must: boolean) =>
  encodeFunctionData({ abi, functionName, args: [must, [good, bad]] })
const three = (...args: { target: Hex; callData: Hex; allowFailure: boolean }[]) =>
  encodeFunctionData({ abi, functionName: 'aggregate3', args: [args] })
const valued = encodeFunctionData({ abi, functionName: 'aggregate3Value', args: [[nobody]] })

const cases: Record<string, { data: Hex; value?: Hex }> = {
  nothing: { data: '0x' },
  'a function that is not there': { data: '0x12345678' },
  'no calls': { data: three() },
  'a call that fails and may': { data: three(good, { ...bad, allowFailure: true }) },
  'a call that fails and may not': { data: three(good, bad) },
  'an address without code': { data: three(nobody) },
  aggregate: { data: of('aggregate', good, good) },
  'aggregate with a failure': { data: of('aggregate', good, bad) },
  tryAggregate: { data: tried('tryAggregate', false) },
  'tryAggregate that must': { data: tried('tryAggregate', true) },
  blockAndAggregate: { data: of('blockAndAggregate', good) },
  'blockAndAggregate with a failure': { data: of('blockAndAggregate', bad) },
  tryBlockAndAggregate: { data: tried('tryBlockAndAggregate', false) },
  values: { data: valued, value: '0x3' },
  'values that do not add up': { data: valued, value: '0x5' },
  'a value for calls without one': { data: three(good), value: '0x1' },
  getEthBalance: {
    data: encodeFunctionData({ abi, functionName: 'getEthBalance', args: [from] }),
  },
  getBlockHash: { data: encodeFunctionData({ abi, functionName: 'getBlockHash', args: [1n] }) },
  ...Object.fromEntries(
    getters.map((functionName) => [functionName, { data: encodeFunctionData({ abi, functionName }) }]),
  ),
}

test('our Multicall3 answers as the one on other chains, failures too', async (t) => {
  await using server = await startLocal()
  const ask = (method: string, params: readonly unknown[]) =>
    post(server.urls.eth, { jsonrpc: '2.0', id: 1, method, params })
  await ask('anvil_mine', ['0x3'])
  for (const [name, call] of Object.entries(cases)) {
    const params = [{ from, to: place, ...call }, 'latest']
    const ours = await ask('eth_call', params)
    t.deepEqual(ours, await ask('eth_call', [...params, { [place]: { code: theirs } }]), name)
    const fails = /^nothing|not there|may not|with a failure|must|add up/.test(name)
    t.is(Object.keys(Object(ours)).includes('error'), fails, JSON.stringify(ours))
  }
})

test('what is shipped compiled is what its sources give', (t) => {
  const script = new URL('../../../../../scripts/buildArtifacts.mjs', import.meta.url)
  t.notThrows(() => execFileSync(process.execPath, [fileURLToPath(script), '--check'], { stdio: 'pipe' }))
})
