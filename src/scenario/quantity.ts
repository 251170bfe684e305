/** Texts with units as parts of a schema: what they mean, or what was expected. */
import { z } from 'zod'
import { blockCount, durationMs, ratio } from './units.ts'

/** Returns a schema of a text that a unit parser understands, turned into what it means. */
export function quantity<Value>(parse: (text: string) => Value | undefined, expected: string) {
  return z.string().transform((text, context) => {
    const value = parse(text)
    if (value === undefined) {
      context.addIssue({ code: 'custom', message: `expected ${expected}, received "${text}"` })
      return z.NEVER
    }
    return value
  }).meta({ description: expected })
}

export const duration = quantity(durationMs, "a duration like '1500ms', '30s' or '14d'")
export const blocks = quantity(blockCount, "a number of blocks like '3 blocks'")
export const odds = quantity(ratio, "a ratio like '1/5', at most 1")

/** How far behind: a time or a number of blocks. */
export const lag = z.union([
  duration.transform((count) => ({ unit: 'ms' as const, count })),
  blocks.transform((count) => ({ unit: 'blocks' as const, count })),
])
