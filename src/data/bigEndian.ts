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

/** Returns the number in bytes; 0 if there are none. */
export function bigOf(bytes: Uint8Array): bigint {
  // Reading hex takes a quarter of the time of shifting in the 32 bytes of a word.
  const hex = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex')
  return hex === '' ? 0n : BigInt(`0x${hex}`)
}

/** Returns an address as a word. */
export function addressWord(address: Uint8Array): Uint8Array {
  const word = new Uint8Array(32)
  word.set(address, 12)
  return word
}
