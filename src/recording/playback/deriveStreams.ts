/**
 * Streams that nobody listened to while it was recorded, out of recorded blocks (`mocks.md` §4.5).
 */
import { callKey, keyParts } from './callKey.ts'
import { cometEvents, type ResultOf } from './deriveEvents.ts'
import { createLookup } from './derive.ts'
import { countUpTo, type Library, type StreamEvent } from './library.ts'
import { itemTexts, memberTexts } from './slice.ts'

/** Finds a stream; undefined where blocks are missing, or where blocks do not tell. */
export type DeriveStream = (key: string) => readonly StreamEvent[] | undefined

/** Returns what derives streams; it reads blocks when it is first asked for one. */
export function streamsOfBlocks(library: Library): DeriveStream {
  const lookup = createLookup(library.answers)
  const known = new Map<string, readonly StreamEvent[] | undefined>()
  const resultOf: ResultOf = (key) => {
    const answer = lookup(key)?.at(-1)?.answer
    return answer?.ok === true && answer.text !== 'null' ? answer.text : undefined
  }
  return (key) => {
    if (!known.has(key)) known.set(key, ofKey(library, key, resultOf))
    return known.get(key)
  }
}

type OfHeight = (height: number) => readonly string[] | undefined

function ofKey(library: Library, key: string, resultOf: ResultOf): readonly StreamEvent[] | undefined {
  const told = toldBy(key, resultOf)
  const { heads } = library
  const [first, last] = [heads[0]?.height ?? 0, heads.at(-1)?.height ?? 0]
  // The head that was there when it began was told to nobody.
  if (told === undefined || last <= first) return undefined
  const events: StreamEvent[] = []
  for (let height = first + 1; height <= last; height++) {
    const texts = told(height)
    if (texts === undefined) return undefined
    const at = heads[countUpTo(heads, height - 1, (head) => head.height)]?.at ?? 0
    for (const text of texts) events.push({ at, text })
  }
  return events
}

/** Returns what one height tells to a subscription or filter. */
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

/** A head is a block without what it holds. */
function head(resultOf: ResultOf): OfHeight {
  const left = new Set(['transactions', 'uncles', 'withdrawals', 'size', 'totalDifficulty'])
  return (height) => {
    const members = blockOf(height, resultOf)
    if (members === undefined) return undefined
    const kept = [...members].filter(([name]) => !left.has(name))
    return [`{${kept.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`]
  }
}

/** Polled and pushed logs are of blocks to come, whatever range the filter names. */
function logs(filter: string, resultOf: ResultOf): OfHeight {
  const wanted = [...memberTexts(filter)].filter(([name]) => name === 'address' || name === 'topics')
  const rest = wanted.map(([name, value]) => `"${name}":${value},`).join('')
  return (height) => {
    const tag = tagOf(height)
    const found = resultOf(eth('eth_getLogs', `[{${rest}"fromBlock":${tag},"toBlock":${tag}}]`))
    return found === undefined ? undefined : itemTexts(found)
  }
}
