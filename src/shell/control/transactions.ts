/** The control API's view of transactions: both hashes, decoded logs, events of both interfaces. */
import { readGoHex } from '../../codec/base64.ts'
import { time, upperHexOf } from '../../codec/comet.ts'
import { hexOf } from '../../codec/hex.ts'
import type { BlockRecord, TxRecord } from '../../chain/block.ts'
import { recordAt } from '../../chain/history.ts'
import { ethTxPlace, txByHash } from '../../chain/lookups.ts'
import type { EvmTx } from '../../evm/types.ts'
import type { KnownAbis } from './abis.ts'
import { calledBy } from './contracts.ts'
import { cosmjsMessages } from './cosmjsCode.ts'
import { briefOf } from './cosmosMessages.ts'
import { calledFunction, decodeCall, decodeError } from './decodeCall.ts'
import { decodeLog } from './decodeLog.ts'
import { eventView } from './eventViews.ts'
import { moduleChanges } from './moduleChanges.ts'
import type { NumberPage } from './numberPages.ts'
import { precompileAt } from './precompileAbis.ts'
import type { Instance } from '../ports.ts'
import { type History, txAt } from '../../chain/indexing.ts'
import { checksumAddress } from '../../crypto/checksumAddress.ts'

/** Returns a page of transactions, newest first, which are numbered across the whole chain. */
export function transactionsView(instance: Instance, { before, from, limit }: NumberPage, known: KnownAbis) {
  const { history } = instance.simulation().node.chain
  const {
    firstTx,
    txs: { length },
  } = history
  const bottom = Math.max(from ?? firstTx, firstTx)
  const top = from === undefined ? Math.min(before, length) : Math.min(bottom + limit, length)
  const count = Math.max(Math.min(limit, top - bottom), 0)
  const numbers = Array.from({ length: count }, (_, index) => top - 1 - index)
  return numbers.flatMap((number) => {
    const found = heldTx(history, txAt(history, number))
    return found === undefined ? [] : [{ number, ...transactionRow(instance, found.record, found.tx, known) }]
  })
}

/** Returns the transactions of a block in order. */
export function blockTransactions(instance: Instance, record: BlockRecord, known: KnownAbis) {
  return record.txs.map((tx) => transactionRow(instance, record, tx, known))
}

/** Returns a transaction as a row of a list. */
export function transactionRow(
  { world }: Instance,
  record: BlockRecord,
  { hash, index, info }: TxRecord,
  known: KnownAbis,
) {
  const result = record.results.txResults[index]
  const raw = record.block.txs[index] ?? new Uint8Array(0)
  const inner = record.ethereum.transactions.find(({ cometIndex }) => cometIndex === index)
  const [signed] = inner === undefined ? [] : (world.ethereum?.unwrap(raw) ?? [])
  const brief = inner === undefined ? briefOf(raw) : undefined
  const isOk = result?.code === 0 && inner?.receipt.failed !== true
  return {
    height: Number(record.block.header.height),
    index,
    hash: upperHexOf(hash),
    ethHash: inner === undefined ? null : hexOf(inner.hash),
    kind: info?.kind ?? 'unknown',
    from: info === undefined ? null : checksumAddress(info.sender),
    action: brief?.action ?? (signed === undefined ? '' : actionOf(signed.tx, known)),
    to: signed?.tx.to === undefined ? (brief?.to ?? null) : checksumAddress(signed.tx.to),
    coins: brief?.coins ?? [],
    wei: signed === undefined ? null : String(signed.tx.value),
    gasUsed: Number(result?.gasUsed ?? 0n),
    gasWanted: Number(result?.gasWanted ?? 0n),
    ok: isOk,
    error: isOk ? '' : inner?.receipt.vmError || result?.log || 'failed',
    logs: inner?.receipt.logs.length ?? 0,
    events: result?.events.length ?? 0,
    creates: inner?.receipt.contractAddress === undefined ? null : checksumAddress(inner.receipt.contractAddress),
  }
}

/** Returns `deploy`, `transfer`, or the name or selector of the function that is called. */
function actionOf({ to, data }: Pick<EvmTx, 'to' | 'data'>, known: KnownAbis): string {
  if (to === undefined) return 'deploy'
  return data.length < 4
    ? 'transfer'
    : (calledFunction(data, known, precompileAt(to))?.name ?? hexOf(data.subarray(0, 4)))
}

/**
 * Returns the transaction with the given hash (of either interface) as both interfaces show it, or
 * undefined.
 */
export function transactionView(instance: Instance, text: string, known: KnownAbis) {
  const found = findTx(instance, text)
  if (found === undefined) return undefined
  const { record, tx } = found
  const { results } = record
  const events = results.txResults[tx.index]?.events ?? []
  const summary = transactionRow(instance, record, tx, known)
  const raw = record.block.txs[tx.index] ?? new Uint8Array(0)
  const inner = record.ethereum.transactions.find(({ cometIndex }) => cometIndex === tx.index)
  const [signed] = inner === undefined ? [] : (instance.world.ethereum?.unwrap(raw) ?? [])
  const eth = (method: string) => (summary.ethHash === null ? null : instance.peek('eth', method, [summary.ethHash]))
  return {
    ...summary,
    time: time.encode(record.block.header.time),
    latest: Number(instance.simulation().node.chain.height),
    nonce: signed === undefined ? null : Number(signed.tx.nonce),
    input: signed === undefined ? null : hexOf(signed.tx.data),
    call:
      signed === undefined || signed.tx.to === undefined
        ? null
        : decodeCall(signed.tx.data, known, calledBy(instance, signed.tx.to, known)),
    failure: inner?.receipt.failed === true ? decodeError(inner.receipt.output, known) : null,
    raw: hexOf(raw),
    ethereumRaw: inner === undefined ? null : hexOf(inner.raw),
    cosmjs: inner === undefined ? (cosmjsMessages(raw) ?? null) : null,
    cosmos: instance.peek('rest', `/cosmos/tx/v1beta1/txs/${upperHexOf(tx.hash)}`, {}),
    decodedLogs: (inner?.receipt.logs ?? []).map((log) => ({
      index: log.index,
      address: checksumAddress(log.address),
      decoded: decodeLog(log, known.events) ?? null,
      topics: log.topics.map(hexOf),
      data: hexOf(log.data),
    })),
    cosmosEvents: events.map(eventView),
    moduleChanges: moduleChanges(events),
    label: labelOf(instance, upperHexOf(tx.hash)),
    ethereum: eth('eth_getTransactionByHash'),
    receipt: eth('eth_getTransactionReceipt'),
    comet: instance.peek('comet', 'tx', { hash: Buffer.from(tx.hash).toString('base64') }),
  }
}

/** Returns the name that the scenario gives a transaction, by its CometBFT hash; null without one. */
function labelOf({ simulation }: Instance, hash: string): string | null {
  const { txs } = simulation().progress.facts
  const found = Object.entries(txs).find(([, one]) => one.hash.toUpperCase() === hash)
  return found === undefined ? null : (found[1].label ?? found[0])
}

/**
 * Returns the transaction with the given hash (of either interface) and its block, or undefined.
 */
export function findTx({ simulation }: Instance, text: string) {
  const { history } = simulation().node.chain
  const bytes = readGoHex(text.replace(/^0x/, ''))
  if (typeof bytes === 'string') return undefined
  const place = ethTxPlace(history, bytes)
  if (place === undefined) return heldTx(history, txByHash(history, bytes))
  const index = recordAt(history, place.height)?.ethereum.transactions[place.index]?.cometIndex
  return index === undefined ? undefined : heldTx(history, { height: place.height, index })
}

type TxPosition = { readonly height: bigint; readonly index: number }

/** Returns a transaction with its block, or undefined if the block was pruned. */
export function heldTx(history: History, place: TxPosition | undefined) {
  const record = place === undefined ? undefined : recordAt(history, place.height)
  const tx = place === undefined ? undefined : record?.txs[place.index]
  return record === undefined || tx === undefined ? undefined : { record, tx }
}
