/** Integers as 32-byte words in two's complement. */

/** Returns a number modulo 2^256 as a word. */
export function wordOf(number: bigint): Uint8Array {
  const word = new Uint8Array(32)
  const view = new DataView(word.buffer)
  const unsigned = BigInt.asUintN(256, number)
  for (let at = 0; at < 4; at++) {
    view.setBigUint64(at * 8, BigInt.asUintN(64, unsigned >> BigInt(192 - at * 64)))
  }
  return word
}

/** Returns the number in bytes, big-endian. */
export function bigOf(bytes: Uint8Array): bigint {
  let number = 0n
  for (const byte of bytes) number = (number << 8n) | BigInt(byte)
  return number
}
