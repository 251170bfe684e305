/**
 * What a playback has learned from a node beside what was recorded (`mocks.md` §4.7, mode
 * missing).
 */
import type { Library } from './library.ts'

/** Returns both; heights that a node tells of today are not those of the recording. */
export function withLearned(library: Library, { answers, writes, streams }: Library): Library {
  const keys = new Set([...library.answers.keys(), ...answers.keys()])
  return {
    ...library,
    writes: [...library.writes, ...writes].toSorted((a, b) => a.from - b.from),
    streams: new Map([...streams, ...library.streams]),
    answers: new Map([...keys].map((key) => [key, library.answers.get(key) ?? answers.get(key) ?? []])),
  }
}
