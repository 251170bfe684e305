import test from 'ava'
import { sha256 } from '../../src/crypto/hash.ts'
import { createRandom } from '../../src/data/random.ts'
import { recentEntries } from '../../src/data/recentEntries.ts'
import { decide, noFaults } from '../../src/fault/decide.ts'
import type { FaultCall, FaultRule, FaultState } from '../../src/fault/rule.ts'

const random = createRandom(new TextEncoder().encode('retries'), sha256)
const call: FaultCall = {
  side: 'eth',
  transport: 'http',
  method: 'eth_call',
  params: '["a"]',
  subscription: undefined,
  isBatch: false,
  session: '',
  connection: undefined,
  timeMs: 0n,
  height: 1n,
  request: 1,
  client: { ip: '127.0.0.1', origin: undefined, userAgent: 'test', headers: {} },
}
const base: FaultRule = {
  name: 'r',
  match: {},
  select: { type: 'all' },
  at: 'before',
  cors: 'keep',
  effects: [{ type: 'rpcError', code: -1, message: 'no' }],
}

/** Judges calls, each a request of its own, and says which were hit. */
function judged(rule: Partial<FaultRule>, calls: readonly Partial<FaultCall>[], once = false) {
  const on = { rule: { ...base, ...rule }, untilMs: undefined, untilHeight: undefined, once }
  let state: FaultState = { ...noFaults, active: [on] }
  let hits = ''
  const attempts: number[] = []
  calls.forEach((one, index) => {
    const { decision, state: next } = decide(state, { ...call, request: index + 1, ...one }, random)
    hits += decision.terminal === undefined ? '.' : 'x'
    attempts.push(decision.attempt)
    state = next
  })
  return { hits, attempts, state }
}
const window = (count: number, per: 'call' | 'attempt') =>
  ({ select: { type: 'window', skip: 0, count, per } }) as const
const at = (...times: number[]) => times.map((ms) => ({ timeMs: BigInt(ms) }))

test('a call and its retries count once, so that a client that retries is hit to its end', (t) => {
  const { hits, attempts, state } = judged(window(1, 'call'), at(0, 150, 450, 1050, 20_000))
  t.is(hits, 'xxxx.')
  t.deepEqual(attempts, [1, 2, 3, 4, 1])
  t.like(state.counts.get('r'), { matched: 5, calls: 2, applied: 4, masked: 0 })
})

test('counted by attempts the retry succeeds, and the fault is masked', (t) => {
  const { hits, state } = judged(window(1, 'attempt'), at(0, 150))
  t.is(hits, 'x.')
  t.is(state.counts.get('r')?.masked, 1)
  t.deepEqual(state.masked, [{ faults: ['r'], side: 'eth', method: 'eth_call', attempts: 2, timeMs: 150n }])
})

test('the same request of another client is no retry: it masks no fault', (t) => {
  const { hits, state, attempts } = judged(window(1, 'attempt'), [
    { timeMs: 0n },
    { timeMs: 50n, client: { ...call.client, userAgent: 'another' } },
    { timeMs: 60n, client: { ...call.client, ip: '127.0.0.2' } },
    { timeMs: 70n, client: { ...call.client, origin: 'http://localhost:3000' } },
  ])
  t.is(hits, 'x...')
  t.deepEqual(attempts, [1, 1, 1, 1])
  t.deepEqual(state.masked, [])
})

test('what comes later than ten seconds is another call', (t) => {
  t.is(judged(window(1, 'call'), at(0, 10_001)).hits, 'x.')
  t.is(judged(window(1, 'attempt'), at(0, 10_001)).state.masked.length, 0)
})

test('who was never answered may wait longer', (t) => {
  const hang = { ...window(1, 'call'), effects: [{ type: 'hang' }] } as const
  t.is(judged(hang, at(0, 15_000, 90_000)).hits, 'xx.')
})

test('another request is no retry, whatever the order of its members', (t) => {
  const calls = [{ params: '[{"a":1,"b":2}]' }, { params: '[{"b":2,"a":1}]' }, { params: '[{"a":2}]' }]
  t.deepEqual(judged(window(3, 'call'), calls).attempts, [1, 2, 1])
})

test('a long request is kept as a digest, by which its retry is known', (t) => {
  const long = (name: string) => ({ params: JSON.stringify([name.repeat(100_000)]) })
  const { attempts, state } = judged(window(9, 'attempt'), [long('a'), long('b'), long('a')])
  t.deepEqual(attempts, [1, 1, 2])
  t.true([...recentEntries(state.open)].every(([key]) => key.length <= 1024))
})

test('calls of one batch are no retries of each other', (t) => {
  const calls = [
    { request: 7, isBatch: true },
    { request: 7, isBatch: true },
  ]
  t.deepEqual(judged(window(1, 'call'), calls).hits, 'x.')
})

test('a fault that is on once goes off after its first hit', (t) => {
  const { hits, state } = judged({}, at(0, 1), true)
  t.is(hits, 'x.')
  t.is(state.active.length, 0)
})

test('each client has a bucket of its own', (t) => {
  const select = {
    type: 'rate',
    limit: 1,
    perMs: 1000n,
    burst: 1,
    by: 'ip',
    counting: 'bucket',
  } as const
  const from = (ip: string) => ({ client: { ...call.client, ip } })
  t.is(judged({ select }, [from('a'), from('b'), from('a'), from('b')]).hits, '..xx')
  const byHeader = { ...select, by: { header: 'X-Api-Key' } }
  const key = (one: string) => ({ client: { ...call.client, headers: { 'x-api-key': one } } })
  t.is(judged({ select: byHeader }, [key('a'), key('a'), key('b')]).hits, '.x.')
  const byConnection = { ...select, by: 'connection' } as const
  t.is(judged({ select: byConnection }, [{ connection: 1 }, { connection: 2 }, { connection: 1 }]).hits, '..x')
})

test('a window of time fills all at once', (t) => {
  const select = {
    type: 'rate',
    limit: 2,
    perMs: 1000n,
    burst: 2,
    by: 'all',
    counting: 'window',
  } as const
  t.is(judged({ select }, at(100, 200, 300, 999, 1000, 1001, 1002)).hits, '..xx..x')
})

test('a limited client is told when to come again', (t) => {
  const select = {
    type: 'rate',
    limit: 2,
    perMs: 1000n,
    burst: 1,
    by: 'all',
    counting: 'bucket',
  } as const
  const state: FaultState = {
    ...noFaults,
    active: [{ rule: { ...base, select }, untilMs: undefined, untilHeight: undefined }],
  }
  const first = decide(state, call, random)
  const second = decide(first.state, { ...call, timeMs: 100n, request: 2 }, random)
  t.is(second.decision.retryAfterMs, 400n)
  t.is(decide(second.state, { ...call, timeMs: 500n, request: 3 }, random).decision.terminal, undefined)
})

test('a schedule goes on and off by turns from its first call on', (t) => {
  const select = { type: 'schedule', unit: 'blocks', on: 2n, off: 3n } as const
  const heights = [7n, 8n, 9n, 11n, 12n, 13n, 14n].map((height) => ({ height, params: `["${height}"]` }))
  t.is(judged({ select }, heights).hits, 'xx..xx.')
})

test('drawn by client and request, the order of other calls does not matter', (t) => {
  const select = {
    type: 'probability',
    numerator: 1n,
    denominator: 2n,
    key: 'client+request',
  } as const
  const own = Array.from({ length: 40 }, () => ({ params: '["own"]' }))
  const alone = judged({ select }, own).hits
  const mixed = judged(
    { select },
    own.flatMap((one) => [one, { params: '["other"]' }]),
  )
  t.is([...mixed.hits].filter((_, index) => index % 2 === 0).join(''), alone)
  t.regex(alone, /x/)
  t.regex(alone, /\./)
})

const matching = test.macro({
  exec(t, match: FaultRule['match'], one: Partial<FaultCall>, isHit: boolean) {
    t.is(judged({ match }, [one]).hits, isHit ? 'x' : '.')
  },
  title: (_, match: FaultRule['match'], one: Partial<FaultCall>, isHit: boolean) =>
    `${JSON.stringify(match)} ${isHit ? 'matches' : 'does not match'} ${JSON.stringify(one)}`,
})
const params = (value: unknown) => ({ params: JSON.stringify(value) })
test(matching, params(['0xAB']), params(['0xab', 'latest']), true)
test(matching, params(['0xAB']), params(['0xac', 'latest']), false)
test(matching, params([{ to: '0x1*' }]), params([{ to: '0x12', data: '0x' }]), true)
test(matching, params([{ to: '0x1*' }]), params([{ data: '0x' }]), false)
test(matching, params({ height: '5' }), params({ height: '5', page: '1' }), true)
test(matching, { batch: 'single' }, { isBatch: true }, false)
test(matching, { batch: 'batch' }, { isBatch: true }, true)
test(matching, { origin: 'http://*.example' }, { client: { ...call.client, origin: 'http://a.example' } }, true)
test(matching, { userAgent: 'node*' }, {}, false)
test(matching, { subscriptions: ["tm.event = 'Tx'"] }, { subscription: "tm.event='Tx'" }, true)
test(matching, { subscriptions: ['logs'] }, { subscription: 'newHeads' }, false)
test(matching, { subscriptions: ['logs'] }, {}, false)
test(matching, { methods: ['*'] }, { method: 'OPTIONS' }, false)
test(matching, {}, { method: 'OPTIONS' }, false)
test(matching, { methods: ['OPTIONS'] }, { method: 'OPTIONS' }, true)

test('another name draws anew for its own rule alone, another seed for all', (t) => {
  const coin = { type: 'probability', numerator: 1n, denominator: 2n, key: 'count' } as const
  const hitsOf = (names: readonly string[], seed: string) => {
    const draws = createRandom(new TextEncoder().encode(seed), sha256)
    let state: FaultState = {
      ...noFaults,
      active: names.map((name) => ({
        rule: { ...base, name, select: coin, effects: [{ type: 'latency', minMs: 1n, maxMs: 1n }] },
        untilMs: undefined,
        untilHeight: undefined,
      })),
    }
    const hits = names.map(() => '')
    for (let request = 0; request < 40; request++) {
      const { decision, state: next } = decide(state, { ...call, request }, draws)
      names.forEach((name, index) => {
        hits[index] += decision.applied.includes(name) ? 'x' : '.'
      })
      state = next
    }
    return hits
  }
  const [first, second] = hitsOf(['a', 'b'], 's')
  const [renamed, kept] = hitsOf(['c', 'b'], 's')
  t.not(renamed, first)
  t.is(kept, second)
  t.notDeepEqual(hitsOf(['a', 'b'], 'other'), [first, second])
})

test('when no rule is on any more, a retry is still noticed and the rest is forgotten', (t) => {
  const two = [{ params: '[1]' }, { params: '[2]' }]
  const { state } = judged({}, two)
  const off = { ...state, active: [] }
  const retried = decide(off, { ...call, params: '[1]', request: 9, timeMs: 5n }, random).state
  t.deepEqual([retried.masked.length, retried.open.size], [1, 1])
  t.is(decide(retried, { ...call, request: 10, timeMs: 20_000n }, random).state.open.size, 0)
})
