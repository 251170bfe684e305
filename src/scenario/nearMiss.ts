/**
 * Near misses: events that met all but one condition of a waiting step. They explain timeouts
 * (`mocks.md` §3.3, `timeout`).
 */
import { nearest } from '../data/nearest.ts'
import { remembered, rememberedBy } from '../data/remembered.ts'
import { messagesOf } from '../feed/comet.ts'
import { matchesQuery } from '../feed/matchQuery.ts'
import type { CallMatch, Match, TxStage } from '../plan/trigger.ts'
import type { CallRecord } from '../rpc/callRecord.ts'
import type { Facts } from './facts.ts'
import { queryOf, timesIn, type Knowing, type Occurrence } from './occurrence.ts'

/** The best near miss so far, and its number of occurrences; a lower rank is nearer. */
export type Near = { readonly text: string; readonly rank: number; readonly count: number }

type Miss = Pick<Near, 'text' | 'rank'>
type Of<Type> = Extract<Match, { type: Type }>
type Seen = readonly [occurrence: Occurrence, facts: Facts, knowing: Knowing]

/**
 * Returns the one condition that kept an occurrence from being counted; undefined if it was more
 * than one.
 */
export function nearMiss(match: Match, ...seen: Seen): Miss | undefined {
  const [occurrence] = seen
  if (match.type === 'comet') return queryMiss(match, ...seen)
  const others = looser(match, occurrence)
  const rank = others.findIndex(([other]) => timesIn(other, ...seen) > 0)
  const text = others[rank]?.[1]()
  if (text !== undefined) return { text, rank }
  return match.type === 'ws' && match.what === 'open' ? refusedOpen(match, occurrence) : undefined
}

/** Returns the better of two near misses; equal ranks are counted together. */
export function nearer(before: Near | undefined, miss: Miss): Near {
  if (before === undefined || miss.rank < before.rank) return { ...miss, count: 1 }
  return miss.rank > before.rank ? before : { ...miss, count: before.count + 1 }
}

/** Returns a near miss as the end of a sentence. */
export function nearText(near: Near | undefined): string {
  if (near === undefined) return ''
  return `; near miss: ${near.text}${near.count === 1 ? '' : `, ${near.count} times`}`
}

/** The text is made only for a near miss: nearly all occurrences are none. */
type Looser = readonly (readonly [match: Match, text: () => string | undefined])[]

/**
 * Returns variants of a match with one condition removed, each with a text about that condition. Without
 * a text, the occurrence is no near miss.
 */
function looser(match: Exclude<Match, { type: 'comet' }>, occurrence: Occurrence): Looser {
  switch (match.type) {
    case 'call':
      return occurrence.type === 'call' ? looserCall(match, occurrence.record) : []
    case 'ws':
      return occurrence.type === 'ws' ? looserWs(match, occurrence) : []
    case 'tx':
      return looserTx(match)
    case 'log':
      return looserLog(match)
  }
}

/** Returns the match without a member; absent members match everything. */
function without<One extends Match>(match: One, name: keyof One): One {
  return Object.fromEntries(Object.entries(match).filter(([key]) => key !== name)) as One
}

const shown = 120

/** Returns a call for reports, cut to 120 characters. */
export function callText({ method, params }: CallRecord): string {
  const call = `${method} ${params}`.trim()
  return call.length > shown ? `${call.slice(0, shown)}…` : call
}

type CallMiss = (record: CallRecord, match: CallMatch) => string | undefined

/** The conditions of a call and what it did instead, the nearest miss first. */
const callMisses: readonly (readonly [condition: keyof CallMatch, missOf: CallMiss])[] = [
  ['params', () => 'has different parameters'],
  ['outcome', ({ outcome, faults }) => `ended as ${[outcome, ...faults].join(', ')}`],
  ['phase', () => 'came in a different phase'],
  ['session', ({ session }) => `belongs to the session "${session}"`],
  ['transport', ({ transport }) => `came over ${transport}`],
  ['side', ({ side }) => `came on ${side}`],
  [
    'methods',
    ({ method }, { methods = [] }) => {
      const { meant } = nearestOf(methods)(method)
      return meant === undefined ? undefined : `is not ${meant}`
    },
  ],
]

const nearestOf = remembered((methods: readonly string[]) =>
  rememberedBy(
    (method: string) => method,
    (method) => ({ meant: nearest(method, methods) }),
    256,
  ),
)

/** Each request is compared with all conditions that wait, so their variants are kept. */
const callVariants = remembered((match: Of<'call'>) =>
  callMisses
    .filter(([condition]) => match[condition] !== undefined)
    .map(([condition, missOf]) => ({ other: without(match, condition), missOf })),
)

function looserCall(match: Of<'call'>, record: CallRecord): Looser {
  return callVariants(match).map(({ other, missOf }) => [
    other,
    () => {
      const was = missOf(record, match)
      return was === undefined ? undefined : `${callText(record)} ${was}`
    },
  ])
}

function looserWs(match: Of<'ws'>, { what, side, query }: Extract<Occurrence, { type: 'ws' }>): Looser {
  const { queries, side: wanted } = match
  const text = `${what} on ${side}${query === undefined ? '' : ` of ${query}`}`
  return [
    ...(queries === undefined ? [] : [[without(match, 'queries'), () => text] as const]),
    ...(wanted === undefined ? [] : [[without(match, 'side'), () => text] as const]),
  ]
}

const stages: readonly TxStage[] = [
  'failed',
  'included',
  'replaced',
  'evicted',
  'rejected',
  'held',
  'accepted',
  'received',
]

const looserTx = remembered((match: Of<'tx'>): Looser => {
  const { stage } = match
  const others = (['nonce', 'selector', 'msgType', 'to', 'from', 'replaces', 'name'] as const).filter(
    (name) => match[name] !== undefined,
  )
  return [
    ...stages
      .filter((one) => one !== stage)
      .map((one) => [{ ...match, stage: one }, () => `a matching transaction was ${one}, not ${stage}`] as const),
    ...others.map(
      (name) => [without(match, name), () => `a transaction with a different "${name}" was ${stage}`] as const,
    ),
  ]
})

const looserLog = remembered((match: Of<'log'>): Looser => {
  const { contract, topics } = match
  const named = topics.flatMap((topic, index) => (topic === null ? [] : [index]))
  return [
    ...named
      .toReversed()
      .map(
        (index) =>
          [
            { ...match, topics: topics.map((topic, at) => (at === index ? null : topic)) },
            () => (index === 0 ? 'a different event of the contract' : `the event with a different topic ${index}`),
          ] as const,
      ),
    ...(contract === undefined
      ? []
      : [[without(match, 'contract'), () => 'the event, from a different contract'] as const]),
  ]
})

/** Returns the near miss of a query: an event that meets all its conditions but one. */
function queryMiss({ query }: Of<'comet'>, ...[occurrence, , { signers }]: Seen): Miss | undefined {
  if (occurrence.type !== 'chain') return undefined
  const { conditions } = queryOf(query)
  if (conditions.length < 2) return undefined
  const messages = messagesOf(occurrence.event, signers)
  for (const one of conditions.toReversed()) {
    const others = { conditions: conditions.filter((other) => other !== one) }
    const almost = messages.find(({ events }) => matchesQuery(others, events))
    if (almost === undefined) continue
    const values = almost.events.get(one.tag)
    const has = values === undefined ? `without ${one.tag}` : `with ${one.tag} ${values.join(', ')}`
    return { text: `an event ${has}`, rank: 0 }
  }
  return undefined
}

function refusedOpen({ side }: Of<'ws'>, one: Occurrence): Miss | undefined {
  const isIt = one.type === 'ws' && one.what === 'refused' && (side ?? one.side) === one.side
  const text = isIt ? `a WebSocket on ${one.side} was refused by fault "${one.by}"` : undefined
  return text === undefined ? undefined : { text, rank: 0 }
}
