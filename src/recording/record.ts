/** Writes what a simulation was given and what it answered, one canonical line at a time. */
import { canonicalJson } from '../data/canonicalJson.ts'
import type { Input } from '../node/input.ts'
import type { Output } from '../node/output.ts'
import type { RecordingHeader, RecordingLine } from './format.ts'

/** A digest of the whole simulation stands on every line whose number is a multiple of this. */
export const digestEvery = 64

/** Returns the first line of a recording, without its line end. */
export function headerLine(header: RecordingHeader): string {
  return canonicalJson(header)
}

/**
 * Returns the line of one input, without its line end. `digest` is asked for on every 64th line
 * only, because it costs a walk over the state.
 */
export function recordLine(input: Input, outputs: readonly Output[], digest: () => string): string {
  const line: RecordingLine = {
    input, outputs, digest: input.seq % digestEvery === 0 ? digest() : undefined,
  }
  return canonicalJson(line)
}
