/** Steps and rules of scenario files: triggers, actions and expectations. */
import { z } from 'zod'
import { action } from './actionSchema.ts'
import { expectation } from './expectationSchema.ts'
import { duration, list, span } from './shapes.ts'
import { trigger } from './triggerSchema.ts'

const condition = z
  .union([z.boolean(), z.string()])
  .meta({ description: 'an expression; what has a condition that is false is left out' })
  .optional()

const actionList = list(action)

/** Actions outside steps, which cannot wait for a response. */
export const actionsNobodyAwaits = actionList.refine(
  (all) =>
    !all.some(
      ({ cosmosTx, late }) => cosmosTx?.broadcast !== undefined || late?.json.includes('"broadcast":') === true,
    ),
  'broadcast belongs to the cosmosTx of a step: rules and finally wait for no answer',
)

export const step = z.strictObject({
  id: z.string().optional(),
  if: condition,
  when: trigger.optional(),
  delay: span.optional(),
  do: actionList.optional(),
  expect: list(expectation).optional(),
  repeat: z.int().min(1).optional(),
  timeout: duration.optional(),
  onFail: z.enum(['abort', 'continue']).optional(),
})

export const rule = z.strictObject({
  id: z.string().optional(),
  if: condition,
  when: trigger,
  phase: z.string().optional(),
  delay: span.optional(),
  do: actionsNobodyAwaits,
  repeat: z.boolean().optional(),
  times: z.int().min(1).optional(),
})

/** How a run ends, and which additional problems make it fail. */
export const run = z.strictObject({
  seed: z.union([z.string(), z.int().transform(String)]).optional(),
  until: z
    .union([span, trigger])
    .meta({
      description: 'goes on for so long since the start, so many blocks after the last step, or until something',
    })
    .optional(),
  timeout: duration.optional(),
  maxDegraded: z
    .int()
    .min(0)
    .meta({ description: 'how many calls a playback of mode lenient may answer with something near' })
    .optional(),
  onUnused: z
    .enum(['warn', 'error'])
    .meta({ description: 'whether a fault that hits no call makes a run fail' })
    .optional(),
  onMaskedFault: z
    .enum(['ignore', 'warn', 'error'])
    .meta({ description: 'what a fault is that nobody noticed, because the client tried again' })
    .optional(),
  strict: z
    .boolean()
    .meta({ description: 'faults that hit no call, and those that nobody noticed, are errors' })
    .optional(),
})

export type StepFile = z.output<typeof step>
export type RuleFile = z.output<typeof rule>
