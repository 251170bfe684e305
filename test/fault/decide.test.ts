import test from 'ava'
import { sha256 } from '../../src/crypto/hash.ts'
import { createRandom } from '../../src/data/random.ts'
import { noEntries, recentEntries } from '../../src/data/recentEntries.ts'
import { decide, noFaults } from '../../src/fault/decide.ts'
import type { FaultCall, FaultDecision, FaultRule, FaultState } from '../../src/fault/rule.ts'

const random = createRandom(new TextEncoder().encode('faults'), sha256)
const call: FaultCall = {
  side: 'eth',
  transport: 'http',
  method: 'eth_call',
  params: '[]',
  subscription: undefined,
  isBatch: false,
  session: '',
  connection: undefined,
  timeMs: 0n,
  height: 1n,
  request: 1,
  client: { ip: '127.0.0.1', origin: undefined, userAgent: 'test', headers: {} },
}

function rule(name: string, given: Partial<FaultRule> = {}): FaultRule {
  return {
    name,
    match: {},
    select: { type: 'all' },
    at: 'before',
    effects: [{ type: 'hang' }],
    cors: 'keep',
    ...given,
  }
}

function on(...rules: FaultRule[]): FaultState {
  return {
    ...noFaults,
    active: rules.map((one) => ({ rule: one, untilMs: undefined, untilHeight: undefined })),
  }
}

function judged(
  state: FaultState,
  calls: readonly Partial<FaultCall>[],
): {
  decisions: FaultDecision[]
  state: FaultState
} {
  const decisions: FaultDecision[] = []
  for (const one of calls) {
    const { decision, state: next } = decide(state, { ...call, ...one }, random)
    decisions.push(decision)
    state = next
  }
  return { decisions, state }
}

const hits = (decisions: readonly FaultDecision[]) =>
  decisions.map(({ applied }) => (applied.length > 0 ? 'x' : '.')).join('')

const matching = test.macro({
  exec(t, match: FaultRule['match'], methods: string, wanted: string) {
    const { decisions } = judged(
      on(rule('r', { match })),
      methods.split(' ').map((method) => ({ method })),
    )
    t.is(hits(decisions), wanted)
  },
  title: (given, match) => `${given ?? 'a rule'} matches ${JSON.stringify(match)}`,
})
test(matching, {}, 'eth_call status', 'xx')
test(matching, { methods: ['eth_*'] }, 'eth_call status net_version', 'x..')
test(matching, { methods: ['*get*Hash'] }, 'eth_getBlockByHash eth_getBlock getHash', 'x.x')
test(matching, { except: ['eth_call'] }, 'eth_call status', '.x')
test(matching, { sides: ['comet'] }, 'eth_call', '.')
test(matching, { transport: 'ws' }, 'eth_call', '.')
test(matching, { session: 'a' }, 'eth_call', '.')

test('a window skips and counts the calls that match', (t) => {
  const { decisions, state } = judged(
    on(rule('r', { select: { type: 'window', skip: 2, count: 3, per: 'attempt' } })),
    Array(8).fill({}),
  )
  t.is(hits(decisions), '..xxx...')
  t.like(state.counts.get('r'), { matched: 8, applied: 3 })
})

test('a rate lets a burst through and then as many as it says', (t) => {
  const state = on(
    rule('r', { select: { type: 'rate', limit: 2, perMs: 1000n, burst: 3, by: 'all', counting: 'bucket' } }),
  )
  const times = [0n, 0n, 0n, 0n, 499n, 500n, 501n, 1000n, 60_000n, 60_000n, 60_000n, 60_000n]
  t.is(
    hits(
      judged(
        state,
        times.map((timeMs) => ({ timeMs })),
      ).decisions,
    ),
    '...xx.x....x',
  )
})

test('a rate gives a whole token back after its time, however often it was asked in between', (t) => {
  const state = on(
    rule('r', { select: { type: 'rate', limit: 1, perMs: 1000n, burst: 1, by: 'all', counting: 'bucket' } }),
  )
  const times = Array.from({ length: 11 }, (_, index) => ({ timeMs: BigInt(index) * 100n }))
  t.is(hits(judged(state, times).decisions), '.xxxxxxxxx.')
})

test('probability is drawn by rule and number, so that another rule moves nothing', (t) => {
  const coin = rule('coin', { select: { type: 'probability', numerator: 1n, denominator: 3n, key: 'count' } })
  const alone = judged(on(coin), Array(300).fill({})).decisions
  const share = alone.filter(({ applied }) => applied.length > 0).length
  t.true(share > 70 && share < 130, `${share} of 300`)
  const second = judged(
    on(rule('other', { effects: [{ type: 'latency', minMs: 1n, maxMs: 9n }] }), coin),
    Array(300).fill({}),
  ).decisions
  t.deepEqual(
    second.map(({ applied }) => applied.includes('coin')),
    alone.map(({ applied }) => applied.length > 0),
  )
})

test('draws and rates of long calls and headers are counted under short keys', (t) => {
  const { state } = judged(
    on(
      rule('drawn', { select: { type: 'probability', numerator: 1n, denominator: 2n, key: 'client+request' } }),
      rule('rate', {
        select: { type: 'rate', limit: 1, perMs: 1000n, burst: 1, by: { header: 'X-Api-Key' }, counting: 'bucket' },
      }),
    ),
    [1, 2, 1].map((one) => ({
      params: JSON.stringify([one, 'x'.repeat(100_000)]),
      client: { ...call.client, headers: { 'x-api-key': `${one}${'y'.repeat(100_000)}` } },
    })),
  )
  const [drawn, rate] = [state.counts.get('drawn')?.keyed, state.counts.get('rate')?.buckets]
  const [draws, rates] = [[...recentEntries(drawn ?? noEntries)], [...recentEntries(rate ?? noEntries)]]
  t.deepEqual(draws.map(([, count]) => count).sort(), [1, 2])
  t.is(rates.length, 2)
  const longest = Math.max(...[...draws, ...rates].map(([key]) => key.length))
  t.true(longest <= 1024, `${longest} characters`)
})

test('latencies add up and the first terminal effect wins', (t) => {
  const slow = (name: string, ms: bigint) => rule(name, { effects: [{ type: 'latency', minMs: ms, maxMs: ms }] })
  const {
    decisions: [decision],
  } = judged(
    on(
      slow('a', 100n),
      rule('b', { at: 'after', effects: [{ type: 'rpcError', code: -1, message: 'no' }] }),
      slow('c', 20n),
      rule('d'),
    ),
    [{}],
  )
  t.like(decision, {
    applied: ['a', 'b', 'c', 'd'],
    delayMs: 120n,
    at: 'after',
    terminal: { type: 'rpcError' },
    cors: 'keep',
  })
})

test('latency stays in its range', (t) => {
  const { decisions } = judged(
    on(rule('r', { effects: [{ type: 'latency', minMs: 5n, maxMs: 7n }] })),
    Array(60).fill({}),
  )
  t.deepEqual([...new Set(decisions.map(({ delayMs }) => Number(delayMs)))].toSorted(), [5, 6, 7])
})

test('a rule ends at its time or its height', (t) => {
  const until = (end: object) => ({
    ...noFaults,
    active: [{ rule: rule('r'), untilMs: undefined, untilHeight: undefined, ...end }],
  })
  t.is(hits(judged(until({ untilMs: 10n }), [{ timeMs: 9n }, { timeMs: 10n }]).decisions), 'x.')
  t.is(hits(judged(until({ untilHeight: 5n }), [{ height: 4n }, { height: 5n }]).decisions), 'x.')
})
