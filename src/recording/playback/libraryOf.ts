/** Builds a recording from the traffic that was seen. */
import { waitedFor, type NotedAsk } from './asks.ts'
import { causesOf } from './causes.ts'
import { headTimes, madeAt, momentBetween, type HeightSeen, tenths } from './headTimes.ts'
import { countUpTo, heightIn, type Head, type Library, type Run, type StreamEvent, type Write } from './library.ts'
import { createNonces } from './nonces.ts'
import { heldOf } from './since.ts'

/** An event that a subscription or filter, `source`, received. */
export type Told = {
  readonly source: string
  readonly at: number
  readonly text: string
  /**
   * Only for pushed events: the height of their block, or 0, and the time of the connection's last
   * response.
   */
  readonly pushed?: { readonly height: number; readonly after: number }
}

/** All traffic seen, ordered by time. */
export type Sightings = {
  readonly startsAt: number
  readonly seen: ReadonlyMap<string, readonly Run[]>
  readonly writes: readonly Write[]
  readonly asks: readonly NotedAsk[]
  readonly streams: ReadonlyMap<string, readonly Told[]>
  /** Heights as they became known, ascending, and heights that answers named as the head. */
  readonly heads: { readonly known: readonly HeightSeen[]; readonly tips: readonly HeightSeen[] }
}

/** Returns the recording of the traffic, in time linear in its size. */
export function libraryOf({ startsAt, seen, writes, asks, streams, heads: { known, tips } }: Sightings): Library {
  const causes = causesOf(seen, writes, streams.values())
  const sentBefore = new Map(
    causes.taken.flatMap(({ height, from }) => (height === undefined ? [] : [[height, from] as const])),
  )
  const heads = headTimes(known, tips, sentBefore)
  const changes = { heads, causes }
  const withSteps = createNonces(causes.taken, heads)
  const answers = [...seen].map(([key, list]) => [key, withSteps(key, heldOf(key, list, changes))] as const)
  return {
    startsAt,
    heads,
    answers: new Map(answers),
    writes: writes.toSorted((a, b) => a.from - b.from),
    asks: waitedFor(asks),
    streams: new Map([...streams].map(([key, events]) => [key, onceEach(events, key, heads)])),
  }
}

/**
 * Returns each event once, at the time of its block. Subscriptions with the same key share a
 * stream.
 */
function onceEach(events: readonly Told[], key: string, known: readonly Head[]): readonly StreamEvent[] {
  const isPolled = key.includes('Filter ')
  const owner = new Map<string, string>()
  const behind = isPolled ? behindOf(events) : []
  const once: StreamEvent[] = []
  for (const [index, event] of events.entries()) {
    const { source, at, text } = event
    const first = owner.get(text) ?? source
    owner.set(text, first)
    if (first !== source) continue
    const fromEnd = behind[index] ?? 0
    const polled = () => blockTime(known, { at, fromEnd, height: heightIn(text) })
    once.push({ at: isPolled ? polled() : pushTime(known, event), text })
  }
  return once.toSorted((a, b) => a.at - b.at)
}

/**
 * Returns the time of a pushed event. A late event is moved back to its block, so that no call is
 * answered from the block first. It stays after the connection's previous response.
 */
function pushTime(known: readonly Head[], { at, pushed: { height, after } = { height: 0, after: 0 } }: Told): number {
  const made = height === 0 ? at : Math.min(at, madeAt(known, height) ?? at)
  return made > after ? made : tenths(momentBetween(after, at))
}

/** Returns for each event the number of later events in the same poll. */
function behindOf(events: readonly Told[]): readonly number[] {
  const polls = new Map<string, number>()
  return events
    .toReversed()
    .map(({ source, at }) => {
      const poll = `${at} ${source}`
      const count = polls.get(poll) ?? 0
      polls.set(poll, count + 1)
      return count
    })
    .toReversed()
}

type Polled = { readonly at: number; readonly fromEnd: number; readonly height: number }

/**
 * Returns the time of a polled event. Block hashes name no height, so the last hash of a poll
 * belongs to the last block before the poll.
 */
function blockTime(known: readonly Head[], { at, fromEnd, height }: Polled): number {
  const before = countUpTo(known, at, (one) => one.at)
  const after = countUpTo(known, height - 1, (one) => one.height)
  const block = height === 0 ? known[before - 1 - fromEnd] : after < before ? known[after] : undefined
  return block?.at ?? at
}
