/** What subscribers of interface B see of a chain's events (`cosmos-evm-rpc.md` §5.3). */
import type { BlockRecord } from '../chain/block.ts'
import type { ChainEvent } from '../chain/event.ts'
import { writeJson, type Plain } from '../codec/goJsonWrite.ts'
import { hexOf } from '../codec/hex.ts'
import type { Push } from './comet.ts'
import { headerJson, logJson } from './ethShapes.ts'
import { wantedLogs } from './logFilter.ts'
import type { EthSubscription } from './subscriptions.ts'

/** Returns the header that `newHeads` shows of a block; a quirk shows another one. */
export type HeadJson = (record: BlockRecord) => Plain

/** Returns the frames for every subscriber, in order of events. */
export function ethPushes(
  byConnection: ReadonlyMap<number, readonly EthSubscription[]>, events: readonly ChainEvent[], headOf: HeadJson = headerJson,
): readonly Push[] {
  if (byConnection.size === 0) return []
  return events.flatMap((event) => {
    let head: string | undefined
    const headText = (record: BlockRecord) => (head ??= writeJson(headOf(record)))
    return [...byConnection].flatMap(([connection, subscriptions]) =>
      subscriptions.flatMap((one) => textsOf(one, event, headText).map((result) => ({
        connection,
        text: `{"jsonrpc":"2.0","method":"eth_subscription","params":{"subscription":"${one.id}","result":${result}}}`,
      }))))
  })
}

function textsOf(one: EthSubscription, event: ChainEvent, headText: (record: BlockRecord) => string): readonly string[] {
  if (one.kind === 'newPendingTransactions') {
    if (event.type !== 'txAccepted' || event.tx.queued || event.tx.info?.ethHash === undefined) return []
    return [`"${hexOf(event.tx.info.ethHash)}"`]
  }
  if (event.type !== 'blockCommitted') return []
  if (one.kind === 'newHeads') return [headText(event.record)]
  return wantedLogs(event.record, one.filter).map(({ record, tx, log }) => writeJson(logJson(record, tx, log)))
}
