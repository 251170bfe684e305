/**
 * Parameters that several methods of Ethereum JSON-RPC share, with their decoders
 * (`cosmos-evm-rpc.md` §1.3, §1.4).
 */
import type { Chain } from '../../chain/chain.ts'
import { blockNumber, blockNumberOrHash, gethBlockNumber, type BlockRef } from '../../codec/blockRef.ts'
import { array, float, integer, optional, text, type Codec } from '../../codec/codec.ts'
import { jsonOf } from '../../codec/goJsonWrite.ts'
import { address, big, data, hash, uint, uint64 } from '../../codec/hex.ts'
import { inRole, param, type Param } from '../method.ts'

export const latest: BlockRef = { kind: 'tag', tag: 'latest' }
export const pending: BlockRef = { kind: 'tag', tag: 'pending' }

/** Returns whether a reference means the block that would be mined next. */
export function isPending(ref: BlockRef): boolean {
  return ref.kind === 'tag' && ref.tag === 'pending'
}

/**
 * Returns whether a reference means the same state as long as the chain does not change. On a wall
 * clock, the time of the block that would be mined next moves.
 */
export function isFixedIn({ clock }: Chain, ref: BlockRef): boolean {
  return !isPending(ref) || clock.source === 'logical'
}

/** The state to read, by tag, height, hash or object; the latest if omitted. */
export const stateParam: Param<BlockRef> = inRole('state', param('block', blockNumberOrHash, latest))

/** A block by tag, height or hash; the latest if omitted. */
export const blockParam: Param<BlockRef> = inRole('block', stateParam)

/** A block by tag or number. */
export const numberParam: Param<BlockRef> = inRole('block', param('block', blockNumber))

export const addressParam: Param<Uint8Array> = param('address', address)
export const blockHashParam: Param<Uint8Array> = inRole('blockHash', param('hash', hash))

export const txHashParam: Param<Uint8Array> = inRole('txHash', param('hash', hash))
export const indexParam: Param<bigint> = param('index', uint)
export const passwordParam: Param<string> = param('password', text())

/** A password, which wallets omit when they request a signature. */
export const unusedPassword: Codec<string> = text()
export const unusedPasswordParam: Param<string> = param('password', unusedPassword, '')

export const dataParam: Param<Uint8Array> = param('data', data())

/** A filter id: any text, as in geth's `rpc.ID`. */
export const idParam: Param<string> = param('id', text('rpc.ID'))

/** The percentiles of `eth_feeHistory`. */
export const percentiles: Codec<readonly number[]> = array(float(), '[]float64')

/** JSON numbers with the ranges of Go's `uint64` and `int`. */
export const goUint64: Codec<bigint> = integer('uint64')
export const goUint: Codec<bigint> = integer('uint')
export const goInt: Codec<bigint> = integer('int')

export const optionalBig: Codec<bigint | undefined> = optional(big)
export const optionalUint64: Codec<bigint | undefined> = optional(uint64)

/**
 * The decoder without quirks: `safe` is a valid tag, and a block number must be a number (quirks
 * `safe-tag-rejected`, `loose-block-numbers`).
 */
export const saneBlockNumberOrHash: Codec<BlockRef> = {
  ...blockNumberOrHash,
  decode: (wire, path) => {
    if (wire.type === 'string' && wire.value === 'safe') return { kind: 'tag', tag: 'safe' }
    return blockNumberOrHash.decode(wire, path)
  },
}

export const saneBlockNumber: Codec<BlockRef> = {
  ...blockNumber,
  decode: (wire, path) => {
    const given = wire.type === 'string' ? wire.value : wire.raw
    const isNumber = /^\d+$/.test(given) && (wire.type === 'number' || wire.type === 'string')
    if (isNumber) return blockNumber.decode(wire, path)
    if (wire.type === 'string') return gethBlockNumber.decode(wire, path)
    return gethBlockNumber.decode(jsonOf(given), path)
  },
}
