/** Integers in bytes, most significant first, as the EVM reads them. */

/** Returns a number modulo 2^256 as a word of 32 bytes; a negative one is in two's complement. */
export function wordOf(number: bigint): Uint8Array {
  const word = new Uint8Array(32)
  const view = new DataView(word.buffer)
  const unsigned = BigInt.asUintN(256, number)
  for (let at = 0; at < 4; at++) {
    view.setBigUint64(at * 8, BigInt.asUintN(64, unsigned >> BigInt(192 - at * 64)))
  }
  return word
}

/** Returns the number in bytes. */
export function bigOf(bytes: Uint8Array): bigint {
  let number = 0n
  for (const byte of bytes) number = (number << 8n) | BigInt(byte)
  return number
}

/** Returns an address as a word. */
export function addressWord(address: Uint8Array): Uint8Array {
  const word = new Uint8Array(32)
  word.set(address, 12)
  return word
}
