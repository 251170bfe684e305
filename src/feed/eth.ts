/**
 * Turns chain events into messages for subscribers of Ethereum JSON-RPC (`cosmos-evm-rpc.md` §5.3).
 */
import type { BlockRecord } from '../chain/block.ts'
import type { ChainEvent, MempoolTx } from '../chain/event.ts'
import { writeJson, type Plain } from '../codec/goJsonWrite.ts'
import { hexOf } from '../codec/hex.ts'
import { ofHeight, type Push } from './comet.ts'
import { headerJson, logJson, logText } from './ethShapes.ts'
import { wantedLogs } from './logFilter.ts'
import type { EthSubscription } from './subscriptions.ts'

/**
 * Functions for payloads that need more than the event: the header for `newHeads`, which a quirk
 * changes, and a full pending transaction.
 */
export type EthShapes = {
  readonly headOf: (record: BlockRecord) => Plain
  readonly txOf: (tx: MempoolTx) => Plain
  /** Whether indexes count only transactions that could be committed (`wantedLogs`). */
  readonly onlyCommitted: boolean
}

const plainShapes: EthShapes = { headOf: headerJson, txOf: () => null, onlyCommitted: false }

/** Returns the frames for all subscribers, in the order of the events. Each ends with a newline, as the node's do. */
export function ethPushes(
  byConnection: ReadonlyMap<number, readonly EthSubscription[]>,
  events: readonly ChainEvent[],
  { headOf, txOf, onlyCommitted }: EthShapes = plainShapes,
): readonly Push[] {
  if (byConnection.size === 0) return []
  return events.flatMap((event) => {
    const heads = new Map<BlockRecord, string>()
    const written = (record: BlockRecord) => {
      const text = heads.get(record) ?? writeJson(headOf(record))
      heads.set(record, text)
      return text
    }
    const texts: EthTexts = { headOf: written, txOf: (tx) => writeJson(txOf(tx)), onlyCommitted }
    return [...byConnection].flatMap(([connection, subscriptions]) =>
      subscriptions.flatMap((one) =>
        textsOf(one, event, texts).map((result) => ({
          connections: [connection],
          subscription: one.kind,
          id: one.id,
          ...ofHeight(event),
          text: `{"jsonrpc":"2.0","method":"eth_subscription","params":{"subscription":"${one.id}","result":${result}}}\n`,
        })),
      ),
    )
  })
}

type EthTexts = {
  readonly headOf: (record: BlockRecord) => string
  readonly txOf: (tx: MempoolTx) => string
  readonly onlyCommitted: boolean
}

function textsOf(one: EthSubscription, event: ChainEvent, texts: EthTexts): readonly string[] {
  if (one.kind === 'newPendingTransactions') {
    if (event.type !== 'txAccepted' || event.tx.queued || event.tx.info?.ethHash === undefined) {
      return []
    }
    return [one.full ? texts.txOf(event.tx) : `"${hexOf(event.tx.info.ethHash)}"`]
  }
  const { gone, came } = changeOf(event)
  if (one.kind === 'newHeads') return came.map(texts.headOf)
  const logsOf = (record: BlockRecord) => wantedLogs(record, one.filter, texts.onlyCommitted)
  return [
    ...gone
      .flatMap((record) => logsOf(record).toReversed())
      .map(({ record, tx, log }) => writeJson({ ...logJson(record, tx, log), removed: true })),
    ...came.flatMap(logsOf).map(({ record, tx, log }) => logText(record, tx, log)),
  ]
}

type Change = { readonly gone: readonly BlockRecord[]; readonly came: readonly BlockRecord[] }

const none: Change = { gone: [], came: [] }

/**
 * Returns the blocks that an event removes from or adds to the chain shown by Ethereum JSON-RPC.
 */
function changeOf(event: ChainEvent): Change {
  switch (event.type) {
    case 'blockCommitted':
      return { gone: [], came: [event.record] }
    case 'blocksRemoved':
      return { gone: event.records, came: [] }
    case 'ethReorganised':
      return event
    default:
      return none
  }
}
