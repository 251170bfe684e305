/**
 * The payload of `newHeads`: the block's header, or the reference node's stand-in. The stand-in has
 * CometBFT's data hash as transactions root, no gas, and a different hash (`cosmos-evm-rpc.md`
 * §5.3).
 */
import type { BlockRecord } from '../chain/block.ts'
import { ethParentOf } from '../chain/ethIds.ts'
import type { PlainObject } from '../codec/goJsonWrite.ts'
import { bytesOfHex, hexOf, quantityOf } from '../codec/hex.ts'
import { encodeRlp, rlpInteger } from '../codec/rlp.ts'
import { keccak256 } from '../crypto/hash.ts'
import { headerJson } from './ethShapes.ts'

const emptyRoot = bytesOfHex('0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421')
const emptyUncles = bytesOfHex('0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347')
const emptyRequests = bytesOfHex('0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')

/** Returns the payload for a new block; `isStandIn` is set by the quirk `newheads-eth-hash`. */
export function newHeadJson(record: BlockRecord, isStandIn: boolean): PlainObject {
  return isStandIn ? standInJson(record) : headerJson(record)
}

function standInJson(record: BlockRecord): PlainObject {
  const {
    block: { header },
    ethereum: { baseFee },
  } = record
  const zeros = new Uint8Array(32)
  const before = ethParentOf(record)
  const parent = before.length === 0 ? zeros : before
  const bloom = new Uint8Array(256)
  const nonce = new Uint8Array(8)
  const time = header.time.seconds
  const none = rlpInteger(0n)
  const rlp = encodeRlp([
    parent,
    emptyUncles,
    header.proposerAddress,
    header.appHash,
    header.dataHash,
    emptyRoot,
    bloom,
    none,
    rlpInteger(header.height),
    none,
    none,
    rlpInteger(time),
    new Uint8Array(0),
    zeros,
    nonce,
    rlpInteger(baseFee ?? 0n),
    emptyRoot,
    none,
    none,
    emptyRoot,
    emptyRequests,
  ])
  return {
    parentHash: hexOf(parent),
    sha3Uncles: hexOf(emptyUncles),
    miner: hexOf(header.proposerAddress),
    stateRoot: hexOf(header.appHash),
    transactionsRoot: hexOf(header.dataHash),
    receiptsRoot: hexOf(emptyRoot),
    logsBloom: hexOf(bloom),
    difficulty: '0x0',
    number: quantityOf(header.height),
    gasLimit: '0x0',
    gasUsed: '0x0',
    timestamp: quantityOf(time),
    extraData: '0x',
    mixHash: hexOf(zeros),
    nonce: hexOf(nonce),
    baseFeePerGas: baseFee === undefined ? null : quantityOf(baseFee),
    withdrawalsRoot: hexOf(emptyRoot),
    blobGasUsed: '0x0',
    excessBlobGas: '0x0',
    parentBeaconBlockRoot: hexOf(emptyRoot),
    requestsHash: hexOf(emptyRequests),
    hash: hexOf(keccak256(rlp)),
  }
}
