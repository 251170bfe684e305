/**
 * The size that Ethereum JSON-RPC reports: that of the block in geth's RLP (`cosmos-evm-rpc.md` §3.1).
 */
import { encodeRlp, rlpInteger, type RlpItem } from '../codec/rlp.ts'
import type { EthereumBlock, Header } from './block.ts'

const zero32 = new Uint8Array(32)
const noLogs = new Uint8Array(256)
const noBytes = new Uint8Array(0)

/** Returns bytes; header, transactions, no uncles, no withdrawals. */
export function ethereumBlockSize(header: Header, block: EthereumBlock): number {
  const headerSize = encodeRlp(headerItems(header, block)).length
  const body = block.transactions.reduce((sum, { raw }) => sum + sizeInList(raw), 0)
  const payload = headerSize + listSize(body) + listSize(0) + listSize(0)
  return listSize(payload)
}

/** A typed transaction stands in the block as a text, a legacy one as the list that it is. */
function sizeInList(raw: Uint8Array): number {
  return (raw[0] ?? 0) >= 0xc0 ? raw.length : encodeRlp(raw).length
}

/** The length of an RLP list whose items take `payload` bytes. */
function listSize(payload: number): number {
  return payload < 56 ? payload + 1 : payload + 1 + Math.ceil(payload.toString(16).length / 2)
}

/** Hashes and the log filter only count by their length: which stands there does not matter. */
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
