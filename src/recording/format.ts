/**
 * The file that `chainstage record` writes: a header, then one line for each input with the outputs
 * it caused. Each line is canonical JSON; replay feeds the inputs to `simulate` and compares the
 * rest byte for byte.
 */
import type { Input } from '../node/input.ts'
import type { Output } from '../node/output.ts'

/** `format` is refused when unknown; `version` is that of chainstage and only warns. */
export type RecordingHeader = {
  readonly format: 1
  readonly version: string
  readonly scenario: string
  /** The scenario's text with its imports, so that a replay needs no other file. */
  readonly files: Readonly<Record<string, string>>
  /** Values given for vars of the scenario; without it, none. */
  readonly vars?: Readonly<Record<string, string>>
  readonly settings: Readonly<Record<string, unknown>>
  readonly seed: string
}

/** A digest of the whole simulation stands on every 64th line. */
export type RecordingLine = {
  readonly input: Input
  readonly outputs: readonly Output[]
  readonly digest: string | undefined
}
