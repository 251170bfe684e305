/** RLP for tests, written apart from src/ so that neither proves itself. */

export type RlpItem = Uint8Array | readonly RlpItem[]

function concat(parts: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  parts.reduce((at, part) => {
    joined.set(part, at)
    return at + part.length
  }, 0)
  return joined
}

/** Returns the big-endian bytes of a number without leading zeros. */
export function minimal(value: bigint | number): Uint8Array {
  const digits = BigInt(value).toString(16)
  return digits === '0'
    ? new Uint8Array()
    : Uint8Array.from(Buffer.from(digits.padStart(digits.length + (digits.length % 2), '0'), 'hex'))
}

function header(length: number, short: number): Uint8Array {
  if (length < 56) return Uint8Array.of(short + length)
  const size = minimal(length)
  return concat([Uint8Array.of(short + 55 + size.length), size])
}

function isBytes(item: RlpItem): item is Uint8Array {
  return item instanceof Uint8Array
}

/** Returns the encoding of bytes or of a list. */
export function rlp(item: RlpItem): Uint8Array {
  if (!isBytes(item)) {
    const body = concat(item.map(rlp))
    return concat([header(body.length, 0xc0), body])
  }
  const first = item[0]
  if (item.length === 1 && first !== undefined && first < 0x80) return item
  return concat([header(item.length, 0x80), item])
}

/** Returns the encoding of a list whose items are encoded already. */
export function rlpRaw(items: readonly Uint8Array[]): Uint8Array {
  const body = concat(items)
  return concat([header(body.length, 0xc0), body])
}
