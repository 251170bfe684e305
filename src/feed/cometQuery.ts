/**
 * A query in CometBFT's query language (`comet-rpc.md` §4.1): conditions joined by AND.
 * `parseQuery.ts` parses it, `matchQuery.ts` matches it.
 */
import type { Time } from '../data/time.ts'

export type CometQuery = { readonly conditions: readonly Condition[] }

export type Condition = {
  readonly tag: string
  readonly operator: '=' | '<' | '<=' | '>' | '>=' | 'CONTAINS' | 'EXISTS'
  readonly operand: Operand | undefined
}

/** A number is kept as text, because in some places only the digits before the dot count (§4.3). */
export type Operand =
  | { readonly type: 'string'; readonly value: string }
  | { readonly type: 'number'; readonly text: string }
  | { readonly type: 'time' | 'date'; readonly value: Time; readonly text: string }
