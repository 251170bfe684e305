/**
 * JSON of blocks, transactions, receipts and logs in Ethereum JSON-RPC, for methods and
 * subscriptions (`cosmos-evm-rpc.md` §3). Members are in the node's order.
 */
import type { EthereumLog, EthereumTx, ShownBlock } from '../chain/block.ts'
import { bloomOf } from '../chain/bloom.ts'
import { ethHashOf, ethParentOf } from '../chain/ethIds.ts'
import { ethereumBlockSize } from '../chain/ethereumBlockSize.ts'
import { blockBloom, receiptsRoot, transactionsRoot } from '../chain/ethereumRoots.ts'
import {
  decodeEthTx,
  legacyChainId,
  yParityOf,
  type EthAccess,
  type EthAuthorization,
  type EthTx,
} from '../codec/ethTx.ts'
import type { Plain, PlainObject } from '../codec/goJsonWrite.ts'
import { hexOf, plainHexOf, quantityOf } from '../codec/hex.ts'
import { remembered } from '../data/remembered.ts'

const zeroHash = `0x${'00'.repeat(32)}`
const emptyRoot = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421'
const emptyUncles = '0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347'
const emptyRequests = '0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

/**
 * Returns the JSON of a block header (`cosmos-evm-rpc.md` §3.1). The hash is CometBFT's; the state
 * root is the app hash after the previous block.
 */
export function headerJson(record: ShownBlock): PlainObject {
  const {
    block: { header },
    ethereum,
  } = record
  const { baseFee, transactions } = ethereum
  const parent = ethParentOf(record)
  return {
    ...(baseFee === undefined ? {} : { baseFeePerGas: quantityOf(baseFee) }),
    blobGasUsed: '0x0',
    difficulty: '0x0',
    excessBlobGas: '0x0',
    extraData: '0x',
    gasLimit: quantityOf(ethereum.gasLimit),
    gasUsed: quantityOf(ethereum.gasUsed),
    hash: hexOf(ethHashOf(record)),
    logsBloom: hexOf(blockBloom(transactions)),
    miner: hexOf(ethereum.miner),
    mixHash: ethereum.prevRandao === undefined ? zeroHash : hexOf(ethereum.prevRandao),
    nonce: '0x0000000000000000',
    number: quantityOf(header.height),
    parentBeaconBlockRoot: zeroHash,
    parentHash: parent.length === 0 ? zeroHash : hexOf(parent),
    receiptsRoot: hexOf(receiptsRoot(transactions)),
    requestsHash: emptyRequests,
    sha3Uncles: emptyUncles,
    stateRoot: hexOf(header.appHash),
    timestamp: quantityOf(header.time.seconds),
    transactionsRoot: hexOf(transactionsRoot(transactions)),
    withdrawalsRoot: emptyRoot,
  }
}

/** Returns the JSON of a block: its header, size and transactions, as hashes or in full. */
export function blockJson(record: ShownBlock, isFull: boolean): PlainObject {
  const {
    block: { header },
    ethereum,
  } = record
  const { transactions } = ethereum
  return byName({
    ...headerJson(record),
    size: quantityOf(ethereumBlockSize(header, ethereum)),
    transactions: transactions.map((tx) => (isFull ? minedTxJson(record, tx) : hexOf(tx.hash))),
    uncles: [],
    withdrawals: [],
  })
}

// Returns the members in alphabetical order, because the node holds a block in a Go map.
function byName(object: PlainObject): PlainObject {
  return Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)))
}

/**
 * Returns the JSON of a mined transaction (`cosmos-evm-rpc.md` §3.2); `gasPrice` is the price paid.
 */
export function minedTxJson(record: ShownBlock, mined: EthereumTx): PlainObject {
  const tx = decodeEthTx(mined.raw)
  const isPriced = tx.type === 0 || tx.type === 1
  return txJson(tx, {
    ...mined,
    gasPrice: isPriced ? tx.gasPrice : mined.receipt.effectiveGasPrice,
    place: {
      blockHash: hexOf(ethHashOf(record)),
      blockNumber: quantityOf(record.block.header.height),
      transactionIndex: quantityOf(mined.index),
    },
  })
}

export type Signed = {
  readonly raw: Uint8Array
  readonly hash: Uint8Array
  readonly from: Uint8Array
}

/** Returns the JSON of a pending transaction: no block, and the fee cap as `gasPrice`. */
export function pendingTxJson(signed: Signed): PlainObject {
  const tx = decodeEthTx(signed.raw)
  const gasPrice = tx.type === 0 || tx.type === 1 ? tx.gasPrice : tx.maxFeePerGas
  return txJson(tx, { ...signed, gasPrice, place: undefined })
}

type Shown = Signed & {
  readonly gasPrice: bigint
  readonly place:
    | {
        readonly blockHash: string
        readonly blockNumber: string
        readonly transactionIndex: string
      }
    | undefined
}

function txJson(tx: EthTx, { hash, from, gasPrice, place }: Shown): PlainObject {
  return {
    blockHash: place?.blockHash ?? null,
    blockNumber: place?.blockNumber ?? null,
    from: hexOf(from),
    gas: quantityOf(tx.gas),
    gasPrice: quantityOf(gasPrice),
    ...feeCapsJson(tx),
    hash: hexOf(hash),
    input: hexOf(tx.data),
    nonce: quantityOf(tx.nonce),
    to: tx.to === undefined ? null : hexOf(tx.to),
    transactionIndex: place?.transactionIndex ?? null,
    value: quantityOf(tx.value),
    type: quantityOf(tx.type),
    ...typedJson(tx),
    v: quantityOf(tx.v),
    r: quantityOf(tx.r),
    s: quantityOf(tx.s),
    ...(tx.type === 0 ? {} : { yParity: quantityOf(yParityOf(tx)) }),
  }
}

function feeCapsJson(tx: EthTx): PlainObject {
  if (tx.type === 0 || tx.type === 1) return {}
  return {
    maxFeePerGas: quantityOf(tx.maxFeePerGas),
    maxPriorityFeePerGas: quantityOf(tx.maxPriorityFeePerGas),
    ...(tx.type === 3 ? { maxFeePerBlobGas: quantityOf(tx.blobFeeCap) } : {}),
  }
}

function typedJson(tx: EthTx): PlainObject {
  if (tx.type === 0) {
    const chainId = legacyChainId(tx)
    return chainId === undefined ? {} : { chainId: quantityOf(chainId) }
  }
  return {
    accessList: accessListJson(tx.accessList),
    chainId: quantityOf(tx.chainId),
    ...(tx.type === 3 ? { blobVersionedHashes: tx.blobHashes.map(hexOf) } : {}),
    ...(tx.type === 4 ? { authorizationList: tx.authorizations.map(authorizationJson) } : {}),
  }
}

/** Returns the JSON of an EIP-2930 access list. */
export function accessListJson(list: readonly EthAccess[]): Plain {
  return list.map(({ address, storageKeys }) => ({ address: hexOf(address), storageKeys: storageKeys.map(hexOf) }))
}

/** Returns the JSON of an EIP-7702 authorization. */
export function authorizationJson({ chainId, address, nonce, yParity, r, s }: EthAuthorization): Plain {
  return {
    chainId: quantityOf(chainId),
    address: hexOf(address),
    nonce: quantityOf(nonce),
    yParity: quantityOf(yParity),
    r: quantityOf(r),
    s: quantityOf(s),
  }
}

/**
 * Returns the JSON of a receipt (`cosmos-evm-rpc.md` §3.3). `cumulativeGas` is a parameter because
 * the node sums gas up in only one of the two places that show receipts.
 */
export function receiptJson(record: ShownBlock, mined: EthereumTx, cumulativeGas: bigint): PlainObject {
  const { receipt } = mined
  const tx = decodeEthTx(mined.raw)
  return {
    blockHash: hexOf(ethHashOf(record)),
    blockNumber: quantityOf(record.block.header.height),
    contractAddress: receipt.contractAddress === undefined ? null : hexOf(receipt.contractAddress),
    cumulativeGasUsed: quantityOf(cumulativeGas),
    effectiveGasPrice: quantityOf(receipt.effectiveGasPrice),
    from: hexOf(mined.from),
    gasUsed: quantityOf(receipt.gasUsed),
    logs: receipt.logs.map((log) => logJson(record, mined, log)),
    logsBloom: hexOf(bloomOf(receipt.logs)),
    status: receipt.failed ? '0x0' : '0x1',
    to: tx.to === undefined ? null : hexOf(tx.to),
    transactionHash: hexOf(mined.hash),
    transactionIndex: quantityOf(mined.index),
    type: quantityOf(tx.type),
  }
}

/** Returns the JSON of a log with its position in the chain (`cosmos-evm-rpc.md` §3.4). */
export function logJson(record: ShownBlock, mined: EthereumTx, log: EthereumLog): PlainObject {
  const { blockNumber, blockHash, blockTimestamp } = blockOfLogs(record)
  const { transactionHash, transactionIndex } = txOfLogs(mined)
  return {
    address: hexOf(log.address),
    topics: log.topics.map(hexOf),
    data: hexOf(log.data),
    blockNumber,
    transactionHash,
    transactionIndex,
    blockHash,
    blockTimestamp,
    logIndex: quantityOf(log.index),
    removed: false,
  }
}

/**
 * Returns `logJson` as text. It is faster for searches with thousands of logs; no value needs
 * escaping.
 */
export function logText(record: ShownBlock, mined: EthereumTx, log: EthereumLog): string {
  const { blockNumber, blockHash, blockTimestamp } = blockOfLogs(record)
  const { transactionHash, transactionIndex } = txOfLogs(mined)
  // A join gives a plain text; a template would give a tree of its pieces, which is slower to join again.
  const pieces = ['{"address":"0x', plainHexOf(log.address), '","topics":[']
  for (const topic of log.topics) pieces.push(pieces.length === 3 ? '"0x' : ',"0x', plainHexOf(topic), '"')
  pieces.push('],"data":"0x', plainHexOf(log.data))
  pieces.push('","blockNumber":"', blockNumber, '","transactionHash":"', transactionHash)
  pieces.push('","transactionIndex":"', transactionIndex, '","blockHash":"', blockHash)
  pieces.push('","blockTimestamp":"', blockTimestamp, '","logIndex":"', quantityOf(log.index), '","removed":false}')
  return pieces.join('')
}

/**
 * Texts that the logs of a block or transaction share, computed once because a search finds
 * thousands.
 */
const blockOfLogs = remembered((record: ShownBlock) => ({
  blockNumber: quantityOf(record.block.header.height),
  blockHash: hexOf(ethHashOf(record)),
  blockTimestamp: quantityOf(record.block.header.time.seconds),
}))
const txOfLogs = remembered(({ hash, index }: EthereumTx) => ({
  transactionHash: hexOf(hash),
  transactionIndex: quantityOf(index),
}))
