/** Values out of the descriptions of keys, as JSON Schema keywords: editors offer them while a user types. */
import json5 from 'json5'
import type { z } from 'zod'

type JsonSchema = z.core.JSONSchema.BaseSchema
type Json = z.core.util.JSONType

/** A sentence of a description up to its full stop: `Default: 10.` or `Example: '2s' or '3 blocks'.` */
const sentence = (word: 'Default' | 'Example') => new RegExp(`\\b${word}: (.+?)\\.(?=\\s|$)`, 's')

/** Returns the values of `Example: A or B.` in a description. Throws a SyntaxError where one is not JSON5. */
export function examplesIn(description: string): readonly Json[] {
  const [, texts] = sentence('Example').exec(description) ?? []
  return texts === undefined ? [] : texts.split(' or ').map((text) => json5.parse<Json>(text))
}

/**
 * Returns the value of `Default: A.` in a description, or undefined where the default depends on something
 * else (`Default: the genesis time.`). A bare word counts if it is one of the words that the schema allows.
 */
export function defaultIn(description: string, schema: JsonSchema): Json | undefined {
  const [, text = ''] = sentence('Default').exec(description) ?? []
  if (/^(?:true|false|-?\d+(?:\.\d+)?|'[^']*')$/.test(text)) return json5.parse<Json>(text)
  return wordsOf(schema).includes(text) ? text : undefined
}

/** Returns the words that a schema lists, in its branches too. */
function wordsOf({ enum: words = [], anyOf = [], const: only }: JsonSchema): readonly unknown[] {
  const inBranches = anyOf.flatMap((branch) => (typeof branch === 'object' ? wordsOf(branch as JsonSchema) : []))
  return [...words, ...(only === undefined ? [] : [only]), ...inBranches]
}
