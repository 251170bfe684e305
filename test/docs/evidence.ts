/** Recorded requests that show a quirk, for tables of the documentation. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import json5 from 'json5'
import { root } from '../helpers/packed.ts'

/** Returns a text as a cell of a table. */
export const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('<', '&lt;')

/** Recorded requests by the quirk that changes their responses, then by file. */
const differing = json5.parse<Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>>(
  readFileSync(join(root, 'test/golden/saneDifferences.json5'), 'utf8'),
)

/** Returns how many recorded requests show a quirk, and the first of them. */
export function evidenceOf(name: string): string {
  const cases = Object.values(differing[name] ?? {}).flat()
  const [first] = cases
  return first === undefined ? '' : `${cases.length}: ${cell(first)}${cases.length > 1 ? ', …' : ''}`
}
