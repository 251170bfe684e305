import { textOfUtf8 } from '../../data/utf8.ts'
import { merge } from './merging.ts'
import { contentOf, encoded, putBytes, putLength, putOf, putSized, putText, putVarint } from './output.ts'
import { eachField, type WireField, fixed64, ProtobufError, readFields } from './wire.ts'

/**
 * The wire form of one field value. A single field is omitted if `isZero` is true for its value. A
 * message with `always` is written even when empty (gogoproto's non-nullable sub-messages).
 */
export type FieldType<Value> = {
  readonly wireType: 0 | 1 | 2
  zero(): Value
  isZero(value: Value): boolean
  content(value: Value): Uint8Array
  read(field: WireField): Value
  readonly packed?: boolean
  /** Whether the fields of all occurrences count, as those of a message do. */
  readonly merges?: boolean
  /**
   * Adds the items of another occurrence of a list field. Other types lack it: their last
   * occurrence wins.
   */
  append?(list: Value, field: WireField): void
}

/** A codec that encodes and decodes a message. */
export type Message<Value> = {
  encode(value: Partial<Value>): Uint8Array
  decode(bytes: Uint8Array): Value
  /** Whether another occurrence of a field of this type replaces the first instead of merging with it. */
  readonly isReplaced?: boolean
}

/**
 * Returns the codec of a message from its fields by number: `message({ 1: ['from', text], … })`.
 * `rivals` are the other members of a field's oneof, which it unsets.
 */
export function message<Value extends object>(
  fields: { readonly [number: number]: FieldOf<Value> },
  rivals: (number: number) => readonly string[] | undefined = () => undefined,
): Message<Value> {
  const entries = Object.entries(fields).map(([number, [name, type]]) =>
    entryOf(Number(number), { name, type, rivals: rivals(Number(number)) }),
  )
  const byNumber = new Map(entries.map((entry) => [entry.number, entry]))
  // The last result is cached, because parameters are decoded repeatedly from the same byte array.
  let last: { readonly bytes: Uint8Array; readonly value: Value } | undefined
  const put = (value: Partial<Value>): void => {
    const members = value as Readonly<Record<string, unknown>>
    for (const entry of entries) putField(entry, members[entry.name] ?? entry.type.zero())
  }
  const encode = (value: Partial<Value>) => encoded(put, value)
  putsOfMessages.set(encode, put)
  const check = (number: number, wireType: number): void => {
    const entry = byNumber.get(number)
    if (entry !== undefined) checkType(entry, wireType)
  }
  return {
    encode,
    decode: (bytes) => {
      if (bytes === last?.bytes) return last.value
      const value: Record<string, unknown> = {}
      for (const { name, type } of entries) value[name] = type.zero()
      let [seen, twice] = [0, 0]
      eachField(bytes, check, (field) => {
        const entry = byNumber.get(field.number)
        if (entry === undefined) return
        readInto(value, entry, field)
        twice |= seen & entry.mergeBit
        seen |= entry.mergeBit
      })
      if (twice !== 0)
        merge(
          value,
          bytes,
          entries.filter(({ mergeBit }) => (mergeBit & twice) !== 0),
        )
      last = { bytes, value: value as Value }
      return last.value
    },
  }
}

type FieldOf<Value> = {
  [Name in keyof Value & string]: readonly [Name, FieldType<NonNullable<Value[Name]>> | FieldType<Value[Name]>]
}[keyof Value & string]

/** `put` writes an item's content; for a list whose items are fields of their own, the content of one. */
type Entry = {
  readonly number: number
  readonly name: string
  readonly type: FieldType<unknown>
  readonly tag: number
  readonly isList: boolean
  readonly rivals: readonly string[]
  /** One bit for a field that merges, shared by few fields; 0 for another. */
  readonly mergeBit: number
  readonly put: (value: unknown) => void
}

type Given<Value> = {
  readonly name: string
  readonly type: FieldType<Value>
  readonly rivals: readonly string[] | undefined
}

function entryOf<Value>(number: number, { name, type: given, rivals }: Given<Value>): Entry {
  const type = given as Repeated
  const { item } = type
  // gogoproto replaces a message of a oneof.
  const mergeBit = type.merges === true && rivals === undefined ? 1 << (number % 32) : 0
  const tag = number * 8 + type.wireType
  const put = putOf((item ?? type).content)
  return { number, name, type, tag, isList: item !== undefined, rivals: rivals ?? [], mergeBit, put }
}

type Encode = (value: never) => Uint8Array

const putsOfMessages = new WeakMap<Encode, (value: never) => void>()

/** Returns the function that writes a message to the output; a codec of another kind writes its bytes. */
function putOfMessage<Value>(inner: Message<Value>): (value: Value) => void {
  const known = putsOfMessages.get(inner.encode) as ((value: Value) => void) | undefined
  return known ?? ((value) => putBytes(inner.encode(value)))
}

/** The type of UTF-8 strings. */
export const text: FieldType<string> = {
  wireType: 2,
  zero: () => '',
  isZero: (value) => value === '',
  content: contentOf(putText),
  read: (field) => textOfUtf8(fieldBytes(field)),
}

/** The type of byte strings. */
export const bytes: FieldType<Uint8Array> = {
  wireType: 2,
  zero: () => new Uint8Array(0),
  isZero: (value) => value.length === 0,
  content: contentOf(putBytes),
  read: (field) => fieldBytes(field),
}

/** The types of 64-bit integers, uint64 and int64; a negative int64 takes ten bytes. */
export const uint64: FieldType<bigint> = integer((value) => value)
export const int64: FieldType<bigint> = integer((value) => BigInt.asIntN(64, value))

/** The type of signed 8-byte little-endian integers: heights and rounds in CometBFT sign bytes. */
export const sfixed64: FieldType<bigint> = {
  wireType: 1,
  zero: () => 0n,
  isZero: (value) => value === 0n,
  content: fixed64,
  read: (field) => BigInt.asIntN(64, fieldNumber(field)),
}

/** The types of integers that fit a JavaScript number: uint32, int32 and enumerations. */
export const uint32: FieldType<number> = small((value) => BigInt.asUintN(32, value))
export const int32: FieldType<number> = small((value) => BigInt.asIntN(32, value))

/** The type of booleans. */
export const bool: FieldType<boolean> = {
  wireType: 0,
  zero: () => false,
  isZero: (value) => !value,
  content: contentOf((value) => putLength(value ? 1 : 0)),
  read: (field) => fieldNumber(field) !== 0n,
}

/** Returns the type of a sub-message that may be absent (undefined). */
export function nested<Value>(inner: Message<Value>): FieldType<Value | undefined> {
  const put = putOfMessage(inner)
  return {
    wireType: 2,
    merges: inner.isReplaced !== true,
    zero: () => undefined,
    isZero: (value) => value === undefined,
    content: contentOf((value) => {
      if (value !== undefined) put(value)
    }),
    read: (field) => inner.decode(fieldBytes(field)),
  }
}

/** Returns the type of a sub-message that is always written, even empty (comet-rpc.md §5.1). */
export function always<Value>(inner: Message<Value>): FieldType<Value> {
  return {
    wireType: 2,
    merges: inner.isReplaced !== true,
    zero: () => inner.decode(new Uint8Array(0)),
    isZero: () => false,
    content: contentOf(putOfMessage(inner)),
    read: (field) => inner.decode(fieldBytes(field)),
  }
}

/** Returns the type of a repeated field; numbers are packed into one field, as in proto3. */
export function repeated<Value>(item: FieldType<Value>): FieldType<readonly Value[]> {
  const packed = item.wireType !== 2
  const put = putOf(item.content)
  return {
    wireType: 2,
    packed,
    zero: () => [],
    isZero: (value) => value.length === 0,
    content: contentOf((value) => {
      for (const each of value) put(each)
    }),
    read: (field) => readItems(item, field),
    append: (list, field) => {
      // `zero` created this list for the message being decoded, so it may be changed.
      for (const each of readItems(item, field)) (list as Value[]).push(each)
    },
    ...(packed ? {} : { item }),
  }
}

type Repeated = FieldType<unknown> & { readonly item?: FieldType<unknown> }

function putField({ type, tag, isList, put }: Entry, value: unknown): void {
  if (type.isZero(value)) return
  if (isList) {
    for (const one of value as readonly unknown[]) {
      putLength(tag)
      putSized(put, one)
    }
    return
  }
  putLength(tag)
  if (type.wireType === 2) putSized(put, value)
  else put(value)
}

function checkType({ name, type }: Entry, wireType: number): void {
  if (wireType === type.wireType || type.packed === true) return
  throw new ProtobufError(`proto: wrong wireType = ${wireType} for field ${capital(name)}`)
}

// The last occurrence of a single field wins; repeated fields accumulate.
function readInto(value: Record<string, unknown>, { name, type, rivals }: Entry, field: WireField): void {
  for (const rival of rivals) value[rival] = undefined
  if (type.append === undefined) value[name] = type.read(field)
  else type.append(value[name], field)
}

function readItems<Value>(item: FieldType<Value>, field: WireField): readonly Value[] {
  if (field.wireType !== 2 || item.wireType === 2) return [item.read(field)]
  return unpack(item, field.value)
}

function unpack<Value>(item: FieldType<Value>, content: Uint8Array): Value[] {
  const values: Value[] = []
  for (let at = 0; at < content.length; ) {
    let end = at + 8
    if (item.wireType === 0) for (end = at + 1; ((content[end - 1] ?? 0) & 0x80) !== 0; end += 1);
    const one = readFields(Uint8Array.of(8 | item.wireType, ...content.subarray(at, end)))[0]
    if (one !== undefined) values.push(item.read(one))
    at = end
  }
  return values
}

function integer(fit: (value: bigint) => bigint): FieldType<bigint> {
  return {
    wireType: 0,
    zero: () => 0n,
    isZero: (value) => value === 0n,
    content: contentOf(putVarint),
    read: (field) => fit(fieldNumber(field)),
  }
}

function small(fit: (value: bigint) => bigint): FieldType<number> {
  return {
    wireType: 0,
    zero: () => 0,
    isZero: (value) => value === 0,
    content: contentOf((value) => {
      if (value >= 0) putLength(value)
      else putVarint(BigInt(value))
    }),
    read: (field) => Number(fit(fieldNumber(field))),
  }
}

/** Returns the bytes of a field. Throws `ProtobufError` if it is a number. */
export function fieldBytes(field: WireField): Uint8Array {
  if (field.wireType === 2) return field.value
  throw new ProtobufError(`proto: wrong wireType = ${field.wireType}`)
}

function fieldNumber(field: WireField): bigint {
  if (field.wireType !== 2) return field.value
  throw new ProtobufError(`proto: wrong wireType = ${field.wireType}`)
}

function capital(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1)
}
