import { z } from 'zod'
import { lag } from './latencySchema.ts'
import { duration } from './shapes.ts'

const delay = z.union([
  duration.transform((ms) => ({ min: ms, max: ms })),
  z
    .strictObject({ uniform: z.tuple([duration, duration]) })
    .refine(({ uniform: [min, max] }) => min <= max, 'expected the shorter time first')
    .transform(({ uniform: [min, max] }) => ({ min, max })),
])

/**
 * A WebSocket close code. 1006 cannot be sent; it breaks the connection without a close frame (RFC
 * 6455 §7.4).
 */
const closeCode = z
  .int()
  .refine(
    (code) => code === 1006 || (code >= 1000 && code <= 4999 && ![1004, 1005, 1015].includes(code)),
    'expected a close code from 1000 to 4999; 1006 breaks the connection without a close frame',
  )

/** Holds events back; `backlog` tells what happens to them at the end. */
export const stall = z.union([
  z.literal(true).transform(() => ({ backlog: 'deliver' as const })),
  z.strictObject({ backlog: z.enum(['deliver', 'discard']) }),
])

/** Effects on WebSocket connections and their events (`mocks.md` §3.3). */
export const socketEffect = z
  .strictObject({
    drop: z.literal(true).optional(),
    delay: delay.optional(),
    duplicate: z.union([z.literal(true).transform(() => 2), z.int().min(2).max(100)]).optional(),
    reorder: z.strictObject({ window: z.int().min(2).max(100) }).optional(),
    stall: stall.optional(),
    close: z
      .strictObject({
        code: closeCode,
        reason: z.string().max(123).optional(),
        mid: z.literal('frame').optional(),
      })
      .optional(),
    refuseFor: lag.meta({ description: 'how long new connections are refused after a close' }).optional(),
    cancelSubscription: z.union([z.literal(true), z.strictObject({ reason: z.string() })]).optional(),
    refuse: z.union([z.literal(true), z.strictObject({ status: z.int().min(400).max(599) })]).optional(),
  })
  .refine((one) => one.refuseFor === undefined || one.close !== undefined, '"refuseFor" is only valid with close')
