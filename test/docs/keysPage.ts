/** The page of every key of scenarios and faults, from the JSON Schema that editors use. */
import { scenarioJsonSchema } from '../../src/scenario/jsonSchema.ts'

/** Keys by the key whose object has them; the top of a file is the empty text. */
export type Keys = ReadonlyMap<string, ReadonlyMap<string, string>>

type Node = Readonly<Record<string, unknown>>

/** Returns every key of the scenario format with its description, in the order of the schema. */
export function scenarioKeys(): Keys {
  const schema = scenarioJsonSchema() as Node
  const found = new Map<string, Map<string, string>>()
  const visited = new Set<string>()
  const visit = (node: unknown, parent: string): void => {
    if (typeof node !== 'object' || node === null) return
    if (Array.isArray(node)) {
      for (const one of node) visit(one, parent)
      return
    }
    const { $ref, properties, default: _default, examples: _examples, $defs: _defs, ...rest } = node as Node
    if (typeof $ref === 'string' && !visited.has(`${parent} ${$ref}`)) {
      visited.add(`${parent} ${$ref}`)
      visit((schema['$defs'] as Node)[$ref.split('/').at(-1) ?? ''], parent)
    }
    const keys = found.get(parent) ?? new Map<string, string>()
    for (const [key, one] of Object.entries((properties ?? {}) as Readonly<Record<string, Node>>)) {
      found.set(parent, keys.set(key, keys.get(key) ?? String(one['description'])))
      visit(one, key)
    }
    for (const one of Object.values(rest)) visit(one, parent)
  }
  visit(schema, '')
  return found
}

const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('<', '&lt;')

/** Puts the examples and forms of a description into code, where `$`, `*` and braces stay as they are. */
function meaning(description: string): string {
  const example = /\bExample: (.+?)\.(?=\s|$)/s.exec(description)
  const text = description
    .replace(example?.[0] ?? '', '')
    .replaceAll(/ {2,}/g, ' ')
    .trim()
  const plain = cell(text).replaceAll(/[*_]/g, '\\$&').replaceAll(/\$\{/g, '$\\{')
  return `${plain} | ${example === null ? '' : `\`${(example[1] ?? '').replaceAll('|', '\\|')}\``}`
}

/** Returns the page with a table for each key that contains others. */
export function keysText(): string {
  const sections = [...scenarioKeys()].map(([parent, keys]) => {
    const rows = [...keys].map(([key, description]) => `| \`${key}\` | ${meaning(description)} |`)
    const heading = parent === '' ? '## Top of the file' : `## ${parent}`
    return `${heading}\n\n| key | meaning | example |\n|---|---|---|\n${rows.join('\n')}`
  })
  return `# Keys of scenarios and faults

This page lists every key of the scenario format, by the key that contains it. Editors show the same texts from the JSON Schema. [Scenario format](scenario.md) and
[faults](faults.md) introduce the parts.

${sections.join('\n\n')}
`
}
