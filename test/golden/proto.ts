/**
 * Protobuf without a schema, as the recorded cases of gRPC write it: a message is an object by field
 * numbers, and how a delimited field is read is always guessed in the same way.
 *
 *     {"1": 5, "2": "text", "3": {"1": "x"}, "4": [1, 2], "5": {"$hex": "00ff"}}
 */
import { Num, type Json } from './json.ts'

type Tree = { readonly [field: string]: unknown }

/** Returns the bytes of a tree; `{"$hex": …}` and `{"$b64": …}` are bytes themselves. */
export function encodeTree(tree: unknown): Buffer {
  const { $hex, $b64, ...fields } = tree as { $hex?: string; $b64?: string } & Tree
  if ($hex !== undefined) return Buffer.from($hex, 'hex')
  if ($b64 !== undefined) return Buffer.from($b64, 'base64')
  return Buffer.concat(
    Object.entries(fields).flatMap(([field, value]) =>
      (Array.isArray(value) ? value : [value]).map((each) => encodeField(BigInt(field), each)),
    ),
  )
}

function encodeField(field: bigint, value: unknown): Buffer {
  const tag = (type: bigint) => varint((field << 3n) | type)
  if (typeof value === 'number' || typeof value === 'boolean') {
    return Buffer.concat([tag(0n), varint(BigInt(value))])
  }
  const content = typeof value === 'string' ? Buffer.from(value) : encodeTree(value)
  return Buffer.concat([tag(2n), varint(BigInt(content.length)), content])
}

function varint(value: bigint): Buffer {
  const bytes: number[] = []
  for (let rest = BigInt.asUintN(64, value); ; rest >>= 7n) {
    if (rest < 128n) return Buffer.from([...bytes, Number(rest)])
    bytes.push(Number(rest & 127n) | 128)
  }
}

/** Returns the tree of a message, or undefined where the bytes are none. */
export function decodeTree(bytes: Buffer): Map<string, Json> | undefined {
  const out = new Map<string, Json>()
  for (let rest = bytes; rest.length > 0; ) {
    const field = decodeField(rest)
    if (field === undefined) return undefined
    const seen = out.get(field.number)
    out.set(
      field.number,
      seen === undefined ? field.value : Array.isArray(seen) ? [...seen, field.value] : [seen, field.value],
    )
    rest = field.rest
  }
  return out
}

type Field = { readonly number: string; readonly value: Json; readonly rest: Buffer }

function decodeField(bytes: Buffer): Field | undefined {
  const tag = readVarint(bytes)
  if (tag === undefined || tag.value >> 3n === 0n || tag.value >> 3n > 0x1fffffffn) return undefined
  const number = String(tag.value >> 3n)
  const wireType = tag.value & 7n
  if (wireType === 0n) {
    const read = readVarint(tag.rest)
    return read && { number, value: new Num(String(read.value)), rest: read.rest }
  }
  if (wireType === 2n) {
    const size = readVarint(tag.rest)
    if (size === undefined || size.value > BigInt(size.rest.length)) return undefined
    const end = Number(size.value)
    return { number, value: guess(size.rest.subarray(0, end)), rest: size.rest.subarray(end) }
  }
  const size = wireType === 1n ? 8 : wireType === 5n ? 4 : undefined
  if (size === undefined || tag.rest.length < size) return undefined
  const value = new Map([[`$fixed${size * 8}`, tag.rest.toString('hex', 0, size)]])
  return { number, value, rest: tag.rest.subarray(size) }
}

function readVarint(bytes: Buffer): { value: bigint; rest: Buffer } | undefined {
  let value = 0n
  for (const [at, byte] of bytes.subarray(0, 10).entries()) {
    value |= BigInt(byte & 127) << BigInt(at * 7)
    if (byte < 128) return { value: BigInt.asUintN(64, value), rest: bytes.subarray(at + 1) }
  }
  return undefined
}

/** Text if it is printable UTF-8, else a message if it parses as one, else bytes. */
function guess(bytes: Buffer): Json {
  const text = bytes.toString('utf8')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it is there to find them
  if (!/^\n|[\x00-\x09\x0b-\x1f\x7f\ufffd]/.test(text)) return text
  const message = decodeTree(bytes)
  const isLikeHash = [20, 32, 64, 65].includes(bytes.length)
  if (message !== undefined && (!isLikeHash || typeof message.get('1') === 'string')) return message
  return new Map([['$hex', bytes.toString('hex')]])
}
