/** Turns chain events into messages for subscribers of CometBFT RPC (`comet-rpc.md` §3). */
import type { ValidatorUpdate } from '../app/abci.ts'
import { writeJson, type PlainObject } from '../codec/goJsonWrite.ts'
import { upperHexOf } from '../codec/comet.ts'
import { base64Of } from '../codec/base64.ts'
import type { BlockRecord } from '../chain/block.ts'
import type { Signers } from '../chain/chain.ts'
import type { ChainEvent } from '../chain/event.ts'
import { validatorAddress } from '../chain/validators.ts'
import { remembered } from '../data/remembered.ts'
import {
  blockIdJson,
  blockJson,
  eventJson,
  evidenceJson,
  headerJson,
  paramUpdatesJson,
  publicKeyJson,
  sparseTxResultJson,
  txResultJson,
  validatorUpdateJson,
} from './cometShapes.ts'
import type { CometQuery } from './cometQuery.ts'
import { matchesQuery } from './matchQuery.ts'
import type { CometSubscription } from './subscriptions.ts'
import { nextHeightMessages, roundMessages } from './rounds.ts'
import { type EventMessage, message, add, keysOf } from './cometMessage.ts'

/** A text for one or several connections; the frame is built once. */
export type Push = {
  readonly connections: readonly number[]
  readonly text: string
  /** Kind or query of the subscription, and the subscription's id. */
  readonly subscription: string
  readonly id: string
  /** Height of the block that the push is about; absent for mempool transactions. */
  readonly height?: bigint
}

/** Returns the height of a push about an event, if it has one. */
export function ofHeight(event: ChainEvent): Pick<Push, 'height'> {
  return event.type === 'blockCommitted' ? { height: event.record.block.header.height } : {}
}

/**
 * Returns the frames for all subscribers, in the node's order. `byConnection` maps connections to
 * their subscriptions. `signers` sign the votes that are not part of a commit.
 */
export function cometPushes(
  byConnection: ReadonlyMap<number, readonly CometSubscription[]>,
  events: readonly ChainEvent[],
  signers: Signers,
): readonly Push[] {
  if (byConnection.size === 0) return []
  const groups = groupsOf(byConnection)
  return events.flatMap((event) =>
    messagesOf(event, signers).flatMap((one) => pushesOf(groups, one).map((push) => ({ ...push, ...ofHeight(event) }))),
  )
}

/** Subscribers with the same id and query, which get the same text. */
type Group = {
  readonly head: string
  readonly id: string
  readonly text: string
  readonly query: CometQuery
  readonly connections: number[]
}

const groupsKnown = new WeakMap<ReadonlyMap<number, readonly CometSubscription[]>, readonly Group[]>()

function groupsOf(byConnection: ReadonlyMap<number, readonly CometSubscription[]>): readonly Group[] {
  const known = groupsKnown.get(byConnection)
  if (known !== undefined) return known
  const groups = new Map<string, Group>()
  for (const [connection, subscriptions] of byConnection) {
    for (const { id, text, query } of subscriptions) {
      const head = frameHead({ id, text })
      const group = groups.get(head)
      if (group === undefined) {
        groups.set(head, { head, id, text, query, connections: [connection] })
      } else group.connections.push(connection)
    }
  }
  const all = [...groups.values()]
  groupsKnown.set(byConnection, all)
  return all
}

/** Returns the start of the frame that all events of a subscription share. */
export function frameHead({ id, text }: Pick<CometSubscription, 'id' | 'text'>): string {
  return `{"jsonrpc":"2.0","id":${id},"result":{"query":${writeJson(text)},`
}

/** Returns the pushes of a message to all groups whose query matches. */
function pushesOf(groups: readonly Group[], message: EventMessage): readonly Push[] {
  let tail: string | undefined
  return groups.flatMap(({ head, id, text, query, connections }) => {
    if (!matchesQuery(query, message.events)) return []
    tail ??= `"data":${writeJson(message.data())},"events":${writeJson(Object.fromEntries(message.events))}}}`
    return [{ connections, text: head + tail, subscription: text, id }]
  })
}

/** Returns the messages that the node publishes for an event of the chain. They must not be mutated. */
export function messagesOf(event: ChainEvent, signers: Signers): readonly EventMessage[] {
  return messagesBy(signers)(event)
}

// A scenario asks for those of one event with each condition that waits for events.
const messagesBy = remembered((signers: Signers) => remembered((event: ChainEvent) => messagesFor(event, signers), 8))

function messagesFor(event: ChainEvent, signers: Signers): readonly EventMessage[] {
  if (event.type === 'validatorsEdited') return [validatorsMessage(event.updates)]
  if (event.type !== 'blockCommitted') return []
  const { record } = event
  return [...roundMessages(record, signers), ...blockMessages(record), ...nextHeightMessages(record)]
}

function blockMessages(record: BlockRecord): readonly EventMessage[] {
  const { block, results } = record
  const height = block.header.height.toString()
  const blockEvents = results.events
  return [
    message('NewBlock', blockEvents, () => ({
      block: blockJson(block),
      block_id: blockIdJson(record.id),
      result_finalize_block: finalizeJson(record),
    })),
    message('NewBlockHeader', [], () => ({ header: headerJson(block.header) })),
    message('NewBlockEvents', blockEvents, () => ({
      height,
      events: blockEvents.length === 0 ? null : blockEvents.map(eventJson),
      num_txs: block.txs.length.toString(),
    })),
    ...block.evidence.map((one) => message('NewEvidence', [], () => ({ height, evidence: evidenceJson(one) }))),
    ...block.txs.map((tx, index) => txMessage(record, tx, index)),
    ...(results.validatorUpdates.length === 0 ? [] : [validatorsMessage(results.validatorUpdates)]),
  ]
}

function validatorsMessage(updates: readonly ValidatorUpdate[]): EventMessage {
  return message('ValidatorSetUpdates', [], () => ({
    validator_updates: updates.map(({ publicKey, power }) => ({
      address: upperHexOf(validatorAddress(publicKey)),
      pub_key: publicKeyJson(publicKey),
      voting_power: power.toString(),
      proposer_priority: '0',
    })),
  }))
}

function finalizeJson({ results }: BlockRecord): PlainObject {
  const { events, txResults, validatorUpdates, consensusParamUpdates, appHash } = results
  return {
    ...(events.length === 0 ? {} : { events: events.map(eventJson) }),
    ...(txResults.length === 0 ? {} : { tx_results: txResults.map(txResultJson) }),
    // An SDK application returns an empty list, not nil; only `block_results` shows null.
    validator_updates: validatorUpdates.map(validatorUpdateJson),
    ...(consensusParamUpdates === undefined
      ? {}
      : {
          consensus_param_updates: paramUpdatesJson(consensusParamUpdates),
        }),
    app_hash: base64Of(appHash),
  }
}

function txMessage(record: BlockRecord, tx: Uint8Array, index: number): EventMessage {
  const result = record.results.txResults[index]
  const height = record.block.header.height.toString()
  const events = keysOf(result?.events ?? [])
  add(events, 'tm.event', 'Tx')
  add(events, 'tx.hash', upperHexOf(record.txs[index]?.hash ?? new Uint8Array(0)))
  add(events, 'tx.height', height)
  return {
    events,
    data: () => ({
      type: 'tendermint/event/Tx',
      value: {
        TxResult: {
          height,
          ...(index === 0 ? {} : { index }),
          tx: base64Of(tx),
          result: result === undefined ? {} : sparseTxResultJson(result),
        },
      },
    }),
  }
}
