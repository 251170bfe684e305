/** What a step can wait for, as files write it. */
import { z } from 'zod'
import { count, duration, side } from './shapes.ts'

export const trigger = z.union([
  z.strictObject({ height: z.union([z.int().min(1), z.string().regex(/^\+\d+$/, "expected a height or '+3'")]) }),
  z.strictObject({ blocks: count }),
  z.strictObject({ after: duration }),
  z.strictObject({ time: duration }),
  z.strictObject({ request: z.strictObject({ iface: side.optional(), method: z.string(), nth: z.int().min(1).optional() }) }),
  z.strictObject({ signal: z.string() }),
])

export type TriggerFile = z.output<typeof trigger>
