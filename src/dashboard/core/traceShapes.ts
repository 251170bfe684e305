/** Responses of the control API about the trace of a transaction. */
import type { Arg, Decoded } from './shapes.ts'

export type CallView = {
  readonly type: string
  readonly from: string
  readonly to?: string
  readonly value?: string
  readonly gas: string
  readonly gasUsed: string
  readonly input: string
  readonly output?: string
  readonly error?: string
  readonly revertReason?: string
  readonly label: string | null
  readonly decoded: Decoded | null
  readonly returned: readonly Arg[] | null
  readonly failure: Decoded | null
  readonly isOrigin: boolean
  /** The source line where the failing frame stopped. */
  readonly source: SourcePlace | null
  readonly calls: readonly CallView[]
}

export type Changed = {
  readonly address: string
  readonly label: string | null
  readonly changes: readonly { readonly field: string; readonly before: string | null; readonly after: string | null }[]
}

export type Step = {
  readonly index: number
  readonly pc: number
  readonly op: string
  readonly gas: number
  readonly gasCost: number
  readonly depth: number
  readonly stack?: readonly string[]
  readonly error?: string
  readonly source: SourcePlace | null
}

/** A source line; `line` counts from 1. */
export type SourcePlace = { readonly file: string; readonly line: number }

export type StepPage = {
  readonly rows: readonly Step[]
  readonly total: number
  readonly next: number | null
  /** The index of the step at which the transaction failed. */
  readonly failure: number | null
}
