/** Words the issues of schemas for people who write scenarios, who do not know the schema library. */
import type { z } from 'zod'

const kinds: Readonly<Record<string, string>> = {
  number: 'a number',
  int: 'a whole number',
  string: 'a text',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  boolean: 'true or false',
}

/** The option of a parse that words its issues; a schema with words of its own keeps them. */
export const worded: z.core.ParseContext<z.core.$ZodIssue> = { error: issueText }

/** Returns the message of an issue, or undefined for that of the library. `receivedText` names what came. */
function issueText(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return `expected ${kindOf(issue.expected)}`
    case 'invalid_value': {
      const values = issue.values.map(scalarText)
      return values.length === 1 ? `expected ${values[0]}` : `expected one of ${values.join(', ')}`
    }
    case 'too_big':
      return `expected ${kindOf(issue.origin)} ${issue.inclusive === false ? 'below' : 'of at most'} ${issue.maximum}`
    case 'too_small':
      if (issue.minimum === 1 && issue.origin !== 'number') return `expected ${kindOf(issue.origin)} that is not empty`
      return `expected ${kindOf(issue.origin)} ${issue.inclusive === false ? 'above' : 'of at least'} ${issue.minimum}`
    default:
      return undefined
  }
}

function kindOf(name: string): string {
  return kinds[name] ?? name
}

/** Returns the value that came, for the end of a message: `received "3x"`. */
export function receivedText(value: unknown): string {
  if (value === undefined) return 'received none'
  if (Array.isArray(value)) return value.length === 0 ? 'received an empty list' : 'received a list'
  if (typeof value !== 'object' || value === null) {
    const text = scalarText(value)
    return `received ${text.length > longest ? `${text.slice(0, longest)}…` : text}`
  }
  const keys = Object.keys(value)
  return keys.length === 0 ? 'received an empty object' : `received an object with ${keys.join(', ')}`
}

function scalarText(value: unknown): string {
  return typeof value === 'bigint' ? String(value) : (JSON.stringify(value) ?? String(value))
}

/** The most characters of a value in a message. */
const longest = 80
