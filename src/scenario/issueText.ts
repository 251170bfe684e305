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

const bounds: Readonly<Record<string, string>> = {
  '<=': 'of at most',
  '>=': 'of at least',
  '<': 'below',
  '>': 'above',
}

/** Returns the message of an issue without the type that came; `receivedText` has more to say about it. */
export function issueText({ message }: z.core.$ZodIssue): string {
  return message
    .replace(/^(?:Invalid (?:input|option|string)|Too (?:big|small)): /, '')
    .replace(/^(expected \w+), received \w+$/, '$1')
    .replace(/^expected (\w+)(?= to |$)/, (text, kind: string) => (kind in kinds ? `expected ${kinds[kind]}` : text))
    .replace(/ to be ([<>]=?)/, (_, bound: string) => ` ${bounds[bound]} `)
    .replace(/^expected a (text|list) to have >=1 \w+$/, 'expected a $1 that is not empty')
    .replace(/ to have ([<>]=?)/, (_, bound: string) => ` ${bounds[bound]} `)
    .replaceAll('"|"', '", "')
}

/** Returns the value that came, for the end of a message: `received "3x"`. */
export function receivedText(value: unknown): string {
  if (value === undefined) return 'received none'
  if (Array.isArray(value)) return value.length === 0 ? 'received an empty list' : 'received a list'
  if (typeof value !== 'object' || value === null) {
    const text = typeof value === 'bigint' ? String(value) : (JSON.stringify(value) ?? String(value))
    return `received ${text.length > longest ? `${text.slice(0, longest)}…` : text}`
  }
  const keys = Object.keys(value)
  return keys.length === 0 ? 'received an empty object' : `received an object with ${keys.join(', ')}`
}

const longest = 80
