/**
 * Messages in amino's binary form (tendermint/go-amino). It is protobuf with fields numbered by
 * their position in Go's structs. A packed message begins with four bytes of its name's hash.
 */
import { AminoError, type Packed } from '../../../codec/schema/amino.ts'
import { codecOf } from '../../../codec/schema/codecs.ts'
import type { Field, MessageDescriptor } from '../../../codec/schema/descriptor.ts'
import { aminoMessages, findMessage, messageDescriptor } from '../../../codec/schema/lookup.ts'
import {
  finishWire,
  ProtobufError,
  readFields,
  varint,
  type WireField,
  type WireWriter,
  wireWriter,
  writeBytes,
  writeRaw,
  writeTag,
} from '../../../codec/protobuf/wire.ts'
import { concatBytes, equalBytes } from '../../../data/bytes.ts'
import { sha256 } from '../../../crypto/hash.ts'

const prefixBytes = 4
/** Maximum depth of nested messages. */
const depthMost = 32
const packed = codecOf('google.protobuf.Any')
const duration = codecOf('google.protobuf.Duration')
const nanosPerSecond = 1_000_000_000n

/** Returns the four-byte prefix of a registered name: bytes of its hash after the first three. */
export function aminoPrefix(name: string): Uint8Array {
  let hash = sha256(new TextEncoder().encode(name))
  const skipZeros = (): void => {
    while (hash[0] === 0) hash = hash.subarray(1)
  }
  skipZeros()
  hash = hash.subarray(3)
  skipZeros()
  return hash.subarray(0, prefixBytes)
}

/** Returns a packed message in amino's form. Throws `AminoError` if it has no amino form. */
export function toAminoBytes({ typeUrl, value }: Packed, depthLeft = depthMost): Uint8Array {
  const descriptor = findMessage(typeUrl.slice(1))
  const name = descriptor?.aminoName
  if (descriptor === undefined || name === undefined) throw new AminoError(`${typeUrl} has no amino form`)
  return concatBytes([aminoPrefix(name), renumbered(descriptor, value, { to: 'amino', depthLeft })])
}

/**
 * Returns the packed message decoded from amino's form. Throws `AminoError`, and `ProtobufError`
 * for malformed bytes.
 */
export function ofAminoBytes(bytes: Uint8Array, depthLeft = depthMost): Packed {
  const prefix = bytes.subarray(0, prefixBytes)
  const [, descriptor] = [...aminoMessages()].find(([name]) => equalBytes(aminoPrefix(name), prefix)) ?? []
  if (descriptor === undefined) {
    throw new AminoError(`unrecognized prefix bytes ${Buffer.from(prefix).toString('hex').toUpperCase()}`)
  }
  const value = renumbered(descriptor, bytes.subarray(prefixBytes), { to: 'proto', depthLeft })
  return { typeUrl: `/${descriptor.name}`, value }
}

type Way = { readonly to: 'amino' | 'proto'; readonly depthLeft: number }

function renumbered({ fields }: MessageDescriptor, bytes: Uint8Array, way: Way): Uint8Array {
  if (way.depthLeft === 0) throw new AminoError(`messages are more than ${depthMost} deep`)
  const inner = { ...way, depthLeft: way.depthLeft - 1 }
  const found = readFields(bytes)
  const writer = wireWriter()
  for (const [place, field] of fields.entries()) {
    const [from, to] = way.to === 'amino' ? [field.number, place + 1] : [place + 1, field.number]
    for (const each of found) if (each.number === from) writeOne(writer, to, { field, each, way: inner })
  }
  return finishWire(writer)
}

type One = { readonly field: Field; readonly each: WireField; readonly way: Way }

function writeOne(writer: WireWriter, number: number, { field, each, way }: One): void {
  const isMessage = field.kind === 'message'
  if (isMessage && field.typeName === 'google.protobuf.Duration') return writeDuration(writer, number, { each, way })
  if (each.wireType !== 2) {
    writeTag(writer, number, 0)
    return writeRaw(writer, varint(each.value))
  }
  const content = isMessage ? messageContent(field, each.value, way) : each.value
  // Amino omits an empty struct unless it is a list item.
  if (isMessage && way.to === 'amino' && content.length === 0 && !field.isList) return
  writeTag(writer, number, 2)
  writeBytes(writer, content)
}

function messageContent({ typeName }: Field, bytes: Uint8Array, way: Way): Uint8Array {
  if (typeName === 'google.protobuf.Timestamp') return bytes
  if (typeName !== 'google.protobuf.Any') return renumbered(messageDescriptor(typeName), bytes, way)
  return way.to === 'amino'
    ? toAminoBytes(packed.decode(bytes), way.depthLeft)
    : packed.encode(ofAminoBytes(bytes, way.depthLeft))
}

/** Writes a duration, which in Go is a number of nanoseconds. */
function writeDuration(writer: WireWriter, number: number, { each, way }: Omit<One, 'field'>): void {
  if (way.to === 'amino') {
    if (each.wireType !== 2) throw new ProtobufError(`proto: wrong wireType = ${each.wireType}`)
    const { seconds, nanos } = duration.decode(each.value)
    writeTag(writer, number, 0)
    return writeRaw(writer, varint(seconds * nanosPerSecond + BigInt(nanos)))
  }
  if (each.wireType === 2) throw new ProtobufError(`proto: wrong wireType = ${each.wireType}`)
  const value = BigInt.asIntN(64, each.value)
  writeTag(writer, number, 2)
  writeBytes(writer, duration.encode({ seconds: value / nanosPerSecond, nanos: Number(value % nanosPerSecond) }))
}
