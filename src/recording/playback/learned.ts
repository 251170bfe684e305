/**
 * Adds answers that a playback has fetched from a node to a recording (`mocks.md` §4.7, mode
 * missing).
 */
import type { Library } from './library.ts'

/**
 * Returns the recording with the fetched answers. Their heads are left out, because today's heights
 * are not those of the recording.
 */
export function withLearned(library: Library, { answers, writes, streams }: Library): Library {
  const keys = new Set([...library.answers.keys(), ...answers.keys()])
  return {
    ...library,
    writes: [...library.writes, ...writes].toSorted((a, b) => a.from - b.from),
    streams: new Map([...streams, ...library.streams]),
    answers: new Map([...keys].map((key) => [key, library.answers.get(key) ?? answers.get(key) ?? []])),
  }
}
