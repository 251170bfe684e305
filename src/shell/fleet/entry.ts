/** Entries of a fleet's log: groups of inputs, and changes of leader. */
import { canonicalJson } from '../../data/canonicalJson.ts'
import { remembered } from '../../data/remembered.ts'
import { parseCanonicalJson } from '../../data/parseCanonicalJson.ts'
import type { Input, InputBody } from '../../plan/input.ts'

/** An entry of the log. Terms of leaders are numbered 1, 2, 3, … */
export type FleetEntry =
  | { readonly kind: 'led'; readonly term: number; readonly member: string }
  | { readonly kind: 'inputs'; readonly term: number; readonly inputs: readonly Stamped[] }

/**
 * An input. `from` is the member that a client or operator gave it to, and the call's number there;
 * ticks of the leader have no `from`.
 */
export type Stamped = { readonly input: Input; readonly from?: CallId }

export type CallId = { readonly member: string; readonly call: number }

/** Returns the text of an entry as written to the log. */
export function fleetEntryText(entry: FleetEntry): string {
  return canonicalJson(entry)
}

/** Parses a text written by `fleetEntryText`. */
export function fleetEntryOf(text: string): FleetEntry {
  return parseCanonicalJson(text) as FleetEntry
}

/**
 * Returns the size of an input as text, in bytes; without its stamp and its call. It is kept, because
 * a write is measured when it comes and again with those that it is sent with.
 */
export const sizeOf = remembered((body: InputBody) => Buffer.byteLength(canonicalJson(body)))

/** The most bytes that the stamp and the call of an input, and what precedes the first, add to its size. */
export const aroundMost = 600
