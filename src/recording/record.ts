/** Writes what a simulation was given and what it answered, one canonical line at a time. */
import { sha256OfText } from '../crypto/hash.ts'
import { canonicalJson } from '../data/canonicalJson.ts'
import type { Input } from '../node/input.ts'
import type { Output } from '../node/output.ts'
import type { RecordingHeader, RecordingLine } from './format.ts'

/** A digest of the whole simulation stands on every line whose number is a multiple of this. */
export const digestEvery = 64

/** Returns the first line of a recording, sealed by its own digest, without its line end. */
export function headerLine(header: RecordingHeader): string {
  return canonicalJson({ ...header, digest: headerDigest(header) })
}

/** Returns the SHA-256 of what a header says besides its digest. */
export function headerDigest(header: RecordingHeader): string {
  return sha256OfText(canonicalJson({ ...header, digest: undefined }))
}

/**
 * Returns the line of one input, without its line end. `digest` is asked for on every 64th line
 * only, because it costs a walk over the state.
 */
export function recordLine(input: Input, outputs: readonly Output[], digest: () => string): string {
  const line: RecordingLine = {
    input,
    outputs,
    digest: input.seq % digestEvery === 0 ? digest() : undefined,
  }
  return canonicalJson(line)
}
