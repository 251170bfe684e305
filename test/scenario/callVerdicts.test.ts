import test from 'ava'
import { givenVerdict, paceVerdict } from '../../src/scenario/callVerdicts.ts'
import type { CallRecord } from '../../src/rpc/callRecord.ts'

const call = (timeMs: number, params = '[]', session = ''): CallRecord => ({
  seq: 1,
  timeMs: BigInt(timeMs),
  side: 'eth',
  transport: 'post',
  method: 'eth_call',
  params,
  session,
  outcome: 'ok',
  faults: [],
  delayMs: 0n,
  attempt: 1,
  given: { is: 'nothing' },
})
const pace = (given: object) =>
  ({
    type: 'pace',
    match: {},
    text: 'calls',
    since: undefined,
    by: 'all',
    limit: { apartMs: 2000n },
    ...given,
  }) as Parameters<typeof paceVerdict>[0]

test('calls that are far enough apart are fine, and one of them too', (t) => {
  t.is(paceVerdict(pace({}), [call(0), call(2000), call(4500)]), undefined)
  t.is(paceVerdict(pace({}), [call(0)]), undefined)
})

test('calls that come too soon are told with their time', (t) => {
  t.is(
    paceVerdict(pace({}), [call(0), call(2000), call(3999)]),
    'calls: expected at least 2000 ms between two calls, was 1999 ms at 3999 ms',
  )
})

test('different requests and sessions do not hurry each other', (t) => {
  const calls = [call(0), call(1, '[1]'), call(2, '[]', 'other')]
  t.is(paceVerdict(pace({ by: 'client+request' }), calls), undefined)
  t.not(paceVerdict(pace({ by: 'all' }), calls), undefined)
  t.not(paceVerdict(pace({ by: 'session' }), calls), undefined)
})

test('too many in any window are told, and a window ends before its last moment', (t) => {
  const rate = pace({ limit: { most: 2, perMs: 1000n } })
  t.is(paceVerdict(rate, [call(0), call(500), call(1000), call(1500)]), undefined)
  t.is(
    paceVerdict(rate, [call(0), call(600), call(700), call(1500)]),
    'calls: expected at most 2 calls in any 1000 ms, was 3 from 0 ms on',
  )
})

test('a call is judged once, however often an expectation that waits looks at it', (t) => {
  let reads = 0
  const given = {
    is: 'result' as const,
    get text() {
      reads += 1
      return '"0x5"'
    },
  }
  const expected = { type: 'given', match: {}, text: 'calls', since: undefined, path: '', min: 1, max: 1 } as const
  const one = { ...expected, wanted: { is: 'equal', value: '"0x5"' } } as const
  const calls = [{ ...call(0), given }]
  const look = () => givenVerdict(one, { calls, filled: (json) => json })
  t.is(look(), undefined)
  const once = reads
  t.is(look(), undefined)
  t.true(once > 0)
  t.is(reads, once)
})
