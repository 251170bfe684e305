/** Describes the differences between two recordings (`mocks.md` §4.4). */
import type { Answer } from '../../node/answer.ts'
import { sameAnswer, type HeldAnswer, type Library } from '../playback/library.ts'
import { placeOf } from './places.ts'

export type Differences = {
  /** Calls that only the first or only the second recording has. */
  readonly onlyFirst: readonly string[]
  readonly onlySecond: readonly string[]
  readonly changed: readonly Changed[]
}

/** The first answer to a call that differs; `from` is the height since which each answer holds. */
export type Changed = { readonly key: string; readonly first: Said; readonly second: Said }
export type Said = { readonly from: number; readonly text: string } | undefined

/** Returns the differences between two recordings, sorted by call. Streams count as calls. */
export function differencesOf(first: Library, second: Library): Differences {
  const [a, b] = [first, second].map(({ answers, streams }) => new Set([...answers.keys(), ...streams.keys()]))
  const only = (one: ReadonlySet<string> | undefined, other: ReadonlySet<string> | undefined) =>
    [...(one ?? [])].filter((key) => other?.has(key) !== true).toSorted()
  const both = [...(a ?? [])].filter((key) => b?.has(key) === true).toSorted()
  return {
    onlyFirst: only(a, b),
    onlySecond: only(b, a),
    changed: both.flatMap((key) => changeOf(key, first, second) ?? []),
  }
}

function changeOf(key: string, first: Library, second: Library): Changed | undefined {
  const [held, other] = [answersTo(first, key), answersTo(second, key)]
  for (let index = 0; index < Math.max(held.length, other.length); index++) {
    const [one, two] = [held[index], other[index]]
    if (one !== undefined && two !== undefined && sameAnswer(one.answer, two.answer)) continue
    return { key, first: said(first, one), second: said(second, two) }
  }
  return undefined
}

/** Returns the answers to a call; the events of a stream count as answers. */
function answersTo({ answers, streams }: Library, key: string): readonly HeldAnswer[] {
  const events = streams.get(key) ?? []
  return answers.get(key) ?? events.map(({ at, text }) => ({ since: at, answer: { ok: true, text }, count: 1 }))
}

function said(library: Library, held: HeldAnswer | undefined): Said {
  return held === undefined ? undefined : { from: placeOf(library, held.since).height, text: shortly(held.answer) }
}

/** Returns an answer as one line of at most 160 characters. */
function shortly(answer: Answer): string {
  if (answer.ok === undefined) return 'nothing'
  const text = answer.ok ? answer.text : `error ${answer.error.code}: ${answer.error.message}`
  return text.length <= 160 ? text : `${text.slice(0, 157)}…`
}
