/**
 * The scenario file, as one schema: the truth for checking, for types, for the JSON Schema editors
 * read and for the reference page (design §5). Names are those of `mocks.md` §3.
 */
import { z } from 'zod'
import { fault } from './faultSchema.ts'
import { fixtures } from './fixtures/fixtureSchema.ts'
import { call, count, duration, hexBytes, list, side, span, strings, wei } from './shapes.ts'
import { durationMs } from './units.ts'

export const trigger = z.union([
  z.strictObject({ height: z.union([z.int().min(1), z.string().regex(/^\+\d+$/, "expected a height or '+3'")]) }),
  z.strictObject({ blocks: count }),
  z.strictObject({ after: duration }),
  z.strictObject({ time: duration }),
  z.strictObject({ request: z.strictObject({ iface: side.optional(), method: z.string(), nth: z.int().min(1).optional() }) }),
  z.strictObject({ signal: z.string() }),
])

/** One key an object: a wrong one gives one clear error. */
export const actions = {
  mine: z.int().min(1).max(1_000_000),
  timeJump: duration,
  setBlockTime: duration,
  blocks: z.enum(['pause', 'resume']),
  setBalance: z.strictObject({ address: hexBytes(20), amount: wei }),
  setNonce: z.strictObject({ address: hexBytes(20), nonce: count }),
  setCode: z.strictObject({ address: hexBytes(20), code: z.string().regex(/^0x([0-9a-fA-F]{2})*$/, 'expected 0x hex') }),
  setStorage: z.strictObject({ address: hexBytes(20), slot: hexBytes(32), value: hexBytes(32) }),
  mempool: z.strictObject({ drop: z.literal('*') }),
  node: z.strictObject({ prunedBelow: z.int().min(1) }),
  fault: z.strictObject({ use: z.string(), for: span.optional() }),
  clearFault: z.string(),
  call,
  log: z.string(),
} as const

export const action = z.strictObject(
  Object.fromEntries(Object.entries(actions).map(([name, shape]) => [name, shape.optional()])) as
    { [Name in keyof typeof actions]: z.ZodOptional<(typeof actions)[Name]> },
).refine((one) => Object.keys(one).length === 1, 'expected exactly one action in an object')

const bounds = { min: count.optional(), max: count.optional() }
const within = duration.optional()

export const expectation = z.union([
  z.strictObject({ height: z.strictObject(bounds), within }),
  z.strictObject({ balance: z.strictObject({ address: hexBytes(20), min: wei.optional(), max: wei.optional() }), within }),
  z.strictObject({ fault: z.string(), applied: z.strictObject(bounds), within }),
  z.strictObject({ calls: z.strictObject({ method: z.string() }), count: z.strictObject(bounds), within }),
  z.strictObject({ rpc: call, path: z.string().optional(), equals: z.unknown(), within }),
])

export const step = z.strictObject({
  id: z.string().optional(),
  if: z.boolean().meta({ description: 'an expression; a step whose condition is false is left out' }).optional(),
  when: trigger.optional(),
  do: list(action).optional(),
  expect: list(expectation).optional(),
  timeout: duration.optional(),
  onFail: z.enum(['abort', 'continue']).optional(),
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

const scalar = z.union([z.string(), z.int(), z.boolean()])

/** What a part (a file whose name starts with `_`) may hold. */
const partKeys = {
  chainstage: z.literal(1, { error: 'expected 1, the version of the format' }),
  $schema: z.string().optional(),
  imports: z.array(z.union([z.string(), z.strictObject({
    from: z.string(),
    as: z.string().regex(/^[A-Za-z_]\w*$/, 'expected a name like shop').optional(),
    with: z.record(z.string(), scalar).optional(),
    override: z.boolean().optional(),
  })])).optional(),
  vars: z.record(z.string(), scalar).optional(),
  fixtures: fixtures.optional(),
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
  run: z.strictObject({
    until: span.meta({ description: 'goes on for so long since the start, or so many blocks after the last step' }).optional(),
    timeout: duration.optional(),
    onUnused: z.enum(['warn', 'error']).meta({ description: 'whether a fault that hits no call makes a run fail' }).optional(),
    onMaskedFault: z.enum(['ignore', 'warn', 'error'])
      .meta({ description: 'what a fault is that nobody noticed, because the client tried again' }).optional(),
  }).optional(),
})

export type ScenarioFile = z.output<typeof scenario>
export type StepFile = z.output<typeof step>
export type ActionFile = z.output<typeof action>
export type ExpectationFile = z.output<typeof expectation>
export { fault }
export type FaultFile = z.output<typeof fault>
export type TriggerFile = z.output<typeof trigger>
