/** Derives CometBFT RPC events from recorded blocks and their results (`comet-rpc.md` §3). */
import { keyAtHeight } from './callKey.ts'
import { sha256OfBase64 } from './cometHash.ts'
import { type EventMap, matchesQuery } from '../../feed/matchQuery.ts'
import { parseQuery, QuerySyntaxError } from '../../feed/parseQuery.ts'
import { itemTexts, memberTexts } from './slice.ts'

type Event = { readonly events: EventMap; readonly data: string }

/**
 * Returns a function that gives the events of a height that match a query. Returns undefined if the
 * query asks for events that blocks do not reveal.
 */
export function cometEvents(
  params: string,
  resultOf: ResultOf,
): ((height: number) => readonly string[] | undefined) | undefined {
  const { query: text = '' } = JSON.parse(params) as { query?: string }
  const query = queryOf(text)
  if (query === undefined || !/tm\.event\s*=\s*'(?:NewBlock|NewBlockHeader|Tx)'/.test(text)) {
    return undefined
  }
  return (height) =>
    eventsOf(height, resultOf)
      ?.filter(({ events }) => matchesQuery(query, events))
      .map(({ events, data }) => {
        const told = JSON.stringify(Object.fromEntries(events))
        return `{"query":${JSON.stringify(text)},"data":${data},"events":${told}}`
      })
}

function queryOf(text: string): ReturnType<typeof parseQuery> | undefined {
  try {
    return parseQuery(text)
  } catch (error) {
    if (error instanceof QuerySyntaxError) return undefined
    throw error
  }
}

function eventsOf(height: number, resultOf: ResultOf): readonly Event[] | undefined {
  const [blockText, resultsText] = [
    resultOf(keyAtHeight('block', height)),
    resultOf(keyAtHeight('block_results', height)),
  ]
  if (blockText === undefined || resultsText === undefined) return undefined
  const [found, results] = [memberTexts(blockText), memberTexts(resultsText)]
  const block = memberTexts(found.get('block') ?? '')
  const txs = itemTexts(memberTexts(block.get('data') ?? '').get('txs') ?? '')
  const txResults = itemTexts(results.get('txs_results') ?? '')
  const blockEvents = results.get('finalize_block_events') ?? '[]'
  const data = (type: string, value: string) => `{"type":"tendermint/event/${type}","value":${value}}`
  const whole =
    `{"block":${found.get('block') ?? '{}'},"block_id":${found.get('block_id') ?? '{}'},` +
    `"result_finalize_block":${finalizeText(results)}}`
  return [
    { events: keysOf(blockEvents, { 'tm.event': 'NewBlock' }), data: data('NewBlock', whole) },
    {
      events: keysOf('[]', { 'tm.event': 'NewBlockHeader' }),
      data: data('NewBlockHeader', `{"header":${block.get('header') ?? '{}'}}`),
    },
    ...txs.map((tx, index) => txEvent({ tx, index, height, result: txResults[index] ?? '{}' }, data)),
  ]
}

/**
 * Builds `result_finalize_block`. `block_results` has other member names and includes empty lists.
 */
function finalizeText(results: ReadonlyMap<string, string>): string {
  const names = [
    ['events', 'finalize_block_events'],
    ['tx_results', 'txs_results'],
    ['validator_updates', 'validator_updates'],
    ['consensus_param_updates', 'consensus_param_updates'],
    ['app_hash', 'app_hash'],
  ] as const
  const members = names.flatMap(([name, from]) => {
    const value = results.get(from) ?? 'null'
    if (name === 'validator_updates') return [`"${name}":${value === 'null' ? '[]' : value}`]
    return value === 'null' || value === '[]' ? [] : [`"${name}":${value}`]
  })
  return `{${members.join(',')}}`
}

type Placed = {
  readonly tx: string
  readonly index: number
  readonly height: number
  readonly result: string
}

function txEvent({ tx, index, height, result }: Placed, data: (type: string, value: string) => string): Event {
  const members = memberTexts(result)
  const hash = sha256OfBase64(JSON.parse(tx) as string).toUpperCase()
  // Members with a zero or empty value are omitted from an event.
  const kept = [...members].filter(([, value]) => !['0', '""', '"0"', 'null', '[]'].includes(value))
  const told = `{${kept.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`
  const place = `"height":"${height}"${index === 0 ? '' : `,"index":${index}`}`
  return {
    events: keysOf(members.get('events') ?? '[]', { 'tm.event': 'Tx', 'tx.hash': hash, 'tx.height': String(height) }),
    data: data('Tx', `{"TxResult":{${place},"tx":${tx},"result":${told}}}`),
  }
}

type AbciEvent = {
  readonly type: string
  readonly attributes?:
    | readonly {
        readonly key: string
        readonly value: string
        readonly index?: boolean
      }[]
    | null
}

/**
 * Returns attributes by type and key, without those that are not indexed: queries cannot match
 * them.
 */
function keysOf(eventsText: string, own: Readonly<Record<string, string>>): EventMap {
  const keys = new Map<string, string[]>()
  for (const { type, attributes } of (JSON.parse(eventsText) as readonly AbciEvent[] | null) ?? []) {
    for (const { key, value, index } of attributes ?? []) {
      if (type === '' || key === '' || index !== true) continue
      const name = `${type}.${key}`
      const list = keys.get(name) ?? []
      keys.set(name, list)
      list.push(value)
    }
  }
  for (const [name, value] of Object.entries(own)) keys.set(name, [value])
  return keys
}

/** Returns the result of a call about a height, recorded or derived; undefined if there is none. */
export type ResultOf = (key: string) => string | undefined
