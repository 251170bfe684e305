/** Expectations of steps, as scenario files write them. */
import { z } from 'zod'
import { call, count, duration, list, span, strings, who, wei } from './shapes.ts'
import { callMatch, eventMatch, txMatch, wsMatch } from './triggerSchema.ts'

function isPattern(text: string): boolean {
  try {
    return new RegExp(text).source !== ''
  } catch {
    return false
  }
}

/**
 * A client opened a connection again since the step began, or subscribed again to all these
 * queries.
 */
const reconnected = z.union([
  z.strictObject({ reopened: z.literal(true) }),
  z.strictObject({ reconnected: z.literal(true) }),
  z.strictObject({
    resubscribed: strings.refine((queries) => queries.length > 0, 'expected at least one subscription'),
  }),
])

/** Returns whether one of these keys has a value; an expectation without bounds would always hold. */
const hasOne =
  (...keys: readonly string[]) =>
  (one: Readonly<Record<string, unknown>>) =>
    keys.some((key) => one[key] !== undefined)

/** Returns whether at most one of two keys that mean the same has a value. */
const hasNotBoth = (one: string, other: string) => (given: Readonly<Record<string, unknown>>) =>
  given[one] === undefined || given[other] === undefined

/** Returns how many of these conditions have a value; a range with min and max counts too. One of them is checked. */
function conditionsIn(one: Readonly<Record<string, unknown>>, ...keys: readonly string[]): number {
  return keys.filter((key) => one[key] !== undefined).length + (hasOne('min', 'max')(one) ? 1 : 0)
}

const bounds = z
  .strictObject({ min: count.optional(), max: count.optional() })
  .refine(hasOne('min', 'max'), 'expected min or max')
const heights = z
  .strictObject({ min: count.optional(), max: count.optional(), gte: count.optional(), lte: count.optional() })
  .refine(hasOne('min', 'max', 'gte', 'lte'), 'expected min, max, gte or lte')
  .refine(hasNotBoth('min', 'gte'), 'expected min or gte, not both')
  .refine(hasNotBoth('max', 'lte'), 'expected max or lte, not both')
const number = z.union([count, bounds])
const since = z.string().meta({ description: 'id of the step that counting starts with' }).optional()
/** A range of blocks that calls for logs must cover together. */
const block = z.union([count, z.string()])
const covers = z.strictObject({ fromBlock: block, toBlock: block })

const by = z.enum(['all', 'session', 'client+request']).optional()
const within = span.optional()
const path = z.string().optional()
const whole = z.union([z.int(), z.string().regex(/^-?\d+$/, 'expected an integer')]).transform(BigInt)

const statuses = ['pending', 'held', 'included', 'success', 'failed', 'absent'] as const

const pattern = z.string().refine(isPattern, 'expected a regular expression')

/** A path into a result, with the wanted value. */
const result = z
  .strictObject({
    path,
    eq: z.unknown().optional(),
    ne: z.unknown().optional(),
    matches: pattern.optional(),
    min: whole.optional(),
    max: whole.optional(),
  })
  .refine(hasOne('eq', 'ne', 'matches', 'min', 'max'), 'expected eq, ne, matches, min or max')
  .refine(
    (one) => conditionsIn(one, 'eq', 'ne', 'matches') <= 1,
    'expected one of eq, ne, matches, or a range with min and max',
  )

/** Members that the error must have. */
const error = z.strictObject({
  code: z.int().optional(),
  includes: z.string().optional(),
  dataMatches: pattern.optional(),
})

/** Calls and the responses that clients received. */
const given = callMatch
  .omit({ outcome: true, method: true })
  .extend({
    method: strings,
    result: result.optional(),
    error: z.union([z.literal(true).transform(() => ({})), error]).optional(),
    status: z.int().min(200).max(599).optional(),
    nothing: z.literal(true).optional(),
  })
  .refine(
    (one) => [one.result, one.error, one.status, one.nothing].filter((each) => each !== undefined).length === 1,
    'expected one of result (with eq, ne, matches, min or max), error, status or nothing',
  )

/** An amount in the gas denom, another denom, or a token, whose unit the amount may name. */
const worth = z.union([
  wei,
  z.string().regex(/^\d+(\.\d+)?\s*[A-Z][A-Z0-9_-]*$/, "expected an amount like '1.5 evm' or '20 DEMO'"),
])
const balance = z
  .strictObject({
    address: who,
    min: worth.optional(),
    max: worth.optional(),
    equals: worth.optional(),
    denom: z
      .string()
      .regex(/^[a-zA-Z][\w/:.-]{2,127}$/, "expected a denomination like 'atest'")
      .optional(),
    token: z
      .string()
      .regex(/^(0x[0-9a-fA-F]{40}|@?[A-Za-z_][\w.-]*)$/, 'expected a contract like demo')
      .meta({ description: 'an ERC-20 contract, by address or name' })
      .optional(),
  })
  .refine(hasOne('min', 'max', 'equals'), 'expected min, max or equals')
  .refine((one) => conditionsIn(one, 'equals') <= 1, 'expected equals, or a range with min and max')
  .refine(({ denom, token }) => denom === undefined || token === undefined, 'expected denom or token, not both')

type TxFile = { readonly tx: z.output<typeof txMatch> | string; readonly status?: string | undefined }

/**
 * Returns the name or hash of the one transaction whose status is expected, or undefined if
 * transactions of a pattern are counted.
 */
export function oneTxOf({ tx, status }: TxFile): string | undefined {
  if (typeof tx === 'string') return tx
  return status !== undefined && Object.keys(tx).length === 1 ? tx.name : undefined
}

/** Simple expectations; `within` makes one eventual. */
const simple = [
  z.strictObject({
    height: z.union([z.int().min(0), heights]),
    within,
  }),
  z.strictObject({ balance, within }),
  z.strictObject({ fault: z.string(), applied: number, within }),
  z
    .strictObject({
      calls: callMatch.extend({ covers: covers.optional() }),
      since,
      within,
      count: number.optional(),
      more: z.int().min(1).meta({ description: 'minimum number since this step began' }).optional(),
      spacing: z.strictObject({ min: duration, tolerance: duration.optional(), by }).optional(),
      rate: z.strictObject({ max: count, per: duration, by }).optional(),
    })
    .refine(
      (one) =>
        [one.count ?? one.calls.covers, one.more, one.spacing, one.rate].filter((each) => each !== undefined).length ===
        1,
      'expected one of count, more, spacing or rate beside calls, or covers in it, with or without count',
    ),
  z
    .strictObject({
      tx: z.union([z.string(), txMatch]),
      status: z.enum(statuses).optional(),
      count: number.optional(),
      since,
      within,
    })
    .refine(
      (one) => oneTxOf(one) === undefined || (one.count === undefined && one.since === undefined),
      'expected status for one transaction, or count and since for a pattern, not both',
    )
    .refine(
      (one) => one.status === undefined || oneTxOf(one) !== undefined,
      'expected status beside the name or hash of one transaction; a pattern has a stage and count instead',
    ),
  z.strictObject({ event: eventMatch, count: number.optional(), since, within }),
  z.strictObject({ ws: z.union([wsMatch, reconnected]), count: number.optional(), since, within }),
  z.strictObject({ given, count: number.optional(), since, within }),
  z.strictObject({ phase: z.string(), within }),
  z.strictObject({
    digest: z.string().regex(/^[0-9a-f]{64}$/, 'expected 32 bytes of hex'),
    within,
  }),
  z
    .strictObject({
      rpc: call,
      path,
      result: result.optional(),
      equals: z.unknown().optional(),
      differs: z.unknown().optional(),
      min: whole.optional(),
      max: whole.optional(),
      matches: pattern.optional(),
      error: error.optional(),
      within,
    })
    .refine(
      (one) => conditionsIn(one, 'equals', 'differs', 'matches', 'error', 'result') === 1,
      'expected one of equals, differs, matches, error, result, or a range with min and max',
    ),
] as const

type Simple = z.output<(typeof simple)[number]>

export type ExpectationFile =
  | Simple
  | Several
  | { readonly never: ExpectationFile; readonly for: z.output<typeof span> }

type Several = {
  readonly any?: readonly ExpectationFile[] | undefined
  readonly all?: readonly ExpectationFile[] | undefined
  readonly within?: z.output<typeof span> | undefined
}

const several = z.lazy(() => list(expectation)).refine((of) => of.length > 0, 'expected at least one expectation')

export const expectation: z.ZodType<ExpectationFile> = z.union([
  ...simple,
  z.strictObject({ any: several, within }),
  z.strictObject({ all: several, within }),
  z.strictObject({ never: z.lazy(() => expectation), for: span }),
])
