/** Steps and rules of scenario files: triggers, actions and expectations. */
import { z } from 'zod'
import { action } from './actions/index.ts'
import { expectation } from './expectationSchema.ts'
import { duration, list, span } from './shapes.ts'
import { trigger } from './triggerSchema.ts'

const condition = z
  .custom<boolean | string>(
    (value) => typeof value === 'boolean' || typeof value === 'string',
    'expected true or false, or an expression that is one of them',
  )
  .meta({ description: 'an expression; a step or rule whose condition is false is skipped' })
  .optional()

const actionList = list(action)

/** Actions outside steps, which cannot wait for a response. */
export const actionsNobodyAwaits = actionList.refine(
  (all) =>
    !all.some(
      ({ cosmosTx, late }) => cosmosTx?.broadcast !== undefined || late?.json.includes('"broadcast":') === true,
    ),
  'broadcast is only valid in a cosmosTx of a step: rules and finally do not wait for a response',
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
      description: 'continues for a time since the start, for blocks after the last step, or until a trigger',
    })
    .optional(),
  timeout: duration.optional(),
  maxDegraded: z
    .int()
    .min(0)
    .meta({ description: 'number of calls that a lenient playback may answer approximately' })
    .optional(),
  onUnused: z
    .enum(['warn', 'error'])
    .meta({ description: 'whether a fault that hit no call is a warning or an error' })
    .optional(),
  onMaskedFault: z
    .enum(['ignore', 'warn', 'error'])
    .meta({ description: 'whether a fault that a retry hid is ignored, a warning or an error' })
    .optional(),
  strict: z.boolean().meta({ description: 'makes unused and masked faults errors' }).optional(),
})

export type StepFile = z.output<typeof step>
export type RuleFile = z.output<typeof rule>
