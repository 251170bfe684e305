/**
 * Responses of the control API about the trace of a transaction, as the control port writes them and
 * the pages read them.
 */

export type Arg = { readonly name: string; readonly type: string; readonly value: string }
export type Decoded = { readonly name: string; readonly signature: string; readonly args: readonly Arg[] }

/** A frame as geth's `callTracer` reports it. */
export type Frame = {
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
  readonly calls?: readonly Frame[]
}

export type CallView = Omit<Frame, 'calls'> & {
  readonly label: string | null
  readonly decoded: Decoded | null
  readonly returned: readonly Arg[] | null
  readonly failure: Decoded | null
  /** Whether this is the innermost frame that failed, where the error began. */
  readonly isOrigin: boolean
  /** The source line at which the origin of a failure stopped; null without a fitting source map. */
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

/** The EVM memory before a step: its size in bytes and its first bytes as hex. */
export type StepMemory = { readonly size: number; readonly data: string }

/** A source line; `line` counts from 1. */
export type SourcePlace = { readonly file: string; readonly line: number }

export type StepPage = {
  readonly rows: readonly Step[]
  readonly total: number
  readonly next: number | null
  /** The index of the step at which the transaction failed. */
  readonly failure: number | null
}
