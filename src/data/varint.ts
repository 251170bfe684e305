/** Go's variable-length integers (`encoding/binary`), for numbers of up to 53 bits. */

import { assert } from '../errors.ts'

/** The maximum length of a varint here, in bytes: 54 bits in groups of seven. */
export const maxVarintLength = 8

/** Writes an unsigned varint (`binary.PutUvarint`) and returns the offset after it. */
export function writeUvarint(target: Uint8Array, offset: number, value: number): number {
  let rest = value
  let at = offset
  // Division instead of shifts, which would truncate to 32 bits.
  while (rest >= 0x80) {
    target[at++] = (rest % 0x80) | 0x80
    rest = Math.floor(rest / 0x80)
  }
  target[at++] = rest
  return at
}

/** Reads an unsigned varint and moves `at` behind it. Throws with the text `isOver` if the bytes end in it. */
export function readUvarint(from: { readonly bytes: Uint8Array; at: number }, isOver: string): number {
  let [number, factor] = [0, 1]
  for (;;) {
    const byte = from.bytes[from.at++]
    assert(byte !== undefined, isOver)
    number += (byte & 0x7f) * factor
    if (byte < 0x80) return number
    factor *= 0x80
  }
}

/** Writes a zig-zag varint of a number ≥ 0 (`binary.PutVarint`) and returns the offset after it. */
export function writeVarint(target: Uint8Array, offset: number, value: number): number {
  return writeUvarint(target, offset, value * 2)
}
