/** Logs of the chain, newest first, in pages: all of them, or those of a contract or an event. */
import { logKey } from '../../chain/indexing.ts'
import { bytesOfHex, hexOf } from '../../codec/hex.ts'
import { equalBytes } from '../../data/bytes.ts'
import type { BlockRecord } from '../../chain/block.ts'
import { pageOfBlocks } from './blockPages.ts'
import type { EventTable, KnownAbis } from './abis.ts'
import { signatureOf, topicOf } from './abiShapes.ts'
import { commonTable, decodeLog } from './decodeLog.ts'
import type { NumberPage } from './numberPages.ts'
import { precompileEvents } from './precompileAbis.ts'
import type { Instance } from '../ports.ts'
import { checksumAddress } from '../../crypto/checksumAddress.ts'

export type LogQuery = NumberPage & {
  readonly address: Uint8Array | undefined
  /** An event's name or signature, or the hash of its signature; '' for all events. */
  readonly event: string
}

/** Returns the logs of whole blocks, by height, until there are at least `limit`. */
export function logsView({ simulation }: Instance, { address, event, ...page }: LogQuery, known: KnownAbis) {
  const { history } = simulation().node.chain
  const topics = event === '' ? undefined : topicsOf(event, known.events)
  const groups = [
    ...(address === undefined ? [] : [[logKey(address)]]),
    ...(topics === undefined ? [] : [topics.map((topic) => logKey(bytesOfHex(topic), 0))]),
  ]
  const isWanted = (log: Log) =>
    (address === undefined || equalBytes(log.address, address)) &&
    (topics === undefined || topics.includes(hexOf(log.topics[0] ?? new Uint8Array(0))))
  return pageOfBlocks(history, page, {
    groups: groups.length === 0 ? undefined : groups,
    rowsOf: (record) => logsOf(record, known, isWanted),
  })
}

/** Returns the topics of the known events with a name, a signature or a topic. */
function topicsOf(text: string, events: EventTable): readonly string[] {
  if (/^0x[\da-fA-F]{64}$/.test(text)) return [text.toLowerCase()]
  const wanted = text.replaceAll(' ', '').toLowerCase()
  const all = [...events.values(), ...commonTable.values(), ...precompileEvents]
  const found = all.filter((one) => [one.event, signatureOf(one)].some((name) => name.toLowerCase() === wanted))
  return [...new Set(found.map(topicOf))]
}

type Log = BlockRecord['ethereum']['transactions'][number]['receipt']['logs'][number]

function logsOf(record: BlockRecord, known: KnownAbis, isWanted: (log: Log) => boolean) {
  return record.ethereum.transactions.toReversed().flatMap(({ hash, receipt }) =>
    receipt.logs
      .filter(isWanted)
      .toReversed()
      .map((log) => ({
        height: Number(record.block.header.height),
        index: log.index,
        transaction: hexOf(hash),
        address: checksumAddress(log.address),
        decoded: decodeLog(log, known.events) ?? null,
        topics: log.topics.map(hexOf),
        data: hexOf(log.data),
      })),
  )
}
