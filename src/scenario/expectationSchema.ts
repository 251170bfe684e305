/** What a step can expect, as files write it. */
import { z } from 'zod'
import { call, count, duration, who, wei } from './shapes.ts'

const bounds = { min: count.optional(), max: count.optional() }
const within = duration.optional()

export const expectation = z.union([
  z.strictObject({ height: z.strictObject(bounds), within }),
  z.strictObject({ balance: z.strictObject({ address: who, min: wei.optional(), max: wei.optional() }), within }),
  z.strictObject({ fault: z.string(), applied: z.strictObject(bounds), within }),
  z.strictObject({ calls: z.strictObject({ method: z.string() }), count: z.strictObject(bounds), within }),
  z.strictObject({ rpc: call, path: z.string().optional(), equals: z.unknown(), within }),
])

export type ExpectationFile = z.output<typeof expectation>
