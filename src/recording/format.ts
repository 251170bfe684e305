/**
 * The file that `chainstage record` writes: a header, then one line for each input with the outputs
 * it caused. Each line is canonical JSON; replay feeds the inputs to `simulate` and compares the
 * rest byte for byte.
 */
import type { Input } from '../node/input.ts'
import type { Output } from '../node/output.ts'

/**
 * The format that is written. In format 1 a request for many blocks mined them all at once; in
 * format 2 each tick mines a few of them (`node/mining.ts`).
 */
export const recordingFormat = 2

/** `format` is refused when unknown; `version` is that of chainstage, for people. */
export type RecordingHeader = {
  readonly format: 1 | typeof recordingFormat
  readonly version: string
  readonly scenario: string
  /** The scenario's text with its imports, so that a replay needs no other file. */
  readonly files: Readonly<Record<string, string>>
  /** Values given for vars of the scenario; without it, none. */
  readonly vars?: Readonly<Record<string, string>>
  readonly settings: Readonly<Record<string, unknown>>
  readonly seed: string
  /** Of all of the above; older recordings have none. */
  readonly digest?: string
}

/** The members of a header. */
export const headerMembers: ReadonlySet<string> = new Set<keyof RecordingHeader>([
  'format',
  'version',
  'scenario',
  'files',
  'vars',
  'settings',
  'seed',
  'digest',
])

/** A digest of the whole simulation stands on every 64th line. */
export type RecordingLine = {
  readonly input: Input
  readonly outputs: readonly Output[]
  readonly digest: string | undefined
}
