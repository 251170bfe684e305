/**
 * The file that `chainstage record` writes: a header, then one line for each input with the outputs
 * it caused. Each line is canonical JSON. Replay feeds the inputs to `simulate` and compares the
 * outputs byte for byte.
 */
import type { Input } from '../plan/input.ts'
import type { Output } from '../node/output.ts'

/**
 * The format of new recordings. In format 1, a request for many blocks mined all of them at once;
 * in format 2, each tick mines a few (`node/mining.ts`).
 */
export const recordingFormat = 2

/**
 * The header of a recording. An unknown `format` is refused; `version` is chainstage's, for
 * information only.
 */
export type RecordingHeader = {
  readonly format: 1 | typeof recordingFormat
  readonly version: string
  readonly scenario: string
  /** The scenario and its imports, by file name, so that a replay needs no other file. */
  readonly files: Readonly<Record<string, string>>
  /** Values of the scenario's variables; absent if none were given. */
  readonly vars?: Readonly<Record<string, string>>
  readonly settings: Readonly<Record<string, unknown>>
  readonly seed: string
  /** Digest of all members above; absent in older recordings. */
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

/** One input and its outputs. Every 64th line has a digest of the whole simulation. */
export type RecordingLine = {
  readonly input: Input
  readonly outputs: readonly Output[]
  readonly digest: string | undefined
}
