/**
 * Serializes plain values compactly; a chain stores its past in this form. Repeated member names,
 * strings and objects (shared or equal) are written once and then referred to by number.
 * `plainValue.ts` reads the format.
 *
 * A value is a tag (`plainTags.ts`) and its content; counts and numbers are varints:
 *
 * | tag | content |
 * |---|---|
 * | undefined, null, false, true | none |
 * | whole, bigWhole | a number or bigint of at most 53 bits |
 * | negative, bigNegative | −1 minus the number or bigint |
 * | float | 8 bytes, big endian |
 * | bigint | the text of its decimal digits |
 * | latin, wide | number of UTF-16 units, then 1 or 2 bytes each |
 * | bytes | length, then the bytes |
 * | array, set, map | count, then the items; for a map, alternating keys and values |
 * | record | shape number, then the member values; a new shape lists its names first |
 * | again | number of an earlier string, byte array or object, counted as they end |
 * | kept | index of an object that is not serialized |
 */
import { assert } from '../errors.ts'
import { contentTable, sameContent, type ContentTable } from './contentTable.ts'
import { tags } from './plainTags.ts'
import { maxVarintLength, writeUvarint } from './varint.ts'

/** `kept` holds the objects that were not serialized. */
export type PlainBytes = { readonly bytes: Uint8Array; readonly kept: readonly object[] }

/**
 * The maximum size, in bytes, of objects that are compared by content. Longer ones are rarely
 * equal, so they are compared by identity.
 */
const comparedMost = 96

/** Serializes values one by one. */
export type PlainWriter = { readonly add: (value: unknown) => void; readonly done: () => PlainBytes }

/**
 * Returns a writer for primitives, byte arrays, arrays, plain objects, and sets and maps with
 * primitive keys, without cycles. An object for which `isKept` returns true is kept as an object.
 * `add` throws `AssertionFailed` for any other value.
 */
export function plainWriter(isKept?: (value: object) => boolean): PlainWriter {
  const to: Writing = {
    bytes: new Uint8Array(1 << 14),
    length: 0,
    count: 0,
    isKept,
    kept: new Map(),
    strings: new Map(),
    large: new Map(),
    contents: contentTable(),
    shapes: new Map(),
    shapeCount: 0,
  }
  return {
    add: (value) => writeValue(to, value),
    done: () => ({ bytes: to.bytes.slice(0, to.length), kept: [...to.kept.keys()] }),
  }
}

/** Serializes values. Throws as `plainWriter` does. */
export function plainBytes(values: readonly unknown[], isKept?: (value: object) => boolean): PlainBytes {
  const writer = plainWriter(isKept)
  for (const value of values) writer.add(value)
  return writer.done()
}

/** The output so far, and the numbers of values that may repeat. */
type Writing = {
  bytes: Uint8Array
  length: number
  count: number
  readonly isKept: ((value: object) => boolean) | undefined
  readonly kept: Map<object, number>
  readonly strings: Map<string, number>
  readonly large: Map<object, number>
  readonly contents: ContentTable
  /** By their first member name. */
  readonly shapes: Map<string | undefined, Shape[]>
  shapeCount: number
}

type Shape = { readonly names: readonly string[]; readonly number: number }

function writeValue(to: Writing, value: unknown): void {
  switch (typeof value) {
    case 'undefined':
      return writeByte(to, tags.undefined)
    case 'boolean':
      return writeByte(to, value ? tags.true : tags.false)
    case 'number':
      return writeNumber(to, value)
    case 'bigint':
      return writeBigint(to, value)
    case 'string':
      return writeString(to, value)
    default:
      assert(typeof value === 'object', `a ${typeof value} is no plain value`)
      return value === null ? writeByte(to, tags.null) : writeObject(to, value)
  }
}

function writeNumber(to: Writing, value: number): void {
  if (Number.isSafeInteger(value) && !Object.is(value, -0)) {
    return writeSigned(to, value, { whole: tags.whole, negative: tags.negative })
  }
  const bytes = new Uint8Array(8)
  new DataView(bytes.buffer).setFloat64(0, value)
  writeByte(to, tags.float)
  writeBytes(to, bytes)
}

function writeBigint(to: Writing, value: bigint): void {
  const number = Number(value)
  if (Number.isSafeInteger(number)) {
    return writeSigned(to, number, { whole: tags.bigWhole, negative: tags.bigNegative })
  }
  writeByte(to, tags.bigint)
  writeText(to, value.toString(), 1)
}

function writeSigned(to: Writing, value: number, { whole, negative }: { whole: number; negative: number }): void {
  writeByte(to, value < 0 ? negative : whole)
  writeVarint(to, value < 0 ? -1 - value : value)
}

function writeString(to: Writing, text: string): void {
  const known = to.strings.get(text)
  if (known !== undefined) return writeAgain(to, known)
  to.strings.set(text, to.count++)
  const isLatin = fitsLatin(text)
  writeByte(to, isLatin ? tags.latin : tags.wide)
  writeText(to, text, isLatin ? 1 : 2)
}

function fitsLatin(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 0xff) return false
  return true
}

function writeText(to: Writing, text: string, unitBytes: 1 | 2): void {
  writeVarint(to, text.length)
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (unitBytes === 2) writeByte(to, unit >> 8)
    writeByte(to, unit & 0xff)
  }
}

function writeObject(to: Writing, value: object): void {
  const known = to.large.get(value)
  if (known !== undefined) return writeAgain(to, known)
  if (to.isKept?.(value)) return writeKept(to, value)
  const start = to.length
  writeContent(to, value)
  if (to.length - start > comparedMost) {
    to.large.set(value, to.count++)
    return
  }
  const same = sameContent(to.contents, to.bytes, { start, end: to.length, value: to.count })
  if (same === undefined) {
    to.count++
    return
  }
  // Its parts were repeats too, so no number was assigned since `start`.
  to.length = start
  writeAgain(to, same)
}

function writeContent(to: Writing, value: object): void {
  if (value instanceof Uint8Array) {
    writeByte(to, tags.bytes)
    writeVarint(to, value.length)
    return writeBytes(to, value)
  }
  if (Array.isArray(value)) return writeItems(to, tags.array, { count: value.length, items: value })
  if (value instanceof Set) return writeItems(to, tags.set, { count: value.size, items: [...value].map(primitive) })
  if (value instanceof Map) return writeMap(to, value)
  const prototype: unknown = Object.getPrototypeOf(value)
  assert(prototype === Object.prototype || prototype === null, 'an object with a class is no plain value')
  writeRecord(to, value as Readonly<Record<string, unknown>>)
}

type Items = { readonly count: number; readonly items: Iterable<unknown> }

function writeItems(to: Writing, tag: number, { count, items }: Items): void {
  writeByte(to, tag)
  writeVarint(to, count)
  for (const item of items) writeValue(to, item)
}

function writeMap(to: Writing, map: ReadonlyMap<unknown, unknown>): void {
  writeByte(to, tags.map)
  writeVarint(to, map.size)
  for (const [key, value] of map) {
    writeValue(to, primitive(key))
    writeValue(to, value)
  }
}

/** Rejects object keys: two equal objects would be read as one key. */
function primitive(key: unknown): unknown {
  assert(typeof key !== 'object' || key === null, 'a set or map of objects is no plain value')
  return key
}

function writeRecord(to: Writing, value: Readonly<Record<string, unknown>>): void {
  let first: string | undefined
  for (const name in value) {
    first = name
    break
  }
  const alike = to.shapes.get(first) ?? []
  const known = shapeOf(alike, value)
  const names = known?.names ?? Object.keys(value)
  writeByte(to, tags.record)
  writeVarint(to, known?.number ?? to.shapeCount)
  if (known === undefined) {
    to.shapes.set(first, [...alike, { names, number: to.shapeCount++ }])
    writeVarint(to, names.length)
    for (const name of names) writeString(to, name)
  }
  for (const name of names) writeValue(to, value[name])
}

/** Returns the shape with a value's member names. The list of names costs more than the comparison. */
function shapeOf(alike: readonly Shape[], value: object): Shape | undefined {
  for (const shape of alike) {
    let count = 0
    for (const name in value) {
      if (shape.names[count] !== name) {
        count = -1
        break
      }
      count++
    }
    if (count === shape.names.length) return shape
  }
  return undefined
}

function writeKept(to: Writing, value: object): void {
  const index = to.kept.get(value) ?? to.kept.size
  to.kept.set(value, index)
  writeByte(to, tags.kept)
  writeVarint(to, index)
}

function writeAgain(to: Writing, number: number): void {
  writeByte(to, tags.again)
  writeVarint(to, number)
}

function writeByte(to: Writing, byte: number): void {
  if (to.length === to.bytes.length) grow(to, 1)
  to.bytes[to.length++] = byte
}

function writeVarint(to: Writing, number: number): void {
  if (to.length + maxVarintLength > to.bytes.length) grow(to, maxVarintLength)
  to.length = writeUvarint(to.bytes, to.length, number)
}

function writeBytes(to: Writing, bytes: Uint8Array): void {
  if (to.length + bytes.length > to.bytes.length) grow(to, bytes.length)
  to.bytes.set(bytes, to.length)
  to.length += bytes.length
}

function grow(to: Writing, atLeast: number): void {
  const larger = new Uint8Array(Math.max(2 * to.bytes.length, to.length + atLeast))
  larger.set(to.bytes)
  to.bytes = larger
}
