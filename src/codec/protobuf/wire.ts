import { maxInt64 } from '../goIntegers.ts'
import { SimError } from '../../errors.ts'

/** The protobuf wire type of a field: varint, 64-bit, length-delimited or 32-bit. */
export type WireType = 0 | 1 | 2 | 5

/** A field of the input: a varint or fixed-size number, or bytes. */
export type WireField =
  | { readonly number: number; readonly wireType: 0 | 1 | 5; readonly value: bigint }
  | { readonly number: number; readonly wireType: 2; readonly value: Uint8Array }

/** Collects bytes to write. A plain array of chunks keeps messages with few fields cheap. */
export type WireWriter = { chunks: Uint8Array[]; length: number }

/** Returns an empty writer. */
export function wireWriter(): WireWriter {
  return { chunks: [], length: 0 }
}

/** Returns all written bytes. */
export function finishWire(writer: WireWriter): Uint8Array {
  const out = new Uint8Array(writer.length)
  let at = 0
  for (const chunk of writer.chunks) {
    out.set(chunk, at)
    at += chunk.length
  }
  return out
}

/** Appends bytes unchanged. */
export function writeRaw(writer: WireWriter, bytes: Uint8Array): void {
  writer.chunks.push(bytes)
  writer.length += bytes.length
}

/** Appends a field's number and wire type. */
export function writeTag(writer: WireWriter, number: number, wireType: WireType): void {
  writeRaw(writer, lengthVarint(number * 8 + wireType))
}

/** Appends a length and that many bytes. */
export function writeBytes(writer: WireWriter, bytes: Uint8Array): void {
  writeRaw(writer, lengthVarint(bytes.length))
  writeRaw(writer, bytes)
}

/** Returns an integer as a varint; a negative one takes ten bytes, as int64 does. */
export function varint(value: bigint): Uint8Array {
  if (value >= 0n && value < shortEnd) return shortVarint(Number(value))
  const bytes: number[] = []
  let rest = BigInt.asUintN(64, value)
  while (rest >= 0x80n) {
    bytes.push(Number(rest & 0x7fn) | 0x80)
    rest >>= 7n
  }
  bytes.push(Number(rest))
  return Uint8Array.from(bytes)
}

// Most tags, lengths and numbers fit one byte. The arrays are shared and never changed, because
// allocating one costs more than the rest of its field.
const oneByte = Array.from({ length: 0x80 }, (_, value) => Uint8Array.of(value))

/** Below this, a varint has at most four bytes, and arithmetic of 32 bits is enough for it. */
const shortEnd = 1 << 28
const shortBytes = 4

function shortVarint(value: number): Uint8Array {
  const known = oneByte[value]
  if (known !== undefined) return known
  const bytes = new Uint8Array(value < 1 << 14 ? 2 : value < 1 << 21 ? 3 : shortBytes)
  let rest = value
  for (let at = 0; at < bytes.length; at++) {
    bytes[at] = (rest & 0x7f) | (at < bytes.length - 1 ? 0x80 : 0)
    rest >>>= 7
  }
  return bytes
}

function lengthVarint(value: number): Uint8Array {
  return value < shortEnd ? shortVarint(value) : varint(BigInt(value))
}

/** Returns an integer as eight bytes, little-endian (fixed64, sfixed64). */
export function fixed64(value: bigint): Uint8Array {
  const out = new Uint8Array(8)
  new DataView(out.buffer).setBigUint64(0, BigInt.asUintN(64, value), true)
  return out
}

/** Returns the bytes prefixed with their length, as CometBFT delimits what it signs and stores. */
export function lengthPrefixed(bytes: Uint8Array): Uint8Array {
  const writer = wireWriter()
  writeBytes(writer, bytes)
  return finishWire(writer)
}

/**
 * Returns the fields of a message in order, skipping groups. Throws `ProtobufError` with
 * gogoproto's texts.
 */
export function readFields(bytes: Uint8Array): WireField[] {
  const fields: WireField[] = []
  eachField(
    bytes,
    () => {},
    (field) => fields.push(field),
  )
  return fields
}

/**
 * Visits the fields of a message in order, skipping groups. As in Go, `check` sees the type of a
 * field before its content is read, so it may throw for a field that is cut off.
 */
export function eachField(
  bytes: Uint8Array,
  check: (number: number, wireType: number) => void,
  visit: (field: WireField) => void,
): void {
  const scan = { bytes, at: 0 }
  while (scan.at < bytes.length) {
    const tag = readTag(scan)
    if (tag.wireType !== 4) check(tag.number, tag.wireType)
    if (tag.wireType === 3) skipGroup(scan)
    else visit(readField(scan, tag))
  }
}

type Scan = { readonly bytes: Uint8Array; at: number }

type Tag = { readonly number: number; readonly wireType: number }

function readTag(scan: Scan): Tag {
  const tag = readShort(scan) ?? readVarint(scan)
  const number = typeof tag === 'number' ? tag >>> 3 : Number(tag >> 3n)
  const wireType = typeof tag === 'number' ? tag & 7 : Number(tag & 7n)
  if (number > 0 && number <= 0x7fff_ffff) return { number, wireType }
  throw new ProtobufError(`proto: illegal tag ${number} (wire type ${wireType})`)
}

/** Skips a group. Groups are deprecated, but old writers and attackers may still send them. */
function skipGroup(scan: Scan): void {
  for (let depth = 1; depth > 0; ) {
    const tag = readTag(scan)
    if (tag.wireType === 3) depth += 1
    else if (tag.wireType === 4) depth -= 1
    else readField(scan, tag)
  }
}

function readField(scan: Scan, { number, wireType }: Tag): WireField {
  switch (wireType) {
    case 0:
      return { number, wireType, value: readVarint(scan) }
    case 1:
      return { number, wireType, value: littleEndian(take(scan, 8)) }
    case 2:
      return { number, wireType, value: take(scan, readLength(scan)) }
    case 5:
      return { number, wireType, value: littleEndian(take(scan, 4)) }
  }
  throw new ProtobufError(`proto: illegal wireType ${wireType}`)
}

/** Returns a varint of at most four bytes. Returns undefined and reads nothing if there is none. */
function readShort(scan: Scan): number | undefined {
  let value = 0
  for (let length = 0; length < shortBytes; length++) {
    const byte = scan.bytes[scan.at + length]
    if (byte === undefined) return undefined
    value |= (byte & 0x7f) << (7 * length)
    if (byte < 0x80) {
      scan.at += length + 1
      return value
    }
  }
  return undefined
}

function readVarint(scan: Scan): bigint {
  const short = readShort(scan)
  if (short !== undefined) return BigInt(short)
  let value = 0n
  for (let shift = 0n; shift < 64n; shift += 7n) {
    const byte = scan.bytes[scan.at]
    if (byte === undefined) throw new ProtobufError('unexpected EOF')
    scan.at += 1
    value |= BigInt(byte & 0x7f) << shift
    if (byte < 0x80) return BigInt.asUintN(64, value)
  }
  throw new ProtobufError('proto: integer overflow')
}

/** Go reads lengths as signed integers. */
function readLength(scan: Scan): number {
  const length = readShort(scan) ?? readVarint(scan)
  if (length <= maxInt64) return Number(length)
  throw new ProtobufError('proto: negative length found during unmarshaling')
}

function take(scan: Scan, length: number): Uint8Array {
  if (scan.at + length > scan.bytes.length) throw new ProtobufError('unexpected EOF')
  const bytes = scan.bytes.slice(scan.at, scan.at + length)
  scan.at += length
  return bytes
}

function littleEndian(bytes: Uint8Array): bigint {
  return bytes.reduceRight((value, byte) => value * 256n + BigInt(byte), 0n)
}

/** An invalid protobuf message; `message` is gogoproto's text. */
export class ProtobufError extends SimError {
  constructor(text: string) {
    super('BAD_PROTOBUF', text, {
      hint: 'The bytes are not the protobuf encoding of this message.',
    })
  }
}

/** Returns gogoproto's text for bytes that are no message of a type: two of the texts include its name. */
export function goText({ message }: ProtobufError, type: string): string {
  const name = type.slice(type.lastIndexOf('.') + 1)
  return message
    .replace(/^proto: illegal tag/, `proto: ${name}: illegal tag`)
    .replace(/^proto: illegal wireType 4$/, `proto: ${name}: wiretype end group for non-group`)
}
