import { type Codec, preview } from './codec.ts'
import { DecodeError, mismatchError } from './decodeError.ts'
import type { Json } from './goJson.ts'
import { goQuote } from './goText.ts'

/** Returns bytes as lower-case hex data with the prefix `0x`. */
export function hexOf(bytes: Uint8Array): string {
  return `0x${plainHexOf(bytes)}`
}

// Buffer's hexSlice works on any byte array, so no Buffer has to be created.
const { hexSlice } = Buffer.prototype

/** Returns bytes as lower-case hex digits without a prefix. */
export function plainHexOf(bytes: Uint8Array): string {
  return hexSlice.call(bytes, 0, bytes.length)
}

/** Returns an amount as an Ethereum quantity: no leading zeros, `0x0` for zero. */
export function quantityOf(value: bigint | number): string {
  return `0x${value.toString(16)}`
}

/** Returns the bytes of hex digits, or undefined for an odd number of them or another character. */
export function bytesOfDigits(digits: string): Uint8Array | undefined {
  if (digits.length % 2 !== 0) return undefined
  const bytes = Buffer.from(digits, 'hex')
  // Node takes a character beyond U+00FF for its lower byte: İ (U+0130) would be the digit 0.
  const isRead = bytes.length * 2 === digits.length && Buffer.byteLength(digits) === digits.length
  return isRead ? new Uint8Array(bytes) : undefined
}

/**
 * Returns the bytes of `0x` data. Throws DecodeError with the text of hexutil.Decode, which geth
 * uses where no Go type is named (filters, overrides).
 */
export function bytesOfHex(hex: string, path = ''): Uint8Array {
  if (hex === '') throw plainFailure('empty hex string', path, hex)
  // Unlike the decoders of types, it looks for wrong digits before it counts them.
  const isWrong = hasPrefix(hex) && /[^0-9a-f]/i.test(hex.slice(2))
  const result = isWrong ? 'invalid hex string' : readData(hex)
  if (typeof result === 'string') throw plainFailure(result, path, hex)
  return result
}

/** Returns the value of a quantity of 64 bits. Throws DecodeError with the text of hexutil.DecodeUint64. */
export function quantityOfHex(hex: string, path = ''): bigint {
  if (hex === '') throw plainFailure('empty hex string', path, hex)
  const result = readQuantity(hex, 64)
  if (typeof result === 'string') throw plainFailure(result, path, hex)
  return result
}

/**
 * Returns the codec of bytes of any length as `0x` data; an empty string decodes as no bytes (geth
 * hexutil.Bytes).
 */
export function data(): Codec<Uint8Array> {
  const goType = 'hexutil.Bytes'
  return {
    schema: { type: 'string', pattern: '^0x([0-9a-fA-F]{2})*$' },
    decode: (wire, path) => {
      const digits = stringContent(wire, path, goType)
      const result = digits === '' ? new Uint8Array(0) : readData(digits)
      if (typeof result !== 'string') return result
      throw mismatchError(path, { value: result, goType }, preview(wire))
    },
    encode: hexOf,
  }
}

/** Returns the codec of a fixed number of bytes as `0x` data (geth hexutil.UnmarshalFixedJSON). */
export function fixedData(size: number, goType: string): Codec<Uint8Array> {
  return {
    schema: { type: 'string', pattern: `^0x[0-9a-fA-F]{${size * 2}}$` },
    decode: (wire, path) => fixedBytes(wire, path, { size, goType }),
    encode: hexOf,
  }
}

/** Codec of a 20-byte address; letter case is ignored (cosmos-evm-rpc.md §1.3). */
export const address: Codec<Uint8Array> = fixedData(20, 'common.Address')

/** Codec of a 32-byte hash. */
export const hash: Codec<Uint8Array> = fixedData(32, 'common.Hash')

/**
 * Returns the codec of a quantity of up to `bits` bits; an empty string decodes as zero (geth
 * hexutil.Big, Uint64, Uint).
 */
export function quantity(goType: string, bits: 64 | 256): Codec<bigint> {
  return {
    schema: { type: 'string', pattern: '^0x(0|[1-9a-fA-F][0-9a-fA-F]*)$' },
    decode: (wire, path) => {
      const digits = stringContent(wire, path, goType)
      const result = digits === '' ? 0n : readQuantity(digits, bits)
      if (typeof result !== 'string') return result
      throw mismatchError(path, { value: result, goType }, preview(wire))
    },
    encode: quantityOf,
  }
}

/** Codec of an amount below 2^256. */
export const big: Codec<bigint> = quantity('*hexutil.Big', 256)

/** Codec of a 64-bit quantity. */
export const uint64: Codec<bigint> = quantity('hexutil.Uint64', 64)

/** Codec of an index or another small quantity. */
export const uint: Codec<bigint> = quantity('hexutil.Uint', 64)

/**
 * Codec of a count in hex or decimal, as a number or string; an empty string decodes as zero (geth
 * math.HexOrDecimal64).
 */
export const hexOrDecimal: Codec<bigint> = {
  schema: { anyOf: [{ type: 'string' }, { type: 'integer' }] },
  decode: (wire, path) => {
    const given = wire.type === 'string' ? wire.raw.slice(1, -1) : wire.raw
    const value = given === '' ? 0n : /^(0[xX][0-9a-fA-F]+|\d+)$/.test(given) ? BigInt(given) : undefined
    if (value !== undefined && value < 1n << 64n) return value
    throw plainFailure(`invalid hex or decimal integer ${goQuote(given)}`, path, preview(wire))
  },
  encode: quantityOf,
}

// Error texts of geth's hexutil package: a returned string is an error, anything else the value.
function readData(hex: string): Uint8Array | string {
  if (!hasPrefix(hex)) return 'hex string without 0x prefix'
  if (hex.length % 2 !== 0) return 'hex string of odd length'
  return bytesOfDigits(hex.slice(2)) ?? 'invalid hex string'
}

function readQuantity(hex: string, bits: 64 | 256): bigint | string {
  if (!hasPrefix(hex)) return 'hex string without 0x prefix'
  if (hex.length === 2) return 'hex string "0x"'
  if (hex.length > 3 && hex[2] === '0') return 'hex number with leading zero digits'
  if (hex.length - 2 > bits / 4) return `hex number > ${bits} bits`
  return /^[0-9a-fA-F]+$/.test(hex.slice(2)) ? BigInt(`0x${hex.slice(2)}`) : 'invalid hex string'
}

/**
 * Returns the bytes of a fixed-size `0x` text, with the error texts of geth's UnmarshalFixedText.
 */
function fixedBytes(wire: Json, path: string, type: { size: number; goType: string }): Uint8Array {
  const { size, goType } = type
  const given = stringContent(wire, path, goType)
  const wrong = (value: string): DecodeError => mismatchError(path, { value, goType }, preview(wire))
  if (given !== '' && !hasPrefix(given)) throw wrong('hex string without 0x prefix')
  const digits = given.slice(2)
  if (digits.length % 2 !== 0) throw wrong('hex string of odd length')
  if (digits.length !== size * 2) {
    const text = `hex string has length ${digits.length}, want ${size * 2} for ${goType}`
    throw new DecodeError({
      path,
      expected: `${size} bytes as 0x data`,
      received: preview(wire),
      text,
    })
  }
  const bytes = bytesOfDigits(digits)
  if (bytes === undefined) throw wrong('invalid hex string')
  return bytes
}

// geth reads the characters between the quotes without resolving escapes.
function stringContent(wire: Json, path: string, goType: string): string {
  if (wire.type === 'string') return wire.raw.slice(1, -1)
  throw mismatchError(path, { value: 'non-string', goType }, preview(wire))
}

function hasPrefix(hex: string): boolean {
  return hex.charCodeAt(0) === 0x30 && (hex.charCodeAt(1) | 0x20) === 0x78
}

function plainFailure(text: string, path: string, received: string): DecodeError {
  return new DecodeError({
    path,
    expected: '0x hex',
    received: received === '' ? '""' : received,
    text,
  })
}
