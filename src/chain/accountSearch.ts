/** Finds the blocks with transactions of an account, by the index that also finds logs. */
import { decodeEthTx } from '../codec/ethTx.ts'
import { numbersOfAny } from '../data/appendIndex.ts'
import { accountKey, nonceKey } from './accountKeys.ts'
import type { BlockRecord, EthereumTx } from './block.ts'
import { recordAt } from './history.ts'
import { type History, logKey } from './indexing.ts'

/** The blocks that a search visits: from a height on, upwards or downwards. */
export type Walk = { readonly from: bigint; readonly step: 1n | -1n }

/** Returns the accounts that a transaction touches, some of them several times. */
export function accountsOf({ from, raw, receipt }: EthereumTx): readonly Uint8Array[] {
  const { to } = decodeEthTx(raw)
  return [from, to, receipt.contractAddress, ...receipt.logs.map(({ address }) => address)].filter(
    (one) => one !== undefined,
  )
}

/** Yields the blocks that may have a transaction that touches an account (`accountsOf`), in order. */
export function blocksOfAccount(history: History, account: Uint8Array, walk: Walk): Generator<BlockRecord> {
  return blocksWith(history, [accountKey(account), logKey(account)], walk)
}

/** Yields the blocks that may have a transaction of a sender with a nonce, oldest first. */
export function blocksOfSender(history: History, sender: Uint8Array, nonce: bigint): Generator<BlockRecord> {
  return blocksWith(history, [nonceKey(sender, nonce)], { from: history.base, step: 1n })
}

function* blocksWith(history: History, keys: readonly string[], { from, step }: Walk): Generator<BlockRecord> {
  const parts = partsOf(history)
  for (const part of step > 0n ? parts : parts.toReversed()) {
    const start = Number(from)
    const span =
      step > 0n ? { ...part, from: Math.max(part.from, start) } : { ...part, to: Math.min(part.to, start + 1) }
    for (const height of part.isIndexed ? indexed(history, keys, { span, step }) : heightsIn(span, step)) {
      const record = recordAt(history, BigInt(height))
      if (record !== undefined) yield record
    }
  }
}

/** Heights from `from` to `to` (exclusive). */
type Span = { readonly from: number; readonly to: number }

/** Returns the heights of the history in two parts: the index does not cover the newest blocks yet. */
function partsOf({ first, base, records, events }: History): readonly (Span & { isIndexed: boolean })[] {
  const [start, lowest] = [Number(first), Number(base)]
  const filed = start + events.length
  return [
    { from: lowest, to: filed, isIndexed: true },
    { from: Math.max(lowest, filed), to: start + records.length, isIndexed: false },
  ]
}

function* heightsIn({ from, to }: Span, step: Walk['step']): Generator<number> {
  if (step > 0n) for (let height = from; height < to; height++) yield height
  else for (let height = to - 1; height >= from; height--) yield height
}

/** The width of the first window that a search reads; each further one is twice as wide. */
const firstWidth = 256

/** Yields heights from the index in windows, so that a page of many blocks costs no more than the page. */
function* indexed(
  { logs }: History,
  keys: readonly string[],
  { span: { from, to }, step }: { readonly span: Span; readonly step: Walk['step'] },
): Generator<number> {
  let [low, high] = [from, to]
  for (let width = firstWidth; low < high; width *= 2) {
    const middle = step > 0n ? Math.min(high, low + width) : Math.max(low, high - width)
    const window = step > 0n ? { from: low, to: middle } : { from: middle, to: high }
    const heights = numbersOfAny(logs, keys, window)
    yield* step > 0n ? heights : heights.reverse()
    if (step > 0n) low = middle
    else high = middle
  }
}
