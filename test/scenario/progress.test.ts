import test from 'ava'
import { compileScenario } from '../../src/scenario/compile.ts'
import { sawSignal, startProgress, type Progress } from '../../src/scenario/progress.ts'
import type { Knowing } from '../../src/scenario/occurrence.ts'
import { saw } from '../../src/scenario/tally.ts'
import { type Sight, advance } from '../../src/scenario/advance.ts'

const planOf = (steps: string) =>
  compileScenario(new Map([['s.json5', `{ chainstage: 1, name: 'x', steps: [${steps}] }`]]), 's.json5').plan

const at = (timeMs: bigint, height = 0n, more: Partial<Sight> = {}): Sight => ({
  now: { timeMs, height },
  balanceOf: () => 0n,
  heightOf: () => undefined,
  faultApplied: () => 0,
  rpc: () => ({ isError: false, text: 'null' }),
  answered: () => undefined,
  txStatus: () => 'absent',
  digest: () => '',
  draw: () => 0n,
  filled: (json) => json,
  calls: () => ({ calls: [], isWhole: true }),
  conditionIs: () => true,
  busy: () => 100,
  ...more,
})
const zero = { timeMs: 0n, height: 0n }

/** Moves on until nothing moves; what a simulation does after every input. */
function settle(plan: ReturnType<typeof planOf>, progress: Progress, seen: Sight): Progress {
  let next = advance(plan, progress, seen)
  while (next.moved) next = advance(plan, next.progress, seen)
  return next.progress
}

test('a scenario without steps has passed at once', (t) => {
  t.is(startProgress(planOf(''), zero).state, 'passed')
})

test('a step gives its actions once its time has come, and not before', (t) => {
  const plan = planOf(`{ when: { after: '5s' }, do: { mine: 1 } }`)
  const start = startProgress(plan, zero)
  const early = advance(plan, start, at(4999n))
  t.deepEqual([early.moved, early.wakeAtMs], [false, 5000n])
  const held = advance(plan, start, at(5000n))
  t.deepEqual(advance(plan, held.progress, at(5000n)).actions, [
    { type: 'command', written: 'mine', command: { type: 'produceBlock', count: 1 } },
  ])
})

test('a step counts blocks from the end of the one before', (t) => {
  const plan = planOf(`{ when: { height: 5 } }, { when: { blocks: 3 } }`)
  const first = settle(plan, startProgress(plan, zero), at(0n, 5n))
  t.is(first.step, 1)
  t.is(settle(plan, first, at(0n, 7n)).step, 1)
  t.is(settle(plan, first, at(0n, 8n)).state, 'passed')
})

test('a request trigger waits for the n-th call on its side', (t) => {
  const plan = planOf(`{ when: { request: { iface: 'eth', method: 'eth_chainId', nth: 2 } } }`)
  const sawCall = (before: Progress, side: 'eth' | 'comet') =>
    saw(
      plan,
      before,
      {
        type: 'call',
        record: {
          seq: 1,
          timeMs: 0n,
          side,
          transport: 'post',
          method: 'eth_chainId',
          params: '',
          session: '',
          outcome: 'ok',
          faults: [],
          delayMs: 0n,
          attempt: 1,
          given: { is: 'nothing' },
        },
      },
      {} as Knowing,
    )
  const progress = sawCall(sawCall(startProgress(plan, zero), 'eth'), 'comet')
  t.is(settle(plan, progress, at(0n)).state, 'running')
  t.is(settle(plan, sawCall(progress, 'eth'), at(0n)).state, 'passed')
})

test('a signal given early is not lost, and is used up', (t) => {
  const plan = planOf(`{ when: { signal: 'go' } }, { when: { signal: 'go' } }`)
  const once = settle(plan, sawSignal(startProgress(plan, zero), 'go'), at(0n))
  t.deepEqual([once.step, once.state], [1, 'running'])
})

test('a step that never fires fails with its reason', (t) => {
  const plan = planOf(`{ id: 'w', when: { height: 9 }, timeout: '2s' }`)
  const { state, failures } = settle(plan, startProgress(plan, zero), at(2000n))
  t.is(state, 'failed')
  t.deepEqual(failures, [{ step: 'w', text: 'waited 2000 ms for height 9', source: 's.json5:1', isLate: true }])
})

test('an expectation that does not hold fails the scenario', (t) => {
  const plan = planOf(`{ expect: { height: { min: 3 } } }`)
  const { state, failures } = settle(plan, startProgress(plan, zero), at(0n, 2n))
  t.is(state, 'failed')
  t.is(failures[0]?.text, 'height: expected at least 3, was 2')
})

for (const height of [1, 3]) {
  test(`a height that must be exactly ${height} is told as that, not as a limit`, (t) => {
    const plan = planOf(`{ expect: { height: ${height} } }`)
    t.is(settle(plan, startProgress(plan, zero), at(0n, 2n)).failures[0]?.text, `height: expected ${height}, was 2`)
  })
}

test('an expectation with "within" has until then', (t) => {
  const plan = planOf(`{ expect: { height: { min: 3 }, within: '4s' } }`)
  const waiting = settle(plan, startProgress(plan, zero), at(0n, 2n))
  t.is(waiting.state, 'running')
  t.is(advance(plan, waiting, at(1000n, 2n)).wakeAtMs, 4000n)
  t.is(settle(plan, waiting, at(3999n, 3n)).state, 'passed')
  t.is(settle(plan, waiting, at(4000n, 2n)).state, 'failed')
})

test('"continue" goes on after a failure and the scenario fails at its end', (t) => {
  const plan = planOf(`{ onFail: 'continue', expect: { height: { min: 3 } } }, { do: { log: 'on' } }`)
  const { state, step } = settle(plan, startProgress(plan, zero), at(0n))
  t.deepEqual([state, step], ['failed', 2])
})

test('an rpc expectation compares a member of the result', (t) => {
  const plan = planOf(
    `{ expect: { rpc: { iface: 'comet', method: 'status' }, path: 'sync_info.catching_up', equals: false } }`,
  )
  const rpc = () => ({ isError: false, text: '{"sync_info":{"catching_up":false}}' })
  t.is(settle(plan, startProgress(plan, zero), at(0n, 0n, { rpc })).state, 'passed')
  t.is(
    settle(plan, startProgress(plan, zero), at(0n, 0n, { rpc: () => ({ isError: false, text: '{}' }) })).failures[0]
      ?.text,
    'status sync_info.catching_up: expected false, received absent',
  )
})

test('an expectation that has not seen all calls passes only if more calls would not change that', (t) => {
  const lost: Partial<Sight> = { calls: () => ({ calls: [], isWhole: false }) }
  const failures = (expect: string) => {
    const plan = planOf(`{ expect: [${expect}] }`)
    return settle(plan, startProgress(plan, zero), at(0n, 0n, lost)).failures.map(({ text }) => text)
  }
  const note = 'only the latest of these calls are known: count from a later step with since'
  const given = (count: string) => `{ given: { method: 'a', error: true }, count: ${count} }`
  t.deepEqual(failures(given('{ min: 0 }')), [])
  t.deepEqual(failures(given('0')), [`calls of a; ${note}`])
  t.deepEqual(failures(given('{ min: 1 }')), [`calls of a answered with an error: expected at least 1, was 0; ${note}`])
  t.deepEqual(failures(`{ calls: { method: 'a' }, rate: { max: 1, per: '1s' } }`), [`calls of a; ${note}`])
})
