/**
 * Reads protobuf bytes one field at a time, as Go's protowire does. Unlike `readFields`, it stops
 * at the first invalid field, so callers can check the fields before it first.
 */
import { ProtobufError } from './wire.ts'

/** A field's number and wire type (0 to 7); `end` is the offset after the tag. */
export type WireTag = { readonly number: number; readonly wireType: number; readonly end: number }

/** Returns the tag at an offset. Throws `ProtowireError`. */
export function tagAt(bytes: Uint8Array, at: number): WireTag {
  const { value, end } = varintAt(bytes, at)
  const number = value >> 3n
  if (number < 1n || number > 0x7fff_ffffn) throw new ProtowireError(proto('invalid field number'))
  return { number: Number(number), wireType: Number(value & 7n), end }
}

/** Returns the offset after a field's value, groups included. Throws `ProtowireError`. */
export function valueEnd(bytes: Uint8Array, tag: WireTag): number {
  const open: number[] = []
  let inner = tag
  for (;;) {
    let { end } = inner
    if (inner.wireType === 3) open.push(inner.number)
    else if (inner.wireType !== 4) end = plainEnd(bytes, inner)
    else if (open.pop() !== inner.number) {
      throw new ProtowireError(proto('mismatching end group marker'))
    }
    if (open.length === 0) return end
    inner = tagAt(bytes, end)
  }
}

function plainEnd(bytes: Uint8Array, { wireType, end }: WireTag): number {
  switch (wireType) {
    case 0:
      return varintAt(bytes, end).end
    case 1:
      return within(bytes, end + 8)
    case 2: {
      const length = varintAt(bytes, end)
      return within(bytes, length.end + Number(length.value))
    }
    case 5:
      return within(bytes, end + 4)
    default:
      throw new ProtowireError(proto('cannot parse reserved wire type'))
  }
}

function within(bytes: Uint8Array, end: number): number {
  if (end > bytes.length) throw new ProtowireError('unexpected EOF')
  return end
}

/** Returns the varint at an offset, at most ten bytes long. Throws `ProtowireError`. */
export function varintAt(bytes: Uint8Array, start: number): { value: bigint; end: number } {
  let value = 0n
  for (let at = start; at < start + 10; at++) {
    const byte = bytes[at]
    if (byte === undefined) throw new ProtowireError('unexpected EOF')
    if (at === start + 9 && byte > 1) break
    value |= BigInt(byte & 0x7f) << BigInt(7 * (at - start))
    if (byte < 0x80) return { value, end: at + 1 }
  }
  throw new ProtowireError(proto('variable length integer overflow'))
}

/**
 * Go's protobuf puts a no-break space after `proto:` so that no program depends on its error texts.
 */
function proto(problem: string): string {
  return `proto:\u00a0${problem}`
}

/** Invalid protobuf fields; `message` is protowire's text. */
export class ProtowireError extends ProtobufError {}
