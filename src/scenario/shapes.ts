/** Shapes that several parts of a scenario file share: quantities with units, names and lists. */
import { z } from 'zod'
import { amount, blockCount, durationMs, ratio } from './units.ts'
import { sideNames } from '../settings/side.ts'
import { utf8Of } from '../data/utf8.ts'
import { maxUint256 } from '../codec/goIntegers.ts'

/** A text with a unit, converted by `parse`. */
function quantity<Value>(parse: (text: string) => Value | undefined, expected: string) {
  return z
    .string({
      error: ({ input }) => (input === undefined ? undefined : `expected ${expected}, received ${kindOf(input)}`),
    })
    .transform((text, context) => {
      const value = parse(text)
      if (value === undefined) {
        context.addIssue({ code: 'custom', message: `expected ${expected}, received "${text}"` })
        return z.NEVER
      }
      return value
    })
    .meta({ description: expected })
}

/** Returns the amount of a text (`amount`); undefined if 256 bits cannot hold it. */
function amountOfCoin(text: string): bigint | undefined {
  const found = amount(text)
  return found === undefined || found > maxUint256 ? undefined : found
}

/** Returns a number as it is, and the kind of any other value. */
function kindOf(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'bigint') return String(value)
  return value === null ? 'null' : Array.isArray(value) ? 'a list' : `the type ${typeof value}`
}

export const duration = quantity(durationMs, "a duration like '1500ms', '30s' or '14d'")
export const blocks = quantity(blockCount, "a number of blocks like '3 blocks'")
export const wei = quantity(amountOfCoin, "an amount like '1.5 evm', '3 gwei' or '1000atest'")
export const odds = quantity(ratio, "a ratio like '1/5', at most 1")
export const count = z.int().min(0)
export const hexData = z.string().regex(/^0x([0-9a-fA-F]{2})*$/, 'expected 0x hex')
export const hexBytes = (bytes: number) =>
  z.string().regex(new RegExp(`^0x[0-9a-fA-F]{${bytes * 2}}$`), `expected ${bytes} bytes of 0x hex`)

/** An account: its address, or its name after an @. */
export const who = z
  .string()
  .regex(/^(0x[0-9a-fA-F]{40}|@[\w.-]+)$/, 'expected 20 bytes of 0x hex, or a name like @alice')

/** A multiple of the current value. */
export const multiple = z
  .string()
  .regex(/^x\d{1,9}$/, "expected a multiple like 'x12'")
  .transform((text) => ({ times: BigInt(text.slice(1)) }))

/** A duration, or a number of blocks. */
export const span = z.union([duration.transform((ms) => ({ ms })), blocks.transform((height) => ({ blocks: height }))])

/** A path into a result, as a JSON pointer (RFC 6901). */
export const pointer = z.string().regex(/^(\/[^/]*)*$/, "expected a JSON pointer like '/logs/3'")

export const side = z.enum(sideNames)
export const strings = z.union([z.string().transform((one) => [one]), z.array(z.string())])

/** A call that the scenario itself makes. */
export const call = z.strictObject({
  iface: side,
  method: z.string(),
  params: z.unknown().optional(),
})

/** Returns whether a WebSocket may send a close code (RFC 6455 §7.4). */
export function isCloseCode(code: number): boolean {
  return code < 3000 ? code >= 1000 && code <= 1014 && ![1004, 1005, 1006].includes(code) : code <= 4999
}

export const closeCodes = 'expected a close code (1000 to 1003, 1007 to 1014, 3000 to 4999)'

export const closeReason = z.string().refine((text) => utf8Of(text).length <= 123, 'expected at most 123 bytes')

/** One item or a list of items; the result is always a list. */
export const list = <Shape extends z.ZodType>(shape: Shape) =>
  z.union([z.array(shape), shape.transform((one) => [one])])

/** An action with late expressions, as JSON text. */
export type LateAction = { readonly json: string }

const made = new WeakSet<object>()

/**
 * Returns the mark of a late action. Files cannot contain one, because marks are recognized by
 * identity.
 */
export function lateAction(json: string): LateAction {
  const one = { json }
  made.add(one)
  return one
}

export const lateMark = z.custom<LateAction>((value) => typeof value === 'object' && value !== null && made.has(value))

/** The key of actions that marks late ones; it never appears in files. */
export const lateKey = 'late'
