/** Go's variable-length integers (`encoding/binary`), for numbers of up to 53 bits. */

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

/** Writes a zig-zag varint of a number ≥ 0 (`binary.PutVarint`) and returns the offset after it. */
export function writeVarint(target: Uint8Array, offset: number, value: number): number {
  return writeUvarint(target, offset, value * 2)
}
