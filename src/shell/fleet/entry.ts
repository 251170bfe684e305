/** What a stream of a fleet holds: groups of inputs, and who leads from there on. */
import { canonicalJson } from '../../data/canonicalJson.ts'
import { parseCanonicalJson } from '../../data/parseCanonicalJson.ts'
import type { Input } from '../../node/input.ts'

/** Terms of leaders are numbered 1, 2, 3, … */
export type FleetEntry =
  | { readonly kind: 'led'; readonly term: number; readonly member: string }
  | { readonly kind: 'inputs'; readonly term: number; readonly inputs: readonly Stamped[] }

/** `from` is whose client asked, and the number of the call there; time that passes is nobody's. */
export type Stamped = { readonly input: Input; readonly from?: CallId }

export type CallId = { readonly member: string; readonly call: number }

/** Returns the text of an entry. */
export function entryText(entry: FleetEntry): string {
  return canonicalJson(entry)
}

/** Returns the entry of a text that `entryText` made. */
export function entryOf(text: string): FleetEntry {
  return parseCanonicalJson(text) as FleetEntry
}
