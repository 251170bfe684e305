/** The uncompressed form of a public key on secp256k1 (SEC 1 §2.3.4). */

const prime = 2n ** 256n - 2n ** 32n - 977n

/**
 * Returns the uncompressed public key (65 bytes) of a compressed one (33 bytes), or undefined if
 * the curve has no such point.
 */
export function uncompressed(publicKey: Uint8Array): Uint8Array | undefined {
  const lead = publicKey[0]
  if (publicKey.length !== 33 || (lead !== 2 && lead !== 3)) return undefined
  const x = publicKey.subarray(1).reduce((sum, byte) => sum * 256n + BigInt(byte), 0n)
  if (x >= prime) return undefined
  const square = (x ** 3n + 7n) % prime
  const root = power(square, (prime + 1n) / 4n)
  if ((root * root) % prime !== square) return undefined
  const y = root % 2n === BigInt(lead - 2) ? root : prime - root
  const key = new Uint8Array(65)
  key[0] = 4
  key.set(publicKey.subarray(1), 1)
  for (let at = 0; at < 32; at++) key[64 - at] = Number((y >> BigInt(8 * at)) & 255n)
  return key
}

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n
  let square = base
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if ((rest & 1n) === 1n) result = (result * square) % prime
    square = (square * square) % prime
  }
  return result
}
