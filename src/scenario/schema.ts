/**
 * The scenario file, as one schema: the truth for checking, for types, for the JSON Schema editors
 * read and for the reference page (design §5). Names are those of `mocks.md` §3.
 */
import { z } from 'zod'
import { rpcErrors, type RpcErrorFile } from './rpcErrors.ts'
import { count, duration, odds, pointer, side, strings } from './shapes.ts'
import { actionList, rule, run, step } from './stepSchema.ts'
import { durationMs } from './units.ts'

export const fault = z.strictObject({
  match: z.strictObject({
    iface: z.union([side.transform((one) => [one]), z.array(side)]).optional(),
    transport: z.enum(['http', 'ws']).optional(),
    method: strings.optional(),
    except: strings.optional(),
    session: z.string().optional(),
  }).optional(),
  select: z.strictObject({
    skip: count.optional(),
    count: count.optional(),
    probability: odds.optional(),
    rate: z.strictObject({ limit: z.int().min(1), per: duration, burst: count.optional() }).optional(),
  }).refine(
    (one) => [one.skip ?? one.count, one.probability, one.rate].filter((each) => each !== undefined).length <= 1,
    'expected one way to select: skip and count, probability, or rate',
  ).optional(),
  at: z.enum(['before', 'after']).optional(),
  effect: z.strictObject({
    latency: z.union([duration.transform((ms) => ({ min: ms, max: ms })), z.strictObject({ uniform: z.tuple([duration, duration]) }).transform(({ uniform: [min, max] }) => ({ min, max }))]).optional(),
    http: z.strictObject({
      status: z.int().min(200).max(599),
      headers: z.record(z.string(), z.string()).optional(),
      body: z.unknown().optional(),
    }).optional(),
    rpcError: z.union([
      z.enum(Object.keys(rpcErrors) as [keyof typeof rpcErrors]).transform((name): RpcErrorFile => rpcErrors[name]),
      z.strictObject({ code: z.int(), message: z.string(), data: z.unknown().optional() }),
    ]).optional(),
    nullResult: z.literal(true).optional(),
    mutate: z.union([
      z.strictObject({ remove: pointer }).transform(({ remove }) => ({ path: remove, change: 'remove' as const, value: 'null' })),
      z.strictObject({ replace: pointer, value: z.unknown() })
        .transform(({ replace, value }) => ({ path: replace, change: 'replace' as const, value: JSON.stringify(value) ?? 'null' })),
    ]).optional(),
    empty: z.literal(true).optional(),
    truncate: z.literal(true).optional(),
    malformed: z.enum(['json', 'chunk', 'utf8', 'contentLength']).optional(),
    dribble: z.strictObject({ bytes: z.int().min(1), every: duration }).optional(),
    hang: z.literal(true).optional(),
    reset: z.enum(['beforeHeaders', 'midBody', 'afterBody']).optional(),
  }),
  cors: z.enum(['keep', 'strip']).optional(),
})

/** Keys of `chain` and `clock` are settings of the same name. */
const chain = z.strictObject({
  profile: z.enum(['local', 'evmd', 'documented']).optional(),
  chainId: z.string().min(1).max(50).optional(),
  evmChainId: z.int().min(1).optional(),
  app: z.enum(['evmd', 'kvstore']).optional(),
  accounts: count.max(10_000).optional(),
  balance: count.optional(),
  validators: z.int().min(1).max(100).optional(),
  mnemonic: z.string().optional(),
  quirks: strings.optional(),
})

const clock = z.strictObject({
  pace: z.enum(['wall', 'instant', 'manual']).optional(),
  blocks: z.enum(['auto', 'interval', 'mixed', 'manual']).optional(),
  lazy: z.boolean().optional(),
  interval: z.string().refine((text) => durationMs(text) !== undefined, 'expected a duration').optional(),
  time: z.enum(['logical', 'wall']).optional(),
  blockTime: z.string().refine((text) => durationMs(text) !== undefined, 'expected a duration').optional(),
  genesisTime: z.iso.datetime({ error: 'expected an RFC 3339 time in UTC like 2025-01-01T00:00:00Z' }).optional(),
})

/** What a part (a file whose name starts with `_`) may hold. */
const partKeys = {
  chainstage: z.literal(1, { error: 'expected 1, the version of the format' }),
  $schema: z.string().optional(),
  imports: z.array(z.string()).optional(),
  vars: z.record(z.string(), z.union([z.string(), z.int(), z.boolean()])).optional(),
  faults: z.record(z.string(), fault).optional(),
}

export const part = z.strictObject({ ...partKeys, chainstage: partKeys.chainstage.optional() })

export const scenario = z.strictObject({
  ...partKeys,
  name: z.string().min(1),
  description: z.string().optional(),
  tags: z.array(z.string()).optional(),
  seed: z.union([z.string(), z.int().transform(String)]).optional(),
  app: z.strictObject({ infoFails: z.string().optional() }).optional(),
  clock: clock.optional(),
  chain: chain.optional(),
  steps: z.array(step).optional(),
  rules: z.array(rule).optional(),
  finally: actionList.optional(),
  run: run.optional(),
})

export type ScenarioFile = z.output<typeof scenario>
export type FaultFile = z.output<typeof fault>
