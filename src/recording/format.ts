/**
 * The file that `chainstage record` writes: a header, then one line for each input with the outputs
 * it caused. Each line is canonical JSON. Replay feeds the inputs to `simulate` and compares the
 * outputs byte for byte.
 */
import type { Input } from '../plan/input.ts'
import type { Output } from '../node/output.ts'
import { sha256Hex } from '../crypto/hash.ts'
import { canonicalJson } from '../data/canonicalJson.ts'

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

/** Each line whose input number is a multiple of this has a digest of the whole simulation. */
export const digestEvery = 64

/** Returns the first line of a recording, sealed by its own digest, without a newline. */
export function headerLine(header: RecordingHeader): string {
  return canonicalJson({ ...header, digest: headerDigest(header) })
}

/** Returns the SHA-256 of a header without its digest. */
export function headerDigest(header: RecordingHeader): string {
  return sha256Hex(canonicalJson({ ...header, digest: undefined }))
}

/**
 * Returns the line of one input, without a newline. `digest` is called only every 64th line,
 * because it walks the whole state.
 */
export function recordLine(input: Input, outputs: readonly Output[], digest: () => string): string {
  const line: RecordingLine = {
    input,
    outputs,
    digest: input.seq % digestEvery === 0 ? digest() : undefined,
  }
  return canonicalJson(line)
}
