/**
 * The shape of CometBFT's query language (`comet-rpc.md` §4.1): conditions joined by AND. Parsing
 * and matching stand beside it in this folder.
 */
import type { Time } from '../data/time.ts'

export type CometQuery = { readonly conditions: readonly Condition[] }

export type Condition = {
  readonly tag: string
  readonly operator: '=' | '<' | '<=' | '>' | '>=' | 'CONTAINS' | 'EXISTS'
  readonly operand: Operand | undefined
}

/** A number keeps its text, because only digits before a dot count in some places (§4.3). */
export type Operand =
  | { readonly type: 'string'; readonly value: string }
  | { readonly type: 'number'; readonly text: string }
  | { readonly type: 'time' | 'date'; readonly value: Time; readonly text: string }
