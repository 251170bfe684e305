/** Latencies of scenario files (`mocks.md` §3.3, `latency`). */
import { z } from 'zod'
import type { Percentile } from '../../fault/distribution.ts'
import { blocks, duration } from '../shapes.ts'

/** Percentiles with keys such as `p50`, `p99` or `p99.9`; latencies must not decrease. */
const percentiles = z
  .record(z.string().regex(/^p(\d{1,2}(\.\d+)?|100)$/, "expected a percentile like 'p50' or 'p99.9'"), duration)
  .transform((points, context) => {
    const sorted = Object.entries(points)
      .map(([name, ms]): Percentile => ({ percent: Number(name.slice(1)), ms }))
      .toSorted((a, b) => a.percent - b.percent)
    if (sorted.length === 0 || sorted.some(({ ms }, index) => ms < (sorted[index - 1]?.ms ?? 0n))) {
      context.addIssue({
        code: 'custom',
        message: 'expected latencies that do not decrease from one percentile to the next',
      })
      return z.NEVER
    }
    return sorted
  })

/** A lag: a time or a number of blocks. */
export const lag = z.union([
  duration.transform((count) => ({ unit: 'ms' as const, count })),
  blocks.transform((count) => ({ unit: 'blocks' as const, count })),
])

/** A fixed time, a range, a distribution, or a list of equally likely times. */
export const latency = z.union([
  duration.transform((ms) => ({ min: ms, max: ms })),
  z
    .strictObject({ uniform: z.tuple([duration, duration]) })
    .refine(({ uniform: [min, max] }) => min <= max, 'expected the shorter time first')
    .transform(({ uniform: [min, max] }) => ({ min, max })),
  z
    .strictObject({ normal: z.strictObject({ mean: duration, sd: duration }) })
    .transform(({ normal: { mean, sd } }) => ({ type: 'normal' as const, meanMs: mean, sdMs: sd })),
  z
    .strictObject({ lognormal: z.strictObject({ median: duration, p99: duration }) })
    .refine(({ lognormal: { median, p99 } }) => median <= p99, 'expected a median that is at most p99')
    .transform(({ lognormal }) => ({ type: 'lognormal' as const, medianMs: lognormal.median, p99Ms: lognormal.p99 })),
  z
    .strictObject({ exponential: z.strictObject({ mean: duration }) })
    .transform(({ exponential: { mean } }) => ({ type: 'exponential' as const, meanMs: mean })),
  z.strictObject({ percentiles }).transform((one) => ({ type: 'percentiles' as const, points: one.percentiles })),
  z.strictObject({ table: z.array(duration).min(1) }),
])
