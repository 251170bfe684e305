import { type Codec, mismatch, preview } from './codec.ts'
import { DecodeError } from './decodeError.ts'
import { goInteger, maxInt64 } from './goIntegers.ts'
import { type Json, type JsonObject, parseJson } from './goJson.ts'
import { hash, hexOf, quantityOf, quantityOfHex } from './hex.ts'

/** Block names that refer to different blocks as the chain grows. */
export type BlockTag = 'earliest' | 'latest' | 'pending' | 'safe' | 'finalized'

/** A reference to a block. `none` is decoded from `null` and `{}`; the method rejects it later. */
export type BlockRef =
  | { readonly kind: 'tag'; readonly tag: BlockTag }
  | { readonly kind: 'height'; readonly height: bigint }
  | { readonly kind: 'hash'; readonly hash: Uint8Array }
  | { readonly kind: 'none' }

/**
 * Codec of Cosmos EVM's `BlockNumber`: a tag, hex, decimal or JSON number. Any other text without
 * `0x` is block 0 (cosmos-evm-rpc.md §1.4, corrections-b 7).
 */
export const blockNumber: Codec<BlockRef> = {
  schema: { anyOf: [{ type: 'string' }, { type: 'integer' }] },
  decode: (wire, path) => {
    const given = content(wire)
    const tag = tagOf(given, ['earliest', 'latest', 'pending', 'safe', 'finalized'])
    if (tag !== undefined) return tag
    const hex = given === '' || /^0[xX]/.test(given)
    return heightBelow2To63(hex ? quantityOfHex(given, path) : looseNumber(given), path)
  },
  encode: spell,
}

/** Codec of geth's `rpc.BlockNumber`: tags and strict hex only (feeHistory, log filters). */
export const gethBlockNumber: Codec<BlockRef> = {
  schema: { type: 'string' },
  decode: (wire, path) => {
    const given = content(wire)
    const tag = tagOf(given, ['earliest', 'latest', 'pending', 'safe', 'finalized'])
    return tag ?? heightBelow2To63(quantityOfHex(given, path), path)
  },
  encode: spell,
}

/**
 * Codec of Cosmos EVM's `BlockNumberOrHash`. It accepts tags except `safe`, strict hex, a
 * 66-character hash, or an object with either `blockNumber` or `blockHash` (cosmos-evm-rpc.md §1.4,
 * corrections-b 8).
 */
export const blockNumberOrHash: Codec<BlockRef> = {
  schema: { anyOf: [{ type: 'string' }, { type: 'object' }] },
  decode: (wire, path) => {
    if (wire.type === 'null') return { kind: 'none' }
    if (wire.type === 'object') return refOfObject(wire, path)
    if (wire.type !== 'string') throw mismatch(wire, path, 'string')
    return refOfText(wire.value, path)
  },
  encode: spell,
}

function refOfText(given: string, path: string): BlockRef {
  const tag = tagOf(given, ['earliest', 'latest', 'pending', 'finalized'])
  if (tag !== undefined) return tag
  if (given.length === 66) return { kind: 'hash', hash: hashOfText(given, path) }
  const height = quantityOfHex(given, path)
  if (height <= maxInt64) return { kind: 'height', height }
  const text = `uint64 value ${height} cannot exceed ${maxInt64}: invalid height`
  throw new DecodeError({ path, expected: 'a height below 2^63', received: given, text })
}

// Not a struct codec: if any part of the object fails, geth tries to read the whole as a string.
function refOfObject(wire: JsonObject, path: string): BlockRef {
  let number: BlockRef | undefined
  let hashBytes: Uint8Array | undefined
  try {
    for (const [name, value] of wire.members) {
      const key = name.toLowerCase()
      if (key === 'blocknumber') number = value.type === 'null' ? undefined : blockNumber.decode(value, path)
      if (key === 'blockhash') hashBytes = value.type === 'null' ? undefined : hash.decode(value, path)
    }
  } catch (error) {
    if (error instanceof DecodeError) throw mismatch(wire, path, 'string')
    throw error
  }
  if (number !== undefined && hashBytes !== undefined) {
    const text = 'cannot specify both BlockHash and BlockNumber, choose one or the other'
    throw new DecodeError({
      path,
      expected: 'blockHash or blockNumber',
      received: preview(wire),
      text,
    })
  }
  if (hashBytes !== undefined) return { kind: 'hash', hash: hashBytes }
  return number ?? { kind: 'none' }
}

// UnmarshalText names no type, so its error texts lack the surrounding JSON sentence.
function hashOfText(given: string, path: string): Uint8Array {
  try {
    return hash.decode(parseJson(JSON.stringify(given)), path)
  } catch (error) {
    const reason = error instanceof DecodeError ? error.mismatch?.value : undefined
    if (reason === undefined) throw error
    throw new DecodeError({ path, expected: 'a block hash', received: given, text: reason })
  }
}

function tagOf(given: string, tags: readonly BlockTag[]): BlockRef | undefined {
  const tag = tags.find((each) => each === given)
  return tag === undefined ? undefined : { kind: 'tag', tag }
}

function heightBelow2To63(height: bigint, path: string): BlockRef {
  if (height <= maxInt64) return { kind: 'height', height }
  const text = 'block number larger than int64'
  throw new DecodeError({ path, expected: 'a height below 2^63', received: `${height}`, text })
}

/**
 * Returns the number in a text as spf13/cast does: `2.9` is 2, `+3` is 3, `0b11` is 3, `010` is 8 and `1_0` is 10. What
 * does not parse or is too large silently becomes zero.
 */
function looseNumber(given: string): bigint {
  const whole = /^([-+]?\d*)\.\d*$/.exec(given)?.[1] ?? given
  const value = goInteger(whole.replace(/^\++/, ''), 'uint64', { anyBase: true })
  return typeof value === 'bigint' ? value : 0n
}

function content(wire: Json): string {
  return wire.type === 'string' ? wire.raw.slice(1, -1) : wire.raw
}

function spell(ref: BlockRef): string | null {
  switch (ref.kind) {
    case 'tag':
      return ref.tag
    case 'height':
      return quantityOf(ref.height)
    case 'hash':
      return hexOf(ref.hash)
    case 'none':
      return null
  }
}
