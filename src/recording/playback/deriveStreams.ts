/** Derives streams without a recorded subscriber from recorded blocks (`mocks.md` §4.5). */
import { callKey, keyParts } from './callKey.ts'
import { cometEvents, type ResultOf } from './deriveEvents.ts'
import { createLookup } from './derive.ts'
import { countUpTo, type Library, type StreamEvent } from './library.ts'
import { itemTexts, memberTexts } from './slice.ts'

/** Returns the events of a stream, or undefined if blocks are missing or cannot reveal them. */
export type DeriveStream = (key: string) => readonly StreamEvent[] | undefined

/** Returns a function that derives streams. It reads blocks on first use. */
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
  // No subscriber is notified of the head that exists at the start.
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
