import test from 'ava'
import { latencyTable, type Distribution } from '../../src/fault/distribution.ts'

const at = (table: readonly bigint[], percent: number) =>
  Number(table[Math.floor((table.length * percent) / 100)] ?? -1n)

const shape = test.macro({
  exec(t, distribution: Distribution, wanted: Readonly<Record<number, number>>) {
    const table = latencyTable(distribution)
    for (const [percent, ms] of Object.entries(wanted)) {
      const found = at(table, Number(percent))
      t.true(Math.abs(found - ms) <= Math.max(2, ms * 0.03), `p${percent}: ${found}, not ${ms}`)
    }
    t.deepEqual(
      table,
      table.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0)),
    )
  },
  title: (_, distribution: Distribution) => `of type ${distribution.type}: its percentiles are right`,
})
// The wanted values are those of the closed forms: mean + sd·z, median·e^(σz), −mean·ln(1−p).
test(shape, { type: 'normal', meanMs: 500n, sdMs: 100n }, { 16: 400.5, 50: 500, 84: 599.5, 97: 688 })
test(shape, { type: 'lognormal', medianMs: 120n, p99Ms: 1800n }, { 25: 54.7, 50: 120, 75: 263, 90: 533 })
test(shape, { type: 'exponential', meanMs: 200n }, { 10: 21, 50: 138.6, 90: 460.5, 95: 599 })
test(
  shape,
  {
    type: 'percentiles',
    points: [
      { percent: 50, ms: 80n },
      { percent: 90, ms: 300n },
      { percent: 99, ms: 1800n },
    ],
  },
  { 25: 40, 50: 80, 70: 190, 90: 300, 95: 1133 },
)

test('no latency is below zero, and one of zero is zero', (t) => {
  t.true(latencyTable({ type: 'normal', meanMs: 10n, sdMs: 100n }).every((ms) => ms >= 0n))
  t.true(latencyTable({ type: 'lognormal', medianMs: 0n, p99Ms: 0n }).every((ms) => ms === 0n))
})
