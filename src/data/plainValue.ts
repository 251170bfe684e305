/** Reads the format of `plainBytes.ts`. Repeated values become the same object. */
import { assert } from '../errors.ts'
import { readUvarint } from './varint.ts'
import { toBinaryString } from './binaryString.ts'
import type { PlainBytes } from './plainBytes.ts'
import { tags } from './plainTags.ts'

/** Returns the written values. Byte arrays are views of the input: do not write to them. */
export function plainValues({ bytes, kept }: PlainBytes): unknown[] {
  const from: Reading = { bytes, kept, at: 0, earlier: [], shapes: [] }
  const values: unknown[] = []
  while (from.at < bytes.length) values.push(readValue(from))
  return values
}

type Reading = {
  readonly bytes: Uint8Array
  readonly kept: readonly object[]
  at: number
  /** The values that later ones may refer to, by number. */
  readonly earlier: unknown[]
  readonly shapes: (readonly string[])[]
}

function readValue(from: Reading): unknown {
  const tag = readByte(from)
  switch (tag) {
    case tags.undefined:
      return undefined
    case tags.null:
      return null
    case tags.false:
      return false
    case tags.true:
      return true
    case tags.whole:
      return readVarint(from)
    case tags.negative:
      return -1 - readVarint(from)
    case tags.bigWhole:
      return BigInt(readVarint(from))
    case tags.bigNegative:
      return BigInt(-1 - readVarint(from))
    case tags.bigint:
      return BigInt(readLatin(from))
    case tags.float:
      return readFloat(from)
    case tags.again:
      return from.earlier[readVarint(from)]
    case tags.kept:
      return from.kept[readVarint(from)]
    case tags.latin:
      return numbered(from, readLatin(from))
    case tags.wide:
      return numbered(from, readWide(from))
    default:
      return numbered(from, readObject(from, tag))
  }
}

function numbered(from: Reading, value: unknown): unknown {
  from.earlier.push(value)
  return value
}

function readObject(from: Reading, tag: number): unknown {
  switch (tag) {
    case tags.bytes:
      return readBytes(from, readVarint(from))
    case tags.array:
      return readItems(from, readVarint(from))
    case tags.set:
      return new Set(readItems(from, readVarint(from)))
    case tags.map:
      return new Map(Array.from({ length: readVarint(from) }, () => [readValue(from), readValue(from)] as const))
    default:
      assert(tag === tags.record, `no plain value begins with ${tag}`)
      return readRecord(from)
  }
}

function readItems(from: Reading, count: number): unknown[] {
  const items: unknown[] = []
  for (let i = 0; i < count; i++) items.push(readValue(from))
  return items
}

function readRecord(from: Reading): unknown {
  const number = readVarint(from)
  const names = from.shapes[number] ?? readShape(from)
  const record: Record<string, unknown> = {}
  for (const name of names) record[name] = readValue(from)
  return record
}

function readShape(from: Reading): readonly string[] {
  const names = readItems(from, readVarint(from)) as string[]
  from.shapes.push(names)
  return names
}

const isOver = 'plain values end before their bytes'

function readByte(from: Reading): number {
  const byte = from.bytes[from.at++]
  assert(byte !== undefined, isOver)
  return byte
}

function readVarint(from: Reading): number {
  return readUvarint(from, isOver)
}

function readBytes(from: Reading, length: number): Uint8Array {
  from.at += length
  assert(from.at <= from.bytes.length, isOver)
  return from.bytes.subarray(from.at - length, from.at)
}

function readFloat(from: Reading): number {
  const { buffer, byteOffset } = readBytes(from, 8)
  return new DataView(buffer, byteOffset, 8).getFloat64(0)
}

function readLatin(from: Reading): string {
  return toBinaryString(readBytes(from, readVarint(from)))
}

function readWide(from: Reading): string {
  const length = readVarint(from)
  const bytes = readBytes(from, 2 * length)
  let text = ''
  for (let i = 0; i < bytes.length; i += 2) text += String.fromCharCode(((bytes[i] ?? 0) << 8) | (bytes[i + 1] ?? 0))
  return text
}
