/**
 * Keyed randomness (design §3): a draw depends only on seed, label and index. There is no shared
 * generator, so adding a draw never changes another one.
 *
 * Bytes are hash(hash(seed) ‖ index ‖ counter ‖ label), index and counter as 8 big-endian bytes.
 */
import { assert } from '../errors.ts'
import { concatBytes, type HashFunction } from './bytes.ts'
import { bigOf } from './bigEndian.ts'

export type Random = {
  /** Returns `length` bytes. */
  readonly bytes: (label: string, index: Index, length: number) => Uint8Array
  /** Returns a uniform draw from 0…n−1, of the type of `n`; n ≥ 1. */
  readonly below: <Limit extends Index>(label: string, index: Index, n: Limit) => Widen<Limit>
  /** Returns a uniform draw from [0, 1) in steps of 2⁻⁵³. */
  readonly ratio: (label: string, index: Index) => number
}

/** The number of a draw with a label: an integer ≥ 0 and below 2⁶⁴. */
export type Index = number | bigint

type Widen<Limit> = Limit extends number ? number : bigint

/** Returns the draws of a seed; `hash` must return at least 16 bytes. */
export function createRandom(seed: Uint8Array, hash: HashFunction): Random {
  const key = hash(seed)
  const bytes: Random['bytes'] = (label, index, length) => {
    const text = new TextEncoder().encode(label)
    const blocks: Uint8Array[] = []
    for (let have = 0; have < length; have += blocks.at(-1)?.length ?? length) {
      blocks.push(hash(concatBytes([key, eightBytes(index), eightBytes(blocks.length), text])))
    }
    return concatBytes(blocks).slice(0, length)
  }
  return {
    bytes,
    below: <Limit extends Index>(label: string, index: Index, n: Limit) => {
      const draw = drawBelow((length) => bytes(label, index, length), BigInt(n))
      // The conditional type is right, but the compiler cannot infer it for a generic.
      return (typeof n === 'number' ? Number(draw) : draw) as Widen<Limit>
    },
    ratio: (label, index) => {
      const draw = drawBelow((length) => bytes(label, index, length), 1n << 53n)
      return Number(draw) / 2 ** 53
    },
  }
}

/** Draws as many bits as `n` needs and rejects values ≥ `n`, so that the result is uniform. */
function drawBelow(bytes: (length: number) => Uint8Array, n: bigint): bigint {
  assert(n >= 1n, `cannot draw below ${n}`)
  const bits = (n - 1n).toString(2).length
  const width = Math.ceil(bits / 8)
  // Each try reads the next bytes of one stream; the chance of failure halves with each.
  for (let tries = 4; ; tries *= 2) {
    const stream = bytes(width * tries)
    for (let at = 0; at < stream.length; at += width) {
      const draw = bigOf(stream.subarray(at, at + width)) >> BigInt(width * 8 - bits)
      if (draw < n) return draw
    }
  }
}

function eightBytes(value: Index): Uint8Array {
  const bytes = new Uint8Array(8)
  new DataView(bytes.buffer).setBigUint64(0, BigInt(value))
  return bytes
}
