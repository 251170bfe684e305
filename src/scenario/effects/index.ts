/** All effects of faults (`mocks.md` §3.3). */
import { z } from 'zod'
import type { FaultEffect } from '../../fault/effect.ts'
import { answerEffects } from './answers.ts'
import { effectStages } from './descriptor.ts'
import { socketEffects } from './sockets.ts'
import { transportEffects } from './transport.ts'

/** The effects in the order of the reference. */
const descriptors = { ...answerEffects, ...transportEffects, ...socketEffects }

type Descriptors = typeof descriptors
type EffectName = keyof Descriptors

const shape = Object.fromEntries(
  Object.entries(descriptors).map(([name, { schema }]) => [name, schema.optional()]),
) as unknown as { [Name in EffectName]: z.ZodOptional<Descriptors[Name]['schema']> }

/** The schema of the effects of a fault. */
export const effect = z
  .strictObject({ ...shape, cors: z.enum(['keep', 'strip']).optional() })
  .refine((one) => Object.keys(one).length > 0, "expected an effect, like { latency: '2s' }")

/** Descriptions of the keys of all effects, for editors. */
export const effectKeys: Readonly<Record<string, string>> = Object.assign(
  {},
  ...Object.values(descriptors).map(({ keys }) => keys),
)

const inOrder = effectStages.flatMap((stage) =>
  (Object.keys(descriptors) as EffectName[]).filter((name) => descriptors[name].stage === stage),
)

/** Returns the effects as plain data. */
export function compileEffects(given: z.output<typeof effect>): readonly FaultEffect[] {
  return inOrder.flatMap((name) => {
    const value = given[name]
    if (value === undefined) return []
    const compile = descriptors[name].compile as (value: unknown, all: typeof given) => readonly FaultEffect[]
    return compile(value, given)
  })
}
