import test from 'ava'
import { compileScenario } from '../../src/scenario/compile.ts'
import type { FaultRule } from '../../src/fault/rule.ts'
import { InvalidScenario } from '../../src/scenario/diagnostic.ts'

const compile = (fault: string): FaultRule | undefined => compileScenario(
  new Map([['s.json5', `{ chainstage: 1, name: 'x', faults: { f: ${fault} } }`]]), 's.json5',
).plan.faults[0]

const effect = test.macro({
  exec(t, text: string, wanted: readonly object[]) {
    t.deepEqual(compile(`{ effect: ${text} }`)?.effects, wanted as FaultRule['effects'])
  },
  title: (_, text) => `the effect ${text} is understood`,
})
test(effect, `{ latency: '2s' }`, [{ type: 'latency', minMs: 2000n, maxMs: 2000n }])
test(effect, `{ latency: { uniform: ['5ms', '9ms'] } }`, [{ type: 'latency', minMs: 5n, maxMs: 9n }])
test(effect, `{ latency: { table: ['1ms', '1ms', '2s'] } }`, [{ type: 'latencyTable', ms: [1n, 1n, 2000n] }])

for (const text of [
  `{ normal: { mean: '50ms', sd: '10ms' } }`, `{ lognormal: { median: '120ms', p99: '1800ms' } }`,
  `{ exponential: { mean: '50ms' } }`, `{ percentiles: { p50: '80ms', p90: '300ms', 'p99.9': '2s' } }`,
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
test(refused, `{ effect: { latency: { percentiles: { p50: '9ms', p90: '5ms' } } } }`, /do not fall/)
