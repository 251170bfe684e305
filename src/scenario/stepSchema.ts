/** A step of a scenario file: what it waits for, does and expects. */
import { z } from 'zod'
import { action } from './actionSchema.ts'
import { expectation } from './expectationSchema.ts'
import { duration, list } from './shapes.ts'
import { trigger } from './triggerSchema.ts'

export const step = z.strictObject({
  id: z.string().optional(),
  if: z.boolean().meta({ description: 'an expression; a step whose condition is false is left out' }).optional(),
  when: trigger.optional(),
  // Lazy, because actions hold faults and their declaration stands beside the one of steps.
  do: z.lazy(() => list(action)).optional(),
  expect: list(expectation).optional(),
  timeout: duration.optional(),
  onFail: z.enum(['abort', 'continue']).optional(),
})

export type StepFile = z.output<typeof step>
