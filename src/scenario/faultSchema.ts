/** Faults of scenario files: match, selection and effect (`mocks.md` §3.3). */
import { z } from 'zod'
import { headerName } from './effects/answers.ts'
import { effect } from './effects/index.ts'
import { blocks, count, duration, odds, side, strings } from './shapes.ts'

const match = z.strictObject({
  iface: z.union([side.transform((one) => [one]), z.array(side)]).optional(),
  transport: z.enum(['http', 'ws']).optional(),
  method: strings.optional(),
  except: strings.optional(),
  params: z
    .union([z.array(z.unknown()), z.record(z.string(), z.unknown())])
    .meta({ description: 'parameters that the call must have, at least; * matches any text' })
    .optional(),
  session: z.string().optional(),
  client: z.strictObject({ origin: z.string().optional(), userAgent: z.string().optional() }).optional(),
  subscription: strings.meta({ description: "kinds like 'newHeads' or queries like \"tm.event = 'Tx'\"" }).optional(),
  batch: z.enum(['any', 'single', 'batch']).optional(),
})

const rate = z.strictObject({
  limit: z.int().min(1),
  per: duration.refine((ms) => ms > 0n, 'expected more than 0 ms'),
  burst: count.optional(),
  by: z
    .union([z.enum(['all', 'session', 'ip', 'connection']), z.strictObject({ header: headerName })])
    .meta({ description: 'scope of the limit: the calls that share it' })
    .optional(),
  counting: z
    .enum(['bucket', 'window'])
    .meta({ description: 'bucket: refills continuously; window: refills all at once' })
    .optional(),
})

const schedule = z
  .union([
    z.strictObject({ on: duration, off: duration }).transform(({ on, off }) => ({ unit: 'ms' as const, on, off })),
    z.strictObject({ on: blocks, off: blocks }).transform(({ on, off }) => ({ unit: 'blocks' as const, on, off })),
  ])
  .refine(({ on, off }) => on + off > 0n, 'expected on or off to be above 0')

const select = z
  .strictObject({
    skip: count.optional(),
    count: count.optional(),
    per: z
      .enum(['call', 'attempt'])
      .meta({ description: 'whether a call and its retries count once, or every attempt' })
      .optional(),
    probability: odds.optional(),
    key: z.enum(['count', 'client+request']).optional(),
    rate: rate.optional(),
    schedule: schedule.optional(),
  })
  .refine(
    (one) =>
      [one.skip ?? one.count, one.probability, one.rate, one.schedule].filter((each) => each !== undefined).length <= 1,
    'expected only one way to select: skip and count, probability, rate or schedule',
  )
  .refine((one) => one.key === undefined || one.probability !== undefined, '"key" is only valid with probability')
  .refine(
    (one) => one.per === undefined || (one.skip ?? one.count) !== undefined,
    '"per" is only valid with skip and count',
  )

export const fault = z.strictObject({
  match: match.optional(),
  select: select.optional(),
  at: z.enum(['before', 'after']).optional(),
  effect,
  cors: z.enum(['keep', 'strip']).optional(),
})

export type FaultFile = z.output<typeof fault>
