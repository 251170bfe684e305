/**
 * The schema of scenario files. It is the single source for validation, types, the JSON Schema for
 * editors and the reference page (design §5). Names are those of `mocks.md` §3.
 */
import { bech32Prefixes } from '../settings/bech32Prefix.ts'
import { z } from 'zod'
import { mostVotingPower } from '../settings/validators.ts'
import { fault } from './faultSchema.ts'
import { fixtures } from './fixtures/fixtureSchema.ts'
import { count, strings } from './shapes.ts'
import { actionsNobodyAwaits, rule, run, step } from './stepSchema.ts'
import { durationMs } from './units.ts'

/** Keys of `chain` and `clock` are settings of the same name. */
const chain = z.strictObject({
  profile: z.enum(['local', 'evmd', 'documented']).optional(),
  chainId: z.string().min(1).max(50).optional(),
  cosmosChainId: z.string().min(1).max(50).meta({ description: 'alias of chainId' }).optional(),
  appVersion: z.string().optional(),
  evmChainId: z.int().min(1).optional(),
  bech32Prefix: z.string().regex(bech32Prefixes, 'expected 1 to 40 lower-case letters or digits').optional(),
  app: z.enum(['evmd', 'kvstore']).optional(),
  mempool: z
    .enum(['evm', 'comet'])
    .meta({
      description: 'evm: a higher fee replaces a transaction of the same nonce; comet: first come, first served',
    })
    .optional(),
  accounts: count.max(10_000).optional(),
  balance: count.optional(),
  validators: z
    .union([
      z.int().min(1).max(100),
      z
        .array(z.strictObject({ name: z.string().min(1), power: z.int().min(1).max(mostVotingPower).optional() }))
        .min(1)
        .max(100)
        .refine(
          (all) => new Set(all.map(({ name }) => name)).size === all.length,
          'expected a different name for each validator',
        ),
    ])
    .optional(),
  mnemonic: z.string().optional(),
  quirks: strings.optional(),
})

const clock = z.strictObject({
  mode: z
    .enum(['manual', 'instant', 'interval'])
    .meta({ description: 'manual: blocks on command; instant: no waiting; interval: one block every blockTime' })
    .optional(),
  pace: z.enum(['wall', 'instant', 'manual']).optional(),
  blocks: z.enum(['auto', 'interval', 'mixed', 'manual']).optional(),
  speed: z
    .string()
    .regex(/^x[1-9]\d{0,4}$/, "expected a multiple like 'x10'")
    .meta({ description: 'speed of time, as a multiple of real time, if time follows the wall clock' })
    .optional(),
  lazy: z.boolean().optional(),
  interval: z
    .string()
    .refine((text) => durationMs(text) !== undefined, 'expected a duration')
    .optional(),
  time: z.enum(['logical', 'wall']).optional(),
  blockTime: z
    .string()
    .refine((text) => durationMs(text) !== undefined, 'expected a duration')
    .optional(),
  genesisTime: z.iso.datetime({ error: 'expected an RFC 3339 time in UTC like 2025-01-01T00:00:00Z' }).optional(),
})

const scalar = z.union([z.string(), z.int(), z.boolean()])

/** Keys of a part (a file whose name starts with `_`). */
const partKeys = {
  chainstage: z.literal(1, { error: 'expected 1, the version of the scenario format' }),
  $schema: z.string().optional(),
  imports: z
    .array(
      z.union([
        z.string(),
        z.strictObject({
          from: z.string(),
          as: z
            .string()
            .regex(/^[A-Za-z_]\w*$/, 'expected a name like shop')
            .optional(),
          with: z.record(z.string(), scalar).optional(),
          override: z.boolean().optional(),
        }),
      ]),
    )
    .optional(),
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
  rules: z.array(rule).optional(),
  finally: actionsNobodyAwaits.optional(),
  run: run.optional(),
})

export type ScenarioFile = z.output<typeof scenario>
export { fault }
