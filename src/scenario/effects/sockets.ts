/** Effects on WebSocket connections and their events (`mocks.md` §3.3). */
import { z } from 'zod'
import { closeCodes, closeReason, duration, isCloseCode } from '../shapes.ts'
import { describedEffect } from './descriptor.ts'
import { lag } from './latency.ts'

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
    (code) => code === 1006 || isCloseCode(code),
    `${closeCodes}, or 1006 to break the connection without a close frame`,
  )

/** Holds events back; `backlog` tells what happens to them at the end. */
export const stall = z.union([
  z.literal(true).transform(() => ({ backlog: 'deliver' as const })),
  z.strictObject({ backlog: z.enum(['deliver', 'discard']) }),
])

/** CometBFT's own reason for cancelling a subscription. */
const slowReader = 'client is not pulling messages fast enough'

/** The schema of all effects on WebSocket connections. */
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
        reason: closeReason.optional(),
        mid: z.literal('frame').optional(),
      })
      .optional(),
    refuseFor: lag.meta({ description: 'how long new connections are refused after a close' }).optional(),
    cancelSubscription: z.union([z.literal(true), z.strictObject({ reason: z.string() })]).optional(),
    refuse: z.union([z.literal(true), z.strictObject({ status: z.int().min(400).max(599) })]).optional(),
  })
  .refine((one) => one.refuseFor === undefined || one.close !== undefined, '"refuseFor" is only valid with close')

const ws = describedEffect({
  schema: socketEffect,
  keys: {
    'effect.ws': 'Effect on WebSocket connections and their events. Example: { drop: true }.',
    'ws.drop': 'Drops events. Example: true.',
    'ws.delay': "Delays events. Example: '500ms'.",
    duplicate: 'Sends each event twice, or this many times. Example: true.',
    reorder: 'Changes the order of events. Example: { window: 3 }.',
    window: 'Number of events to shuffle together. Example: 3.',
    stall: 'Holds events back while calls are still answered. Example: true.',
    backlog: "Handling of events held back: deliver or discard. Default: deliver. Example: 'discard'.",
    'effect.ws.close': 'Closes the connections. Example: { code: 1006 }.',
    'close.code':
      'WebSocket close code, 1000 to 1014 or 3000 to 4999; in faults, 1006 breaks the connection without a close frame. ' +
      'Example: 1006.',
    reason: "Close reason, at most 123 bytes. Example: 'maintenance'.",
    mid: "Breaks the connection in the middle of a frame. Example: 'frame'.",
    refuseFor: "Refuses new connections for this long after a close. Example: '5s'.",
    cancelSubscription:
      'Ends the subscription. CometBFT RPC notifies the client; Ethereum JSON-RPC just stops sending. Example: true.',
    'cancelSubscription.reason': "Reason that the client receives. Example: 'client is too slow'.",
    'ws.refuse': 'Refuses the WebSocket handshake, optionally with an HTTP status. Example: { status: 503 }.',
    'refuse.status': 'HTTP status, 400 to 599. Example: 503.',
  },
  stage: 'connection',
  compile: ({ drop, delay: by, duplicate, reorder, stall: held, close, refuseFor, cancelSubscription, refuse }) => [
    ...(by ? [{ type: 'wsDelay', minMs: by.min, maxMs: by.max } as const] : []),
    ...(drop ? [{ type: 'wsDrop' } as const] : []),
    ...(duplicate !== undefined ? [{ type: 'wsDuplicate', copies: duplicate } as const] : []),
    ...(reorder ? [{ type: 'wsReorder', window: reorder.window } as const] : []),
    ...(held ? [{ type: 'wsStall', backlog: held.backlog } as const] : []),
    ...(close
      ? [
          {
            type: 'wsClose',
            code: close.code,
            reason: close.reason ?? '',
            midFrame: close.mid === 'frame',
            refuseFor,
          } as const,
        ]
      : []),
    ...(cancelSubscription
      ? [
          {
            type: 'wsCancel',
            reason: typeof cancelSubscription === 'object' ? cancelSubscription.reason : slowReader,
          } as const,
        ]
      : []),
    ...(refuse ? [{ type: 'wsRefuse', status: refuse === true ? 503 : refuse.status } as const] : []),
  ],
})

export const socketEffects = { ws }
