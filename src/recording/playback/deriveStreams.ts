/** Gives the events of streams: recorded ones, and those that recorded blocks reveal (`mocks.md` §4.5). */
import { boundedCache } from '../../data/boundedCache.ts'
import { callKey, keyParts } from './callKey.ts'
import { cometEvents, type ResultOf } from './deriveEvents.ts'
import { createLookup } from './derive.ts'
import { heightAt } from './headTimes.ts'
import { countUpTo, heightIn, type Library, type NoteSource, type StreamEvent } from './library.ts'
import { itemTexts, memberTexts } from './slice.ts'

/**
 * Returns the events of a stream. Returns undefined if the stream was not recorded, and blocks are
 * missing or cannot reveal its events.
 */
export type EventsOf = (key: string) => readonly StreamEvent[] | undefined

/** An event and the height of its block. */
type Placed = StreamEvent & { readonly height: number }

/** Returns a function that gives the events of streams. It reads blocks on first use. */
export function createEventsOf(library: Library, note: NoteSource): EventsOf {
  const lookup = createLookup(library.answers, note)
  const known = boundedCache<Events>(charactersMost, weightOf)
  function eventsOf(key: string): Events {
    const read: string[] = []
    const resultOf: ResultOf = (source) => {
      read.push(source)
      const answer = lookup(source)?.at(-1)?.answer
      return answer?.ok === true && answer.text !== 'null' ? answer.text : undefined
    }
    const events = ofKey(library, key, resultOf)
    // Recorded events that nothing completes need no blocks.
    if (events !== undefined && events !== library.streams.get(key)) for (const source of read) note(source)
    return { events }
  }
  return (key) => {
    const before = known.get(key)
    if (before !== undefined) return before.events
    const found = eventsOf(key)
    known.set(key, found)
    return found.events
  }
}

type Events = { readonly events: readonly StreamEvent[] | undefined }

/** Maximum number of characters of events in the cache. */
const charactersMost = 256_000_000

function weightOf({ events = [] }: Events): number {
  return events.reduce((sum, { text }) => sum + 100 + text.length, 1000)
}

function ofKey(library: Library, key: string, resultOf: ResultOf): readonly StreamEvent[] | undefined {
  const revealed = revealedBy(library, key, resultOf)
  return revealed === undefined ? library.streams.get(key) : completed(library, key, revealed)
}

type OfHeight = (height: number) => readonly string[] | undefined

/** Returns the events of all blocks, or undefined if one is missing or cannot reveal them. */
function revealedBy({ heads }: Library, key: string, resultOf: ResultOf): readonly Placed[] | undefined {
  const told = toldBy(key, resultOf)
  const [first, last] = [heads[0]?.height ?? 0, heads.at(-1)?.height ?? 0]
  // No subscriber is notified of the head that exists at the start.
  if (told === undefined || last <= first) return undefined
  const events: Placed[] = []
  for (let height = first + 1; height <= last; height++) {
    const texts = told(height)
    if (texts === undefined) return undefined
    const at = heads[countUpTo(heads, height - 1, (head) => head.height)]?.at ?? 0
    for (const text of texts) events.push({ at, text, height })
  }
  return events
}

/**
 * Returns recorded events, and those of the blocks in which nothing was recorded, in the order of
 * their blocks: the subscriber may have come late, left early, or never polled its filter.
 */
function completed({ heads, streams }: Library, key: string, revealed: readonly Placed[]): readonly StreamEvent[] {
  const recorded = streams.get(key) ?? []
  // Hashes of blocks name no height.
  const heights = new Map(revealed.map(({ text, height }) => [text, height]))
  const heightOf = ({ text }: StreamEvent) => heights.get(text) ?? heightIn(text)
  const covered = new Set(recorded.map(heightOf))
  const added = revealed.filter(({ height }) => !covered.has(height))
  if (added.length === 0) return recorded
  const kept: Placed[] = []
  for (const one of recorded) {
    // Blocks that replace others do not move before them.
    const height = Math.max(heightOf(one) || heightAt(heads, one.at), kept.at(-1)?.height ?? 0)
    kept.push({ ...one, height })
  }
  let latest = -Infinity
  return [...kept, ...added]
    .toSorted((a, b) => a.height - b.height)
    .map(({ at, text }) => {
      latest = Math.max(latest, at)
      return { at: latest, text }
    })
}

/** Returns a function that gives the events of one height for a subscription or filter. */
function toldBy(key: string, resultOf: ResultOf): OfHeight | undefined {
  const { side, method, params } = keyParts(key)
  if (side === 'comet') return method === 'subscribe' ? cometEvents(params, resultOf) : undefined
  const [kind = '', filter = '{}'] = itemTexts(params)
  if (method === 'eth_newBlockFilter') return blockHash(resultOf)
  if (method === 'eth_newFilter') return logs(kind === '' ? '{}' : kind, resultOf)
  if (method !== 'eth_subscribe') return undefined
  if (kind === '"newHeads"') return head(resultOf)
  return kind === '"logs"' ? logs(filter, resultOf) : undefined
}

const eth = (method: string, params: string) => callKey({ side: 'eth', method, params }, () => [])
const tagOf = (height: number) => `"0x${height.toString(16)}"`

function blockOf(height: number, resultOf: ResultOf): ReadonlyMap<string, string> | undefined {
  const block = resultOf(eth('eth_getBlockByNumber', `[${tagOf(height)},false]`))
  return block === undefined ? undefined : memberTexts(block)
}

function blockHash(resultOf: ResultOf): OfHeight {
  return (height) => {
    const hash = blockOf(height, resultOf)?.get('hash')
    return hash === undefined ? undefined : [hash]
  }
}

/** Returns the `newHeads` event of a block: the block without its contents and sizes. */
function head(resultOf: ResultOf): OfHeight {
  const left = new Set(['transactions', 'uncles', 'withdrawals', 'size', 'totalDifficulty'])
  return (height) => {
    const members = blockOf(height, resultOf)
    if (members === undefined) return undefined
    const kept = [...members].filter(([name]) => !left.has(name))
    return [`{${kept.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`]
  }
}

/**
 * Returns the logs of a filter. Polled and pushed logs are of new blocks, whatever range the filter
 * names.
 */
function logs(filter: string, resultOf: ResultOf): OfHeight {
  const wanted = [...memberTexts(filter)].filter(([name]) => name === 'address' || name === 'topics')
  const rest = wanted.map(([name, value]) => `"${name}":${value},`).join('')
  return (height) => {
    const tag = tagOf(height)
    const found = resultOf(eth('eth_getLogs', `[{${rest}"fromBlock":${tag},"toBlock":${tag}}]`))
    return found === undefined ? undefined : itemTexts(found)
  }
}
