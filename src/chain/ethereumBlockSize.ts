/**
 * The block size that Ethereum JSON-RPC reports: the length of geth's RLP encoding
 * (`cosmos-evm-rpc.md` §3.1).
 */
import { rlpInteger, rlpSize, type RlpItem } from '../codec/rlp.ts'
import type { EthereumBlock, Header } from './block.ts'

const zero32 = new Uint8Array(32)
const noLogs = new Uint8Array(256)
const noBytes = new Uint8Array(0)

/**
 * Returns the size in bytes of a block's header, transactions, empty uncles and empty withdrawals.
 */
export function ethereumBlockSize(header: Header, block: EthereumBlock): number {
  const headerSize = rlpSize(headerItems(header, block))
  const body = block.transactions.reduce((sum, { raw }) => sum + sizeInList(raw), 0)
  const payload = headerSize + listSize(body) + listSize(0) + listSize(0)
  return listSize(payload)
}

/**
 * Returns a transaction's size in the list: a typed one is an RLP string, a legacy one an RLP list.
 */
function sizeInList(raw: Uint8Array): number {
  return (raw[0] ?? 0) >= 0xc0 ? raw.length : rlpSize(raw)
}

/** Returns the length of an RLP list with `payload` bytes of items. */
function listSize(payload: number): number {
  return payload < 56 ? payload + 1 : payload + 1 + Math.ceil(payload.toString(16).length / 2)
}

/**
 * Returns the items of a header. Hashes and the log filter are placeholders: only their length
 * counts.
 */
function headerItems(header: Header, { gasLimit, gasUsed, miner, baseFee }: EthereumBlock): RlpItem {
  return [
    zero32,
    zero32,
    miner,
    zero32,
    zero32,
    zero32,
    noLogs,
    noBytes,
    rlpInteger(header.height),
    rlpInteger(gasLimit),
    rlpInteger(gasUsed),
    rlpInteger(header.time.seconds),
    noBytes,
    zero32,
    new Uint8Array(8),
    ...(baseFee === undefined ? [] : [rlpInteger(baseFee)]),
    zero32,
    noBytes,
    noBytes,
    zero32,
    zero32,
  ]
}
