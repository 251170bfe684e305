/** Occurrences in a running scenario, and the counters that count them. */
import { ownValue } from '../data/members.ts'
import type { BlockRecord } from '../chain/block.ts'
import type { Signers } from '../chain/chain.ts'
import type { ChainEvent, MempoolTx } from '../chain/event.ts'
import type { RecoveredTx } from '../app/ethereumView.ts'
import { plainHexOf } from '../codec/hex.ts'
import { equalBytes } from '../data/bytes.ts'
import { parsedJson } from '../data/parsedJson.ts'
import { rememberedBy } from '../data/remembered.ts'
import { messagesOf } from '../feed/comet.ts'
import { matchesQuery } from '../feed/matchQuery.ts'
import { parseQuery } from '../feed/parseQuery.ts'
import type { Side } from '../settings/side.ts'
import type { CallMatch, Match, WsMoment } from '../plan/trigger.ts'
import type { CallRecord } from '../rpc/callRecord.ts'
import type { Facts } from './facts.ts'
import { isLate } from './late.ts'

export type Occurrence =
  | { readonly type: 'call'; readonly record: CallRecord }
  | { readonly type: 'chain'; readonly event: ChainEvent }
  | {
      readonly type: 'ws'
      readonly what: WsMoment
      readonly side: Side
      readonly query: string | undefined
    }
  /** A handshake that a fault refused. */
  | {
      readonly type: 'ws'
      readonly what: 'refused'
      readonly side: Side
      readonly query: undefined
      readonly by: string
    }

/** Functions that need the node: they resolve names and decode transactions. */
export type Knowing = {
  readonly addressOf: (who: string) => Uint8Array
  readonly unwrap: (tx: Uint8Array) => readonly RecoveredTx[]
  readonly messageTypes: (tx: Uint8Array) => readonly string[]
  readonly signers: Signers
  /** Returns a JSON text with its late expressions evaluated. */
  readonly filled: (json: string) => string
}

/** Returns a match of calls with the late expressions and names in its parameters evaluated. */
export function filledIn<Found extends CallMatch>(match: Found, { filled }: Pick<Knowing, 'filled'>): Found {
  const { params } = match
  return params === undefined || !(isLate(params) || params.includes('"@'))
    ? match
    : { ...match, params: filled(params) }
}

type Of<Type> = Extract<Match, { type: Type }>

/** Returns how often a counter counts an occurrence. */
export function timesIn(match: Match, occurrence: Occurrence, facts: Facts, knowing: Knowing): number {
  if (match.type === 'call') {
    if (occurrence.type !== 'call' || !isInPhase(match, facts.phase)) return 0
    return callMatches(filledIn(match, knowing), occurrence.record) ? 1 : 0
  }
  if (match.type === 'ws') return occurrence.type === 'ws' && wsMatches(match, occurrence) ? 1 : 0
  if (occurrence.type !== 'chain') return 0
  const { event } = occurrence
  switch (match.type) {
    case 'tx':
      return txTimes(match, event, facts, knowing)
    case 'comet': {
      const query = queryOf(match.query)
      return messagesOf(event, knowing.signers).filter(({ events }) => matchesQuery(query, events)).length
    }
    case 'log':
      return event.type === 'blockCommitted' ? logTimes(match, event.record, knowing) : 0
  }
}

/** Returns the query that a condition waits for, parsed once. */
export const queryOf = rememberedBy((text: string) => text, parseQuery, 1_000)

function wsMatches({ what, side, queries }: Of<'ws'>, one: Extract<Occurrence, { type: 'ws' }>): boolean {
  return (
    what === one.what &&
    (side ?? one.side) === one.side &&
    (queries === undefined || (one.query !== undefined && queries.includes(one.query)))
  )
}

function logTimes({ contract, topics }: Of<'log'>, { ethereum }: BlockRecord, { addressOf }: Knowing): number {
  const address = contract === undefined ? undefined : addressOf(contract)
  const wanted = topics.map((topic) => (topic === null ? undefined : wordOf(topic, addressOf)))
  return ethereum.transactions
    .flatMap(({ receipt }) => receipt.logs)
    .filter(
      (log) =>
        (address === undefined || equalBytes(log.address, address)) &&
        wanted.every((word, at) => word === undefined || plainHexOf(log.topics[at] ?? new Uint8Array(0)) === word),
    ).length
}

/** Returns a topic as 32 bytes in hex; an address is padded on the left. */
function wordOf(topic: string, addressOf: Knowing['addressOf']): string {
  const isAccount = topic.startsWith('@') || topic.length === 42
  return (isAccount ? plainHexOf(addressOf(topic)) : topic.slice(2).toLowerCase()).padStart(64, '0')
}

type Tx = Pick<MempoolTx, 'hash' | 'tx' | 'info'>

function txTimes(match: Of<'tx'>, event: ChainEvent, facts: Facts, knowing: Knowing): number {
  const { stage, replaces } = match
  const is = (tx: Tx) => isTx(match, tx, facts, knowing)
  if (event.type === 'txReplaced' && (replaces !== undefined || stage === 'replaced')) {
    if (stage === 'replaced') return is(event.old) ? 1 : 0
    return stage === 'accepted' && isNamed(replaces ?? '', event.old, facts) && is(event.by) ? 1 : 0
  }
  if (replaces !== undefined) return 0
  switch (event.type) {
    case 'txAccepted': {
      const isStage = stage === 'received' || stage === 'accepted' || (stage === 'held' && event.tx.held)
      return isStage && is(event.tx) ? 1 : 0
    }
    case 'txRefused': {
      const refused: Tx = { hash: event.hash, tx: new Uint8Array(0), info: undefined }
      return (stage === 'received' || stage === 'rejected') && is(refused) ? 1 : 0
    }
    case 'txEvicted':
      return stage === 'evicted' && is(event.tx) ? 1 : 0
    case 'blockCommitted': {
      if (stage !== 'included' && stage !== 'failed') return 0
      const wanted = inBlock(event.record).filter(({ isFailed }) => stage === 'included' || isFailed)
      return wanted.filter(({ tx }) => is(tx)).length
    }
    default:
      return 0
  }
}

function inBlock({ txs, block, results, ethereum }: BlockRecord): readonly { tx: Tx; isFailed: boolean }[] {
  return txs.map(({ hash, index, info }) => ({
    tx: { hash, tx: block.txs[index] ?? new Uint8Array(0), info },
    isFailed:
      (results.txResults[index]?.code ?? 0) !== 0 ||
      ethereum.transactions.some(({ cometIndex, receipt }) => cometIndex === index && receipt.failed),
  }))
}

function isTx(match: Of<'tx'>, tx: Tx, facts: Facts, { addressOf, unwrap, messageTypes }: Knowing): boolean {
  const { from, to, selector, msgType, nonce, name } = match
  if (name !== undefined && !isNamed(name, tx, facts)) return false
  if (from !== undefined && (tx.info === undefined || !equalBytes(tx.info.sender, addressOf(from)))) {
    return false
  }
  if (nonce !== undefined && tx.info?.nonce !== nonce) return false
  if (msgType !== undefined && !messageTypes(tx.tx).includes(msgType)) return false
  if (to === undefined && selector === undefined) return true
  return unwrap(tx.tx).some(
    ({ tx: inside }) =>
      (to === undefined || equalBytes(inside.to ?? new Uint8Array(0), addressOf(to))) &&
      (selector === undefined || equalBytes(inside.data.subarray(0, 4), selector)),
  )
}

function isNamed(name: string, tx: Pick<MempoolTx, 'hash'> & { readonly heldAs?: string }, { txs }: Facts): boolean {
  return tx.heldAs === name || ownValue(txs, name)?.hash === plainHexOf(tx.hash)
}

/** Returns whether calls are matched in a phase of the scenario. */
export function isInPhase({ phase }: CallMatch, current: string): boolean {
  return (phase ?? current) === current
}

/** Returns whether a call matches, in any phase. */
export function callMatches(match: CallMatch, record: CallRecord): boolean {
  const { side, methods, except, transport, params, session, outcome } = match
  return (
    (side ?? record.side) === record.side &&
    (methods === undefined || methods.some((pattern) => isLike(pattern, record.method))) &&
    !(except ?? []).some((pattern) => isLike(pattern, record.method)) &&
    (transport === undefined || (transport === 'ws') === (record.transport === 'ws')) &&
    (session ?? record.session) === record.session &&
    (outcome === undefined || record.outcome === outcome || record.faults.includes(outcome)) &&
    (params === undefined || contains(record.params, params))
  )
}

function isLike(pattern: string, method: string): boolean {
  if (!pattern.includes('*')) return pattern === method
  const [head = '', ...rest] = pattern.split('*')
  const tail = rest.at(-1) ?? ''
  return method.startsWith(head) && method.endsWith(tail) && method.length >= head.length + tail.length
}

/** Returns whether the parameters contain all wanted members. Texts are compared without case. */
function contains(given: string, wanted: string): boolean {
  if (given === '') return wanted === '[]' || wanted === '{}'
  const [{ value: all }, { value: some }] = [givenValue(given), wantedValue(wanted)]
  return all !== undefined && some !== undefined && has(all, some)
}

// All conditions that wait are compared with one call after the other, whose parameters may be long.
const givenValue = valuesKept(8)
const wantedValue = valuesKept(1_000)

/** Returns a function that parses JSON texts and keeps some values, which are undefined for texts that are no JSON. */
function valuesKept(most: number): (text: string) => { readonly value: unknown } {
  return rememberedBy(
    (text: string) => text,
    (text) => ({ value: parsedJson(text) }),
    most,
  )
}

function has(given: unknown, wanted: unknown): boolean {
  if (typeof wanted !== 'object' || wanted === null) {
    return String(given).toLowerCase() === String(wanted).toLowerCase()
  }
  if (typeof given !== 'object' || given === null) return false
  return Object.entries(wanted).every(([key, one]) => has((given as Record<string, unknown>)[key], one))
}
