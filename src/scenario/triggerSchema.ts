/** Triggers of steps and rules, as scenario files write them. */
import { isExpected } from '../errors.ts'
import { z } from 'zod'
import { parseQuery } from '../feed/parseQuery.ts'
import { count, duration, hexBytes, list, side, strings, who } from './shapes.ts'

/** Returns whether CometBFT RPC accepts a text as a query. */
function isQuery(text: string): boolean {
  try {
    parseQuery(text)
    return true
  } catch (error) {
    if (!isExpected(error)) throw error
    return false
  }
}

const positive = z.int().min(1)

const nth = positive.optional()

/** Calls of clients. */
export const callMatch = z.strictObject({
  iface: side.optional(),
  method: strings.optional(),
  except: strings.optional(),
  transport: z.enum(['http', 'ws']).optional(),
  params: z.unknown().optional(),
  session: z.string().optional(),
  outcome: z.string().meta({ description: 'ok, error, fault, or the name of a fault' }).optional(),
  phase: z.string().optional(),
})

const stages = ['received', 'accepted', 'rejected', 'held', 'replaced', 'included', 'failed', 'evicted'] as const

/** Transactions by stage. */
export const txMatch = z.strictObject({
  stage: z.enum(stages).optional(),
  from: who.optional(),
  to: who.optional(),
  selector: hexBytes(4).optional(),
  msgType: z.string().optional(),
  nonce: count.optional(),
  held: z.string().optional(),
  name: z.string().optional(),
  replaces: z.string().optional(),
})

const topic = z.union([z.null(), who, hexBytes(32), z.int().min(0)])

/** Chain events: a CometBFT RPC query, or logs of contracts. */
export const eventMatch = z.union([
  z.strictObject({
    comet: z.string().refine(isQuery, 'expected a query like "tm.event = \'Tx\'"'),
  }),
  z.strictObject({
    log: z.strictObject({
      contract: who.optional(),
      name: z
        .string()
        .regex(/^\w+\([\w,[\]()]*\)$/, "expected a signature like 'Transfer(address,address,uint256)'")
        .optional(),
      args: z
        .array(topic)
        .max(3)
        .meta({ description: 'indexed arguments in order; null matches any value' })
        .optional(),
    }),
  }),
])

const queries = strings.transform((list) => ({ queries: list }))
const after = z.string().meta({ description: 'id of the step that counting starts with' }).optional()
const connection = z.union([
  z.literal(true).transform(() => ({ iface: undefined, after: undefined })),
  z.strictObject({ iface: side.optional(), after }),
])

/** Clients' connections: opened, closed, subscribed or unsubscribed. */
export const wsMatch = z.union([
  z.strictObject({ open: connection }),
  z.strictObject({ close: connection }),
  z.strictObject({ subscribe: queries, iface: side.optional(), nth }),
  z.strictObject({ unsubscribe: queries, iface: side.optional(), nth }),
])

const simple = [
  z.strictObject({
    height: z.union([positive, z.string().regex(/^\+\d+$/, "expected a height or '+3'")]),
  }),
  z.strictObject({ blocks: count }),
  z.strictObject({ after: duration }),
  z.strictObject({ time: duration }),
  z.strictObject({
    every: duration,
    jitter: duration.optional(),
    count: nth,
    profile: z.enum(['even', 'office-hours']).optional(),
  }),
  z.strictObject({
    eachBlock: z.strictObject({
      from: z
        .string()
        .regex(/^\+\d+$/, "expected '+1'")
        .optional(),
      count: nth,
    }),
  }),
  z.strictObject({ request: callMatch.extend({ nth }), nth }),
  z.strictObject({ tx: txMatch, nth }),
  z.strictObject({ event: eventMatch, nth }),
  z.strictObject({ ws: wsMatch, nth }),
  z.strictObject({ signal: z.string(), orAfter: duration.optional() }),
  z.strictObject({ phase: z.string() }),
  z.strictObject({ step: z.string(), outcome: z.enum(['passed', 'failed']).optional() }),
] as const

type Simple = z.output<(typeof simple)[number]>

export type TriggerFile = Simple | { readonly any: readonly TriggerFile[] } | { readonly all: readonly TriggerFile[] }

export const trigger: z.ZodType<TriggerFile> = z.union([
  ...simple,
  z.strictObject({ any: z.lazy(() => list(trigger)) }),
  z.strictObject({ all: z.lazy(() => list(trigger)) }),
])
