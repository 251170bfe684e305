/**
 * Reads values from the descriptions of keys, as JSON Schema keywords for completion in editors.
 */
import json5 from 'json5'
import type { z } from 'zod'

type JsonSchema = z.core.JSONSchema.BaseSchema
type Json = z.core.util.JSONType

/**
 * Matches a sentence of a description up to its period: `Default: 10.` or `Example: '2s' or '3
 * blocks'.`
 */
const sentence = (word: 'Default' | 'Example') => new RegExp(`\\b${word}: (.+?)\\.(?=\\s|$)`, 's')

/**
 * Returns the values of `Example: A or B.` in a description. Throws `SyntaxError` if one is not
 * JSON5.
 */
export function examplesIn(description: string): readonly Json[] {
  const [, texts] = sentence('Example').exec(description) ?? []
  return texts === undefined ? [] : texts.split(' or ').map((text) => json5.parse<Json>(text))
}

/**
 * Returns the value of `Default: A.` in a description. Returns undefined if the default is not a
 * literal (`Default: the genesis time.`). An unquoted word counts if the schema lists it.
 */
export function defaultIn(description: string, schema: JsonSchema): Json | undefined {
  const [, text = ''] = sentence('Default').exec(description) ?? []
  if (/^(?:true|false|-?\d+(?:\.\d+)?|'[^']*')$/.test(text)) return json5.parse<Json>(text)
  return wordsOf(schema).includes(text) ? text : undefined
}

/** Returns the words that a schema lists, including those in its branches. */
function wordsOf({ enum: words = [], anyOf = [], const: only }: JsonSchema): readonly unknown[] {
  const inBranches = anyOf.flatMap((branch) => (typeof branch === 'object' ? wordsOf(branch as JsonSchema) : []))
  return [...words, ...(only === undefined ? [] : [only]), ...inBranches]
}
