import test from 'ava'
import { noCount } from '../../src/fault/select.ts'
import type { FaultMatch } from '../../src/fault/rule.ts'
import type { CallRecord } from '../../src/rpc/callRecord.ts'
import { unusedFaults, unusedText } from '../../src/scenario/unusedFaults.ts'

const called = (changed: Partial<CallRecord>): CallRecord => ({
  ...{ seq: 1, timeMs: 0n, side: 'eth', transport: 'post', method: 'eth_call', params: '["0x2"]', session: '' },
  ...{ outcome: 'ok', faults: [], delayMs: 0n, attempt: 1, given: { is: 'nothing' } },
  ...changed,
})

const rule = (match: FaultMatch) =>
  ({ name: 'f', match, select: { type: 'all' }, at: 'before', effects: [], cors: 'keep' }) as const

const tells = test.macro({
  exec: (t, match: FaultMatch, calls: readonly Partial<CallRecord>[], expected: string) => {
    const [unused] = unusedFaults([rule(match)], new Map(), calls.map(called))
    t.is(unused === undefined ? '' : unusedText(unused), `the fault "f" hit no call${expected}`)
  },
  title: (title = '') => `an unused fault tells ${title}`,
})

test('nothing where no call came close', tells, { methods: ['eth_getLogs'] }, [{ method: 'status', side: 'comet' }], '')
test(
  'how often a misspelt method was called',
  tells,
  { methods: ['eth_cal'] },
  [{}, { method: 'eth_chainId' }, {}],
  '; near miss: eth_call ["0x2"] is not eth_cal, 2 times',
)
test(
  'that the parameters are others, which is nearer than another transport',
  tells,
  { methods: ['eth_call'], params: '["0x1"]', transport: 'http' },
  [{ params: '["0x1"]', transport: 'ws' }, {}],
  '; near miss: eth_call ["0x2"] has different parameters',
)
test(
  'a session',
  tells,
  { session: 'a' },
  [{ session: 'b' }],
  '; near miss: eth_call ["0x2"] belongs to the session "b"',
)
test('the side', tells, { sides: ['comet'] }, [{}], '; near miss: eth_call ["0x2"] came on eth')
test('an exception', tells, { except: ['eth_*'] }, [{}], '; near miss: eth_call ["0x2"] is excluded by "except"')
test(
  'what no journal has',
  tells,
  { origin: 'http://a' },
  [{}],
  '; near miss: eth_call ["0x2"] has a different "origin"',
)
test(
  'that it was off',
  tells,
  { methods: ['eth_*'] },
  [{}],
  '; near miss: eth_call ["0x2"] came while the fault was off',
)

test('a fault that matched tells that none of its calls was selected, and one that was applied is used', (t) => {
  const counted = (applied: number) => new Map([['f', { ...noCount, matched: 3, applied }]])
  const near = '; near miss: 3 calls matched, but "select" selected none'
  t.deepEqual(unusedFaults([rule({})], counted(0), []), [{ name: 'f', near }])
  t.deepEqual(unusedFaults([rule({})], counted(1), []), [])
})
