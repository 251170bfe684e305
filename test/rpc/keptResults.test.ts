/** Results that are kept while the chain does not change: they are those that a call would have. */
import test from 'ava'
import { hexOf } from '../../src/codec/hex.ts'
import { cometTable } from '../../src/rpc/comet/index.ts'
import { ethTable } from '../../src/rpc/eth/index.ts'
import { keepResult, paramsKey, resultsOf, type Results } from '../../src/rpc/keptResults.ts'
import { restSide } from '../../src/rpc/rest/side.ts'
import type { CallRun } from '../../src/rpc/callRun.ts'
import type { Caller, Method } from '../../src/rpc/method.ts'
import { code } from '../helpers/bytecode.ts'
import { localSimulation, type Asked } from '../helpers/ethSimulation.ts'

const from = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
const who = '0x00000000000000000000000000000000000000aa'
const contract = '0x00000000000000000000000000000000000c0de1'
const logger = '0x00000000000000000000000000000000000000bb'
type Words = readonly (string | number | Uint8Array)[]
const returning = (...words: Words) => hexOf(code(...words, 'PUSH0', 'MSTORE', 32, 'PUSH0', 'RETURN'))
const key = `0x${'00'.repeat(32)}`

function result(chain: Asked, method: string, ...params: unknown[]): unknown {
  const { result: value, error } = chain.call(method, ...params)
  if (error !== undefined) throw new Error(`${method}: ${error.message}`)
  return value
}

const byName = (name: string): Method => {
  const method = ethTable.byName.get(name) ?? cometTable.byName.get(name) ?? restSide.dialect.table.byName.get(name)
  if (method === undefined) throw new Error(`no method ${name}`)
  return method
}

/** Returns the results that are kept of a method on the chain as it is. */
function keptOf(chain: Asked, name: string, run: Partial<CallRun> = {}): Results | undefined {
  return resultsOf({ caller: {} as Caller, ...run } as CallRun, byName(name), chain.simulation().node)
}

type Row = {
  readonly method: string
  readonly params: readonly unknown[]
  readonly change: readonly [method: string, ...params: unknown[]]
}

const setBalance = ['anvil_setBalance', who, '0x5'] as const
const rows: readonly Row[] = [
  { method: 'eth_getBalance', params: [who, 'latest'], change: setBalance },
  { method: 'eth_getTransactionCount', params: [who, 'latest'], change: ['anvil_setNonce', who, '0x3'] },
  { method: 'eth_getCode', params: [who, 'latest'], change: ['anvil_setCode', who, '0x6001'] },
  {
    method: 'eth_getStorageAt',
    params: [who, '0x0', 'latest'],
    change: ['anvil_setStorageAt', who, '0x0', `0x${'07'.repeat(32)}`],
  },
  { method: 'eth_call', params: [{ to: contract }, 'latest'], change: setBalance },
  { method: 'eth_getBalance', params: [who, 'pending'], change: setBalance },
  { method: 'eth_estimateGas', params: [{ to: contract }], change: ['anvil_setCode', contract, returning('GAS')] },
  { method: 'eth_getProof', params: [who, [key], 'latest'], change: ['evm_mine'] },
  {
    method: 'eth_getLogs',
    params: [{ fromBlock: '0x1' }],
    change: ['eth_sendTransaction', { from, to: logger }],
  },
]

test('the methods whose results are kept are those of the table below', (t) => {
  const kept = ethTable.methods.filter(({ isKept }) => isKept !== undefined).map(({ name }) => name)
  t.deepEqual(kept.toSorted(), [...new Set(rows.map(({ method }) => method))].sort())
})

for (const { method, params, change } of rows) {
  test(`${method} of ${JSON.stringify(params)} has the same result until the chain changes, and then the new one`, (t) => {
    const prepared = () => {
      const chain = localSimulation()
      result(chain, 'anvil_setCode', contract, returning(Uint8Array.from(Buffer.from(who.slice(2), 'hex')), 'BALANCE'))
      result(chain, 'anvil_setCode', logger, hexOf(code('PUSH0', 'PUSH0', 'LOG0')))
      result(chain, 'evm_mine')
      return chain
    }
    const [chain, fresh] = [prepared(), prepared()]
    const first = result(chain, method, ...params)
    t.is(keptOf(chain, method)?.size, 1)
    t.deepEqual(result(chain, method, ...params), first)
    t.is(keptOf(chain, method)?.size, 1)
    for (const one of [chain, fresh]) {
      const [name, ...given] = change
      result(one, name, ...given)
    }
    const [after, expected] = [chain, fresh].map((one) => result(one, method, ...params))
    t.deepEqual(after, expected)
    t.notDeepEqual(after, first)
  })
}

test('what depends on time is not kept: a call on the pending block', (t) => {
  const chain = localSimulation({ time: 'wall' })
  result(chain, 'anvil_setCode', contract, returning('TIMESTAMP'))
  result(chain, 'evm_mine')
  const at = (tag: string) => Number(result(chain, 'eth_call', { to: contract }, tag))
  const [latest, pending] = [at('latest'), at('pending')]
  chain.tick(60_000)
  t.is(at('latest'), latest)
  t.true(at('pending') >= pending + 60)
  t.is(keptOf(chain, 'eth_call')?.size, 1)
  t.truthy(result(chain, 'eth_estimateGas', { to: contract }))
  t.is(keptOf(chain, 'eth_estimateGas')?.size, 0)
})

test('searches and queries of CometBFT RPC are kept', (t) => {
  const chain = localSimulation()
  result(chain, 'eth_sendTransaction', { from, to: who })
  chain.tick(10)
  const ask = (method: string, params: object): string => {
    const [reply] = chain.comet(method, params)
    return reply?.kind === 'reply' ? reply.body : ''
  }
  const search = { query: 'tx.height>0', prove: false, page: '1', per_page: '1', order_by: 'asc' }
  const [{ hash }] = JSON.parse(ask('tx_search', search)).result.txs
  const query = { data: '', height: '0', prove: false }
  const asked = [
    ['tx', { hash: Buffer.from(hash, 'hex').toString('base64'), prove: false }],
    ['abci_query', { ...query, path: '/cosmos.bank.v1beta1.Query/TotalSupply' }],
    ['block_search', { query: 'block.height>0', page: '1', per_page: '2', order_by: '' }],
  ] as const
  t.is(keptOf(chain, 'tx_search')?.size, 1)
  t.is(ask('tx_search', search), ask('tx_search', search))
  t.is(keptOf(chain, 'tx_search')?.size, 1)
  for (const [method, params] of asked) {
    const first = ask(method, params)
    t.regex(first, /"result":/)
    t.is(keptOf(chain, method)?.size, 1, method)
    t.is(ask(method, params), first)
  }
  const [, ...changing] = asked
  for (const [method, params] of changing) {
    const before = ask(method, params)
    result(chain, 'evm_mine')
    t.not(ask(method, params), before)
  }
})

const supplyTarget = '/cosmos/bank/v1beta1/supply/by_denom?denom=atest'
const searchTarget = '/cosmos/tx/v1beta1/txs?query=tx.height%3E0'

/** Paths of the REST API whose responses change with each block, and the methods that they call. */
const restRows = [
  [supplyTarget, 'cosmos.bank.v1beta1.Query/SupplyOf'],
  ['/cosmos/base/tendermint/v1beta1/blocks/latest', 'cosmos.base.tendermint.v1beta1.Service/GetLatestBlock'],
  [searchTarget, 'cosmos.tx.v1beta1.Service/GetTxsEvent'],
] as const

for (const [target, name] of restRows) {
  test(`the REST API has the same response to ${target} until the chain changes, and then the new one`, (t) => {
    const [chain, fresh] = [localSimulation(), localSimulation()]
    for (const one of [chain, fresh]) result(one, 'eth_sendTransaction', { from, to: who })
    const first = chain.rest(target)
    t.false(first.startsWith('{"code"'), first)
    t.is(keptOf(chain, name)?.size, 1)
    t.is(chain.rest(target), first)
    t.is(keptOf(chain, name)?.size, 1)
    for (const one of [chain, fresh]) result(one, 'eth_sendTransaction', { from, to: who })
    const after = chain.rest(target)
    t.is(after, fresh.rest(target))
    t.not(after, first)
  })
}

test('a response of the REST API is that of the height in its header', (t) => {
  const chain = localSimulation()
  const supply = (height?: string) =>
    chain.rest(supplyTarget, height === undefined ? {} : { 'x-cosmos-block-height': height })
  result(chain, 'evm_mine')
  result(chain, 'evm_mine')
  const all = [supply(), supply('1'), supply('2'), supply()]
  t.is(new Set(all.slice(0, 3)).size, 3)
  t.is(all[3], all[0])
  t.regex(supply('high'), /invalid height header/)
})

test('a search is not kept while the index lags behind the chain', (t) => {
  const chain = localSimulation({ quirks: ['comet-index-lag'] })
  result(chain, 'eth_sendTransaction', { from, to: who })
  const found = (): number => {
    const [reply] = chain.comet('tx_search', {
      query: 'tx.height>0',
      prove: false,
      page: '1',
      per_page: '1',
      order_by: '',
    })
    return reply?.kind === 'reply' ? Number(JSON.parse(reply.body).result.total_count) : Number.NaN
  }
  t.is(found(), 0)
  t.is(keptOf(chain, 'tx_search')?.size, 0)
  const { total } = JSON.parse(chain.rest(searchTarget))
  t.is(total, '0')
  chain.tick(10)
  t.is(found(), 1)
  t.is(keptOf(chain, 'tx_search')?.size, 1)
  t.is(JSON.parse(chain.rest(searchTarget)).total, '1')
})

test('a call that fails is not kept, and another spelling of the parameters is another call', (t) => {
  const chain = localSimulation()
  t.truthy(chain.call('eth_getBalance', who, '0x999').error)
  t.is(keptOf(chain, 'eth_getBalance')?.size, 0)
  const spelled = [[who], [who, 'latest'], [who.toUpperCase().replace('X', 'x'), 'latest']]
  t.is(new Set(spelled.map((params) => result(chain, 'eth_getBalance', ...params))).size, 1)
  t.is(keptOf(chain, 'eth_getBalance')?.size, 3)
})

test('new settings bring new results', (t) => {
  const chain = localSimulation()
  result(chain, 'anvil_setCode', contract, returning('GAS'))
  const gas = () => Number(result(chain, 'eth_call', { to: contract }, 'latest'))
  const before = gas()
  const { chain: same } = chain.simulation().node
  chain.command({ type: 'changeSettings', settings: { gasCap: 100_000 } })
  t.is(chain.simulation().node.chain, same)
  t.true(gas() < 100_000)
  t.true(before > 1_000_000)
})

test('a batch pauses after as much gas as without kept results', (t) => {
  const chain = localSimulation({ readSlice: 100_000, pace: 'wall' })
  // 400 rounds of a loop, of about 40 gas each.
  const loop = code(400, 'JUMPDEST', 1, 'SWAP1', 'SUB', 'DUP1', 3, 'JUMPI', 'STOP')
  result(chain, 'anvil_setCode', contract, hexOf(loop))
  const call = { jsonrpc: '2.0', id: 1, method: 'eth_call', params: [{ to: contract }, 'latest'] }
  const batch = JSON.stringify(Array.from({ length: 20 }, () => call))
  const kinds = () => chain.send(batch).map((output) => (output.kind === 'perform' ? output.task.type : output.kind))
  const first = kinds()
  t.deepEqual(first, ['pause', 'wake'])
  t.is(keptOf(chain, 'eth_call')?.size, 1)
  t.deepEqual(kinds(), first)
})

test('nothing is kept of a call that may depend on more than the chain', (t) => {
  const chain = localSimulation()
  t.is(keptOf(chain, 'eth_getBalance')?.size, 0)
  const woken = { outcome: undefined, woken: 'event', decision: {} } as unknown as CallRun['resumed']
  t.is(keptOf(chain, 'eth_getBalance', { resumed: woken }), undefined)
  t.is(keptOf(chain, 'eth_getBalance', { caller: { atOnce: true } as Caller }), undefined)
  t.is(keptOf(chain, 'eth_gasPrice'), undefined)
  const { node } = chain.simulation()
  const forked = { ...node.chain, app: { ...node.chain.app, forked: {} as never } }
  const run = { caller: {} as Caller } as CallRun
  t.is(resultsOf(run, byName('eth_getBalance'), { chain: forked, settings: node.settings }), undefined)
})

test('long results are not kept, and of many only as many as the limit allows', (t) => {
  const chain = localSimulation()
  const kept = () => keptOf(chain, 'eth_getLogs') ?? new Map()
  keepResult(kept(), '[]', { text: 'x'.repeat(1_100_000), gas: 0n })
  keepResult(kept(), 'x'.repeat(5000), { text: '1', gas: 0n })
  t.is(kept().size, 0)
  const most = []
  for (let count = 0; count < 200; count += 1) {
    keepResult(kept(), `[${count}]`, { text: 'x'.repeat(200_000), gas: 0n })
    most.push(kept().size)
  }
  t.true(Math.max(...most) > 50)
  t.true(Math.max(...most) <= 84, 'of 200,000 characters each, 16 million')
  const results: Results = new Map()
  const keep = (count: number) => {
    while (added < count) keepResult(results, `${added++}`, { text: '1', gas: 0n })
    return results.size
  }
  let added = 0
  t.deepEqual([keep(1000), keep(1001), keep(1500)], [1000, 501, 1000])
  t.deepEqual([results.has('499'), results.has('500')], [false, true])
})

test('parameters of a URI are another text than those of a body, and other pairs another text', (t) => {
  const uri = (...pairs: (readonly [string, string])[]) => paramsKey({ form: 'uri', pairs: new Map(pairs) })
  const texts = [
    paramsKey({ form: 'absent' }),
    paramsKey({ form: 'json', text: '["0x00"]' }),
    uri(['hash', '0x00']),
    uri(['hash', '0x00'], ['prove', 'true']),
    uri(['hash', '0x00\0prove\0true']),
    uri(['hash', '0x00","prove","true']),
  ]
  t.is(new Set(texts).size, texts.length)
})

test('messages of services with the same JSON are other parameters if their bytes or heights differ', (t) => {
  const [message, longer] = [Uint8Array.of(10, 1, 65), Uint8Array.of(10, 1, 65, 16, 0)]
  const keyOf = (bytes: Uint8Array, height: string) =>
    paramsKey({ form: 'json', text: '{"a":"A"}', message: bytes, height })
  const keys = [keyOf(message, '0'), keyOf(longer, '0'), keyOf(message, '1'), keyOf(message, '11')]
  t.is(new Set(keys).size, keys.length)
  t.is(keys.indexOf(keyOf(Uint8Array.from(message), '1')), 2)
})
