/** Puts the descriptions of keys into a JSON Schema. */
import type { z } from 'zod'
import { chainKeys } from './chainKeys.ts'
import { faultKeys } from './faultKeys.ts'
import { stepKeys } from './stepKeys.ts'

type JsonSchema = z.core.JSONSchema.BaseSchema

/** Descriptions by key, or by parent and key. */
export const keyDescriptions: Readonly<Record<string, string>> = { ...chainKeys, ...faultKeys, ...stepKeys }

/**
 * Describes every property of a schema, in place. A property keeps the form that its type describes
 * (`a duration like '30s'`) behind its meaning. Returns the entries of `keyDescriptions` that were used.
 */
export function describeKeys(schema: JsonSchema): ReadonlySet<string> {
  const used = new Set<string>()
  const done = new Set<JsonSchema>()
  const visit = (node: JsonSchema | boolean | undefined, parent: string): void => {
    if (typeof node !== 'object' || done.has(node)) return
    done.add(node)
    const name = node.$ref?.split('/').at(-1)
    if (name !== undefined) visit(schema.$defs?.[name] as JsonSchema | undefined, parent)
    for (const [key, each] of Object.entries(node.properties ?? {})) {
      if (typeof each !== 'object') continue
      const entry = `${parent}.${key}` in keyDescriptions ? `${parent}.${key}` : key
      const text = keyDescriptions[entry]
      used.add(entry)
      const form = each.description ?? ''
      each.description = `${text ?? ''}${/^(an?|expected) /.test(form) ? ` Expects ${form}.` : ''}`.trim() || form
      visit(each, key)
    }
    for (const each of [node.items, node.additionalProperties].flat()) visit(each as JsonSchema | undefined, parent)
    for (const each of [node.anyOf, node.oneOf, node.allOf, node.prefixItems].flat()) {
      visit(each as JsonSchema | undefined, parent)
    }
  }
  visit(schema, '')
  return used
}
