/** Makes what a recording knows of what was seen. */
import {
  accountsIn, countUpTo, heightIn, heldOf, type Ask, type Head, type Library, type Run,
  type StreamEvent, type Times, type Write,
} from './library.ts'

/** What a subscription or filter, `source`, was told. */
export type Told = { readonly source: string; readonly at: number; readonly text: string }

/** Everything that was seen, in order of time. */
export type Sightings = {
  readonly startsAt: number
  readonly seen: ReadonlyMap<string, readonly Run[]>
  readonly writes: readonly Write[]
  readonly asks: readonly Ask[]
  readonly streams: ReadonlyMap<string, readonly Told[]>
  /** Heads as they became known, rising. */
  readonly known: readonly Head[]
}

/** Returns the recording of what was seen, in time linear in it. */
export function libraryOf({ startsAt, seen, writes, asks, streams, known }: Sightings): Library {
  const blocks = known.map(({ at }) => at).toSorted((a, b) => a - b)
  const bounds = [...blocks, ...writes.map(({ ready }) => ready)].toSorted((a, b) => a - b)
  const sent = writes.map(({ from }) => from).toSorted((a, b) => a - b)
  const times: Times = { blocks, bounds, heads: known, sent, causes: causesOf(seen, writes) }
  return {
    startsAt, heads: known,
    answers: new Map([...seen].map(([key, list]) => [key, heldOf(key, list, times)])),
    writes: writes.toSorted((a, b) => a.from - b.from),
    asks: asks.toSorted((a, b) => a.at - b.at),
    streams: new Map([...streams].map(([key, events]) => [key, onceEach(events, key, known)])),
  }
}

/** A write that was taken tells of accounts in what it sent and in its receipt. */
function causesOf(seen: Sightings['seen'], writes: readonly Write[]): Times['causes'] {
  const asked = new Set([...seen.keys()].flatMap(accountsIn))
  const causes = new Map<string, number[]>()
  for (const { key, from, answer } of writes.toSorted((a, b) => a.from - b.from)) {
    if (answer.ok !== true) continue
    const receipts = seen.get(`eth eth_getTransactionReceipt [${answer.text}]`) ?? []
    const text = key + receipts.map((one) => (one.answer.ok === true ? one.answer.text : ''))
      .join('')
    for (const account of toldOf(text, asked)) {
      const list = causes.get(account) ?? []
      causes.set(account, list)
      list.push(from)
    }
  }
  return causes
}

function toldOf(text: string, asked: ReadonlySet<string>): ReadonlySet<string> {
  const told = new Set<string>()
  for (const [digits] of text.matchAll(/[0-9a-f]{40,}/g)) {
    for (let at = 0; at + 40 <= digits.length; at++) {
      const account = digits.slice(at, at + 40)
      if (asked.has(account)) told.add(account)
    }
  }
  return told
}

/** What two subscriptions of one kind heard is one stream. Polled changes came with their block. */
function onceEach(
  events: readonly Told[], key: string, known: Sightings['known'],
): readonly StreamEvent[] {
  const isPolled = key.includes('Filter ')
  const owner = new Map<string, string>()
  const behind = isPolled ? behindOf(events) : []
  const once: StreamEvent[] = []
  for (const [index, { source, at, text }] of events.entries()) {
    const first = owner.get(text) ?? source
    owner.set(text, first)
    if (first !== source) continue
    const fromEnd = behind[index] ?? 0
    once.push(
      { at: isPolled ? blockTime(known, { at, fromEnd, height: heightIn(text) }) : at, text }
    )
  }
  return once.toSorted((a, b) => a.at - b.at)
}

/** Returns for each event how many came after it in the same poll. */
function behindOf(events: readonly Told[]): readonly number[] {
  const polls = new Map<string, number>()
  return events.toReversed().map(({ source, at }) => {
    const poll = `${at} ${source}`
    const count = polls.get(poll) ?? 0
    polls.set(poll, count + 1)
    return count
  }).toReversed()
}

type Polled = { readonly at: number; readonly fromEnd: number; readonly height: number }

/** Hashes of blocks say no height: the last of a poll came with the last block before it. */
function blockTime(known: Sightings['known'], { at, fromEnd, height }: Polled): number {
  const before = countUpTo(known, at, (one) => one.at)
  const after = countUpTo(known, height - 1, (one) => one.height)
  const block = height === 0
    ? known[before - 1 - fromEnd]
    : after < before
    ? known[after]
    : undefined
  return block?.at ?? at
}
