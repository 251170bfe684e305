import test from 'ava'
import { compileScenario } from '../../src/scenario/compile.ts'
import type { FaultRule } from '../../src/fault/rule.ts'
import { InvalidScenario } from '../../src/scenario/diagnostic.ts'

const compile = (fault: string): FaultRule | undefined =>
  compileScenario(new Map([['s.json5', `{ chainstage: 1, name: 'x', faults: { f: ${fault} } }`]]), 's.json5').plan
    .faults[0]

const effect = test.macro({
  exec(t, text: string, wanted: readonly object[]) {
    t.deepEqual(compile(`{ effect: ${text} }`)?.effects, wanted as FaultRule['effects'])
  },
  title: (_, text) => `the effect ${text} is understood`,
})
test(effect, `{ latency: '2s' }`, [{ type: 'latency', minMs: 2000n, maxMs: 2000n }])
test(effect, `{ latency: { uniform: ['5ms', '9ms'] } }`, [{ type: 'latency', minMs: 5n, maxMs: 9n }])
test(effect, `{ latency: { table: ['1ms', '1ms', '2s'] } }`, [{ type: 'latencyTable', ms: [1n, 1n, 2000n] }])

test(effect, `{ mutate: [{ remove: '/logs/3' }, { add: '/logs/-', value: 7 }] }`, [
  {
    type: 'result',
    changes: [
      {
        path: '/logs/3',
        change: 'remove',
        value: 'null',
      },
      { path: '/logs/-', change: 'add', value: '7' },
    ],
  },
])
test(effect, `{ latency: '1s', stale: { lag: '2 blocks', flip: true }, hang: true }`, [
  { type: 'latency', minMs: 1000n, maxMs: 1000n },
  { type: 'stale', lag: { unit: 'blocks', count: 2n }, flip: true },
  { type: 'hang' },
])
test(effect, `{ indexLag: '800ms' }`, [{ type: 'indexLag', lag: { unit: 'ms', count: 800n } }])
test(effect, `{ bandwidth: 100 }`, [{ type: 'dribble', bytes: 5, everyMs: 50 }])
test(effect, `{ slowClose: '2s' }`, [{ type: 'slowClose', afterMs: 2000 }])
test(effect, `{ timeout: '2s' }`, [{ type: 'timeout', afterMs: 2000 }])
test(effect, `{ refuse: true }`, [{ type: 'refuse' }])
test(effect, `{ ws: { drop: true, delay: { uniform: ['1s', '2s'] }, duplicate: true, reorder: { window: 3 } } }`, [
  { type: 'wsDelay', minMs: 1000n, maxMs: 2000n },
  { type: 'wsDrop' },
  { type: 'wsDuplicate', copies: 2 },
  { type: 'wsReorder', window: 3 },
])
test(effect, `{ ws: { close: { code: 1006, mid: 'frame' }, refuseFor: '3 blocks' } }`, [
  {
    type: 'wsClose',
    code: 1006,
    reason: '',
    midFrame: true,
    refuseFor: { unit: 'blocks', count: 3n },
  },
])
test(effect, `{ ws: { stall: { backlog: 'discard' }, cancelSubscription: true, refuse: { status: 429 } } }`, [
  { type: 'wsStall', backlog: 'discard' },
  { type: 'wsCancel', reason: 'client is not pulling messages fast enough' },
  { type: 'wsRefuse', status: 429 },
])
test(effect, `{ provider: 'quicknodeRange' }`, [
  {
    type: 'http',
    status: 413,
    headers: [],
    body: '{"jsonrpc":"2.0","id":"$id","error":{"code":-32614,"message":"eth_getLogs is limited to a 10,000 range"}}',
  },
])

const chosen = test.macro({
  exec(t, text: string, wanted: FaultRule['select']) {
    t.deepEqual(compile(`{ select: ${text}, effect: { hang: true } }`)?.select, wanted)
  },
  title: (_, text) => `the selection ${text} is understood`,
})
test(chosen, `{ skip: 2, count: 5 }`, { type: 'window', skip: 2, count: 5, per: 'call' })
test(chosen, `{ count: 1, per: 'attempt' }`, { type: 'window', skip: 0, count: 1, per: 'attempt' })
test(chosen, `{ probability: '1/4', key: 'client+request' }`, {
  type: 'probability',
  numerator: 1n,
  denominator: 4n,
  key: 'client+request',
})
test(chosen, `{ rate: { limit: 5, per: '1s', burst: 10, by: 'connection', counting: 'window' } }`, {
  type: 'rate',
  limit: 5,
  perMs: 1000n,
  burst: 10,
  by: 'connection',
  counting: 'window',
})
test(chosen, `{ rate: { limit: 5, per: '1s', by: { header: 'X-Api-Key' } } }`, {
  type: 'rate',
  limit: 5,
  perMs: 1000n,
  burst: 5,
  by: { header: 'X-Api-Key' },
  counting: 'bucket',
})
test(chosen, `{ schedule: { on: '2 blocks', off: '5 blocks' } }`, { type: 'schedule', unit: 'blocks', on: 2n, off: 5n })

test('a match is understood, and CORS may stand beside the effect or in it', (t) => {
  const match = `{ iface: 'eth', transport: 'ws', method: ['eth_*'], except: 'eth_chainId', params: [{ to: '0x1*' }],
    session: 's', client: { origin: 'http://a', userAgent: 'node*' }, subscription: 'newHeads', batch: 'single' }`
  const rule = compile(`{ match: ${match}, effect: { hang: true, cors: 'strip' } }`)
  t.deepEqual(rule?.match, {
    sides: ['eth'],
    transport: 'ws',
    methods: ['eth_*'],
    except: ['eth_chainId'],
    params: '[{"to":"0x1*"}]',
    session: 's',
    origin: 'http://a',
    userAgent: 'node*',
    subscriptions: ['newHeads'],
    batch: 'single',
  })
  t.is(rule?.cors, 'strip')
  t.is(compile(`{ effect: { hang: true }, cors: 'strip' }`)?.cors, 'strip')
})

for (const text of [
  `{ normal: { mean: '50ms', sd: '10ms' } }`,
  `{ lognormal: { median: '120ms', p99: '1800ms' } }`,
  `{ exponential: { mean: '50ms' } }`,
  `{ percentiles: { p50: '80ms', p90: '300ms', 'p99.9': '2s' } }`,
]) {
  test(`the latency ${text} becomes a table`, (t) => {
    const [one] = compile(`{ effect: { latency: ${text} } }`)?.effects ?? []
    t.is(one?.type === 'latencyTable' ? one.ms.length : 0, 512)
  })
}

const refused = test.macro({
  exec(t, text: string, wanted: RegExp) {
    const error = t.throws(() => compile(text), { instanceOf: InvalidScenario })
    t.regex(error?.diagnostics.map(({ message }) => message).join('\n') ?? '', wanted)
  },
  title: (_, text) => `${text} is refused`,
})
test(refused, `{ effect: { latency: { uniform: ['9ms', '5ms'] } } }`, /shorter time first/)
test(refused, `{ effect: { latency: { percentiles: { p50: '9ms', p90: '5ms' } } } }`, /do not decrease/)
test(refused, `{ effect: { ws: { refuseFor: '3 blocks' } } }`, /is only valid with close/)
test(refused, `{ effect: { ws: { close: { code: 1005 } } } }`, /close code/)
test(refused, `{ effect: { provider: 'infra' } }`, /provider/)
test(refused, '{ effect: {} }', /expected an effect, like \{ latency: '2s' \}/)
test(refused, `{ select: { count: 1, rate: { limit: 1, per: '1s' } }, effect: {} }`, /one way to select/)
test(refused, `{ select: { per: 'call' }, effect: {} }`, /"per" is only valid with skip and count/)
test(refused, `{ select: { rate: { limit: 1, per: '0s' } }, effect: {} }`, /more than 0 ms/)
test(refused, `{ select: { schedule: { on: '1s', off: '2 blocks' } }, effect: {} }`, /schedule/)
