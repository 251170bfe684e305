/** Adds the descriptions of keys to a JSON Schema. */
import json5 from 'json5'
import type { z } from 'zod'
import { actionKeys } from '../actions/index.ts'
import { effectKeys } from '../effects/index.ts'
import { chainKeys } from './chainKeys.ts'
import { faultKeys } from './faultKeys.ts'
import { stepKeys } from './stepKeys.ts'

/** Descriptions by key, with one or two parent keys if needed. */
export const keyDescriptions: Readonly<Record<string, string>> = {
  ...chainKeys,
  ...faultKeys,
  ...stepKeys,
  ...actionKeys,
  ...effectKeys,
}

/**
 * Describes every property of a schema in place. The default and examples of a description also
 * become schema keywords. If the type has a description (`a duration like '30s'`), it follows the
 * meaning.
 * Returns the entries of `keyDescriptions` that were used.
 */
export function describeKeys(schema: JsonSchema): ReadonlySet<string> {
  const used = new Set<string>()
  const done = new Set<JsonSchema>()
  const visit = (node: JsonSchema | boolean | undefined, above: string, parent: string): void => {
    if (typeof node !== 'object' || done.has(node)) return
    done.add(node)
    const name = node.$ref?.split('/').at(-1)
    if (name !== undefined) visit(schema.$defs?.[name] as JsonSchema | undefined, above, parent)
    for (const [key, each] of Object.entries(node.properties ?? {})) {
      if (typeof each !== 'object') continue
      const entry = [`${above}.${parent}.${key}`, `${parent}.${key}`].find((one) => one in keyDescriptions) ?? key
      const text = keyDescriptions[entry]
      used.add(entry)
      const form = each.description ?? ''
      const value = defaultIn(text ?? '', each as JsonSchema)
      const examples = examplesIn(text ?? '')
      if (value !== undefined) each.default = value
      if (examples.length > 0) each.examples = [...examples]
      each.description = `${text ?? ''}${/^(an?|expected) /.test(form) ? ` Expects ${form}.` : ''}`.trim() || form
      visit(each, parent, key)
    }
    const parts = [node.items, node.additionalProperties, node.anyOf, node.oneOf, node.allOf, node.prefixItems]
    for (const each of parts.flat()) visit(each as JsonSchema | undefined, above, parent)
  }
  visit(schema, '', '')
  return used
}

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
function defaultIn(description: string, schema: JsonSchema): Json | undefined {
  const [, text = ''] = sentence('Default').exec(description) ?? []
  if (/^(?:true|false|-?\d+(?:\.\d+)?|'[^']*')$/.test(text)) return json5.parse<Json>(text)
  return wordsOf(schema).includes(text) ? text : undefined
}

/** Returns the words that a schema lists, including those in its branches. */
function wordsOf({ enum: words = [], anyOf = [], const: only }: JsonSchema): readonly unknown[] {
  const inBranches = anyOf.flatMap((branch) => (typeof branch === 'object' ? wordsOf(branch as JsonSchema) : []))
  return [...words, ...(only === undefined ? [] : [only]), ...inBranches]
}
