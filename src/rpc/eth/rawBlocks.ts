/** Blocks in Ethereum's binary form. */
import type { BlockRecord } from '../../chain/block.ts'
import { ethParentOf } from '../../chain/ethIds.ts'
import { blockBloom, receiptsRoot, transactionsRoot } from '../../chain/ethereumRoots.ts'
import { bytesOfHex } from '../../codec/hex.ts'
import { decodeRlp, encodeRlp, peekRlp, RlpError, rlpInteger, type RlpItem } from '../../codec/rlp.ts'
import type { RpcError } from '../errors.ts'
import { serverError } from './errors.ts'
import { bigOf } from '../../data/bigEndian.ts'

const emptyRoot = bytesOfHex('0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421')
const emptyUncles = bytesOfHex('0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347')
const emptyRequests = bytesOfHex('0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')

/** Returns the RLP of the Ethereum header for a block (`cosmos-evm-rpc.md` §3.1). */
export function rawHeader(record: BlockRecord): Uint8Array {
  return encodeRlp(headerItem(record))
}

/** Returns the RLP of the Ethereum block: header, transactions, empty uncles, no withdrawals. */
export function rawBlock(record: BlockRecord): Uint8Array {
  const txs = record.ethereum.transactions.map(({ raw }): RlpItem => ((raw[0] ?? 0) > 0x7f ? decodeRlp(raw) : raw))
  return encodeRlp([headerItem(record), txs, [], []])
}

/** Returns the number of an RLP block. Throws with geth's text if the bytes are no block. */
export function numberInRawBlock(raw: Uint8Array): bigint {
  const item = listIn(raw)
  const [header] = item
  if (header === undefined || item.length < 3) throw undecodable('rlp: too few elements for types.extblock')
  if (header instanceof Uint8Array) throw undecodable('rlp: expected input list for types.Header')
  const number = header[8]
  if (!(number instanceof Uint8Array)) throw undecodable('rlp: too few elements for types.Header')
  return bigOf(number)
}

function headerItem(record: BlockRecord): RlpItem {
  const {
    block: { header },
    ethereum,
  } = record
  const parent = ethParentOf(record)
  const zeros = new Uint8Array(32)
  const { transactions } = ethereum
  return [
    parent.length === 0 ? zeros : parent,
    emptyUncles,
    ethereum.miner,
    header.appHash,
    transactionsRoot(transactions),
    receiptsRoot(transactions),
    blockBloom(transactions),
    rlpInteger(0n),
    rlpInteger(header.height),
    rlpInteger(ethereum.gasLimit),
    rlpInteger(ethereum.gasUsed),
    rlpInteger(header.time.seconds),
    new Uint8Array(0),
    ethereum.prevRandao ?? zeros,
    new Uint8Array(8),
    rlpInteger(ethereum.baseFee ?? 0n),
    emptyRoot,
    rlpInteger(0n),
    rlpInteger(0n),
    zeros,
    emptyRequests,
  ]
}

function listIn(raw: Uint8Array): readonly RlpItem[] {
  try {
    // geth looks whether it is a list before it reads on.
    const isList = peekRlp({ bytes: raw, ends: [], at: 0 })?.kind === 'list'
    const item = isList ? decodeRlp(raw) : raw
    if (!(item instanceof Uint8Array)) return item
  } catch (error) {
    if (error instanceof RlpError) throw undecodable(error.message)
    throw error
  }
  throw undecodable('rlp: expected input list for types.extblock')
}

function undecodable(text: string): RpcError {
  return serverError(`could not decode block: ${text}`)
}
