/** Faults of scenario files: match, selection and effect (`mocks.md` §3.3). */
import { z } from 'zod'
import { grpcStatuses } from './grpcStatuses.ts'
import { lag, latency } from './latencySchema.ts'
import { providers, type ProviderName } from './providers.ts'
import { rpcErrors, type RpcErrorFile } from './rpcErrors.ts'
import { blocks, count, duration, list, odds, pointer, side, strings } from './shapes.ts'
import { socketEffect } from './socketSchema.ts'

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

const headerName = z.string().regex(/^[-!#$%&'*+.^_`|~0-9A-Za-z]+$/, 'expected the name of a header')

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

const change = z.union([
  z
    .strictObject({ remove: pointer })
    .transform(({ remove }) => ({ path: remove, change: 'remove' as const, value: 'null' })),
  z.strictObject({ replace: pointer, value: z.unknown() }).transform(({ replace, value }) => ({
    path: replace,
    change: 'replace' as const,
    value: JSON.stringify(value) ?? 'null',
  })),
  z
    .strictObject({ add: pointer, value: z.unknown() })
    .transform(({ add, value }) => ({ path: add, change: 'add' as const, value: JSON.stringify(value) ?? 'null' })),
])

const names = <Name extends string>(table: Readonly<Record<Name, unknown>>) =>
  z.enum(Object.keys(table) as [Name, ...Name[]])

const effect = z.strictObject({
  latency: latency.optional(),
  http: z
    .strictObject({
      status: z.int().min(200).max(599),
      headers: z.record(headerName, z.string()).optional(),
      body: z.unknown().optional(),
    })
    .optional(),
  rpcError: z
    .union([
      names(rpcErrors).transform((name): RpcErrorFile => rpcErrors[name]),
      z.strictObject({ code: z.int(), message: z.string(), data: z.unknown().optional() }),
    ])
    .optional(),
  grpc: z
    .union([
      names(grpcStatuses).transform((name) => ({ code: grpcStatuses[name], message: name })),
      z
        .strictObject({ status: names(grpcStatuses), message: z.string() })
        .transform(({ status, message }) => ({ code: grpcStatuses[status], message })),
    ])
    .meta({ description: 'fails gRPC and REST calls with a gRPC status' })
    .optional(),
  provider: names(providers)
    .transform((name: ProviderName) => providers[name])
    .meta({ description: 'refuses as a hosted node provider does' })
    .optional(),
  nullResult: z.literal(true).optional(),
  mutate: list(change).meta({ description: 'the true result with some values changed' }).optional(),
  stale: z
    .strictObject({ lag, flip: z.boolean().optional() })
    .meta({ description: 'answers from an older state; flip: every other call' })
    .optional(),
  indexLag: lag.meta({ description: 'delays receipts, logs and searches, by blocks or time' }).optional(),
  empty: z.literal(true).optional(),
  truncate: z.literal(true).optional(),
  malformed: z.enum(['json', 'chunk', 'utf8', 'contentLength']).optional(),
  dribble: z.strictObject({ bytes: z.int().min(1), every: duration }).optional(),
  bandwidth: z.int().min(1).meta({ description: 'bytes per second' }).optional(),
  slowClose: duration.optional(),
  hang: z.literal(true).optional(),
  timeout: duration.optional(),
  reset: z.enum(['beforeHeaders', 'midBody', 'afterBody']).optional(),
  refuse: z.literal(true).meta({ description: 'refuses new connections' }).optional(),
  ws: socketEffect.optional(),
  cors: z.enum(['keep', 'strip']).optional(),
})

export const fault = z.strictObject({
  match: match.optional(),
  select: select.optional(),
  at: z.enum(['before', 'after']).optional(),
  effect,
  cors: z.enum(['keep', 'strip']).optional(),
})
