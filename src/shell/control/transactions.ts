/** Transactions as the control API shows them: both hashes, decoded logs, events of both sides. */
import { readGoHex } from '../../codec/base64.ts'
import { upperHexOf } from '../../codec/comet.ts'
import { checksumAddress, hexOf } from '../../codec/hex.ts'
import type { BlockRecord, TxRecord } from '../../chain/block.ts'
import { ethTxPlace, recordAt, txByHash, type History } from '../../chain/history.ts'
import { keccak256 } from '../../crypto/hash.ts'
import { itemAt } from '../../data/segments.ts'
import type { Instance } from '../instance.ts'
import type { EventTable } from './abis.ts'
import { decodeLog } from './decodeLog.ts'

/** Returns the newest transactions, newest first. */
export function transactionsView(instance: Instance, limit: number) {
  const { history } = instance.simulation().node.chain
  const { firstTx, txs: { length } } = history
  const count = Math.min(limit, length - firstTx)
  const numbers = Array.from({ length: count }, (_, index) => length - 1 - index)
  return numbers.flatMap((number) => {
    const found = heldTx(history, itemAt(history.txs, number))
    return found === undefined ? [] : [summaryOf(instance, found.record, found.tx)]
  })
}

/** Returns the transactions of a block in their order; undefined where there is no such block. */
export function transactionsOf(instance: Instance, record: BlockRecord) {
  return record.txs.map((tx) => summaryOf(instance, record, tx))
}

function summaryOf({ world }: Instance, record: BlockRecord, { hash, index, info }: TxRecord) {
  const result = record.results.txResults[index]
  const raw = record.block.txs[index] ?? new Uint8Array(0)
  const inner = record.ethereum.transactions.find(({ cometIndex }) => cometIndex === index)
  const [signed] = inner === undefined ? [] : world.ethereum?.unwrap(raw) ?? []
  const isOk = result?.code === 0 && inner?.receipt.failed !== true
  return {
    height: Number(record.block.header.height), index, hash: upperHexOf(hash),
    ethHash: inner === undefined ? null : hexOf(inner.hash), kind: info?.kind ?? 'unknown',
    from: info === undefined ? null : checksumAddress(info.sender, keccak256),
    to: signed?.tx.to === undefined ? null : checksumAddress(signed.tx.to, keccak256),
    wei: signed === undefined ? null : String(signed.tx.value),
    gasUsed: Number(result?.gasUsed ?? 0n), gasWanted: Number(result?.gasWanted ?? 0n),
    ok: isOk, error: isOk ? '' : inner?.receipt.vmError || result?.log || 'failed',
    logs: inner?.receipt.logs.length ?? 0, events: result?.events.length ?? 0,
    creates: inner?.receipt.contractAddress === undefined
      ? null : checksumAddress(inner.receipt.contractAddress, keccak256),
  }
}

/** Returns a transaction by either hash with what both interfaces say of it, or undefined. */
export function transactionView(instance: Instance, text: string, events: EventTable) {
  const found = findTx(instance, text)
  if (found === undefined) return undefined
  const { record, tx } = found
  const { results } = record
  const summary = summaryOf(instance, record, tx)
  const inner = record.ethereum.transactions.find(({ cometIndex }) => cometIndex === tx.index)
  const eth = (method: string) => (
    summary.ethHash === null ? null : instance.peek('eth', method, [summary.ethHash]))
  return {
    ...summary,
    decodedLogs: (inner?.receipt.logs ?? []).map((log) => ({
      index: log.index, address: checksumAddress(log.address, keccak256),
      decoded: decodeLog(log, events) ?? null,
      topics: log.topics.map(hexOf), data: hexOf(log.data),
    })),
    cosmosEvents: (results.txResults[tx.index]?.events ?? []).map(({ type, attributes }) => ({
      type, attributes: attributes.map(({ key, value }) => ({ key, value })),
    })),
    ethereum: eth('eth_getTransactionByHash'), receipt: eth('eth_getTransactionReceipt'),
    comet: instance.peek('comet', 'tx', { hash: Buffer.from(tx.hash).toString('base64') }),
  }
}

function findTx({ simulation }: Instance, text: string) {
  const { history } = simulation().node.chain
  const bytes = readGoHex(text.replace(/^0x/, ''))
  if (typeof bytes === 'string') return undefined
  const place = ethTxPlace(history, bytes)
  if (place === undefined) return heldTx(history, txByHash(history, bytes))
  const index = recordAt(history, place.height)?.ethereum.transactions[place.index]?.cometIndex
  return index === undefined ? undefined : heldTx(history, { height: place.height, index })
}

/** Returns a transaction with its block, or undefined where that was pruned. */
type Place = { readonly height: bigint; readonly index: number }

function heldTx(history: History, place: Place | undefined) {
  const record = place === undefined ? undefined : recordAt(history, place.height)
  const tx = place === undefined ? undefined : record?.txs[place.index]
  return record === undefined || tx === undefined ? undefined : { record, tx }
}
