/** Writes the inputs of a simulation with their outputs, one canonical line per input. */
import { sha256OfText } from '../crypto/hash.ts'
import { canonicalJson } from '../data/canonicalJson.ts'
import type { Input } from '../plan/input.ts'
import type { Output } from '../node/output.ts'
import type { RecordingHeader, RecordingLine } from './format.ts'

/** Each line whose input number is a multiple of this has a digest of the whole simulation. */
export const digestEvery = 64

/** Returns the first line of a recording, sealed by its own digest, without a newline. */
export function headerLine(header: RecordingHeader): string {
  return canonicalJson({ ...header, digest: headerDigest(header) })
}

/** Returns the SHA-256 of a header without its digest. */
export function headerDigest(header: RecordingHeader): string {
  return sha256OfText(canonicalJson({ ...header, digest: undefined }))
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
