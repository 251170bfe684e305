import { SimError } from '../errors.ts'

/** A string of bytes, or a list of items. */
export type RlpItem = Uint8Array | readonly RlpItem[]

/** Returns the RLP of an item (Ethereum yellow paper, appendix B). */
export function encodeRlp(item: RlpItem): Uint8Array {
  const out = new Uint8Array(rlpSize(item))
  writeBefore(item, out, out.length)
  return out
}

/** Returns how many bytes the RLP of an item has. */
export function rlpSize(item: RlpItem): number {
  const size = contentSize(item)
  if (item instanceof Uint8Array && size === 1 && (item[0] ?? 0) < 0x80) return 1
  return size + (size <= 55 ? 1 : 1 + widthOf(size))
}

/** Returns a non-negative integer as big-endian bytes without leading zeros; zero is empty. */
export function rlpInteger(value: bigint): Uint8Array {
  if (value === 0n) return new Uint8Array(0)
  const digits = value.toString(16)
  return new Uint8Array(Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex'))
}

/** A position in RLP input; `ends` holds the end offset of each open list, outermost first. */
export type RlpStream = { readonly bytes: Uint8Array; readonly ends: number[]; at: number }

/** The header of the next item: its kind, and the offset and length of its content. */
export type RlpHead = {
  readonly kind: 'byte' | 'string' | 'list'
  readonly start: number
  readonly size: number
}

/**
 * Returns the header of the next item, or undefined at the end of the open list. Throws `RlpError`
 * with the texts of geth's Stream.
 */
export function peekRlp(stream: RlpStream): RlpHead | undefined {
  const end = stream.ends.at(-1)
  if (end !== undefined && stream.at >= end) return undefined
  if (stream.at >= stream.bytes.length) throw new RlpError(end === undefined ? 'EOF' : 'unexpected EOF')
  const lead = stream.bytes[stream.at] ?? 0
  const start = stream.at + 1
  if (lead < 0x80) return { kind: 'byte', start: stream.at, size: 1 }
  const kind = lead < 0xc0 ? 'string' : 'list'
  const short = lead - (kind === 'string' ? 0x80 : 0xc0)
  if (short <= 55) return fitting(stream, { kind, start, size: short })
  const width = short - 55
  const size = longSize(stream, start, width)
  return fitting(stream, { kind, start: start + width, size })
}

/**
 * Returns the content of the next string, which must have the shortest encoding, and moves past it.
 */
export function takeString(stream: RlpStream): Uint8Array {
  const head = peekRlp(stream)
  if (head === undefined) throw new RlpError('EOL')
  if (head.kind === 'list') throw new RlpError('expected input string or byte', { open: true })
  const content = stream.bytes.slice(head.start, head.start + head.size)
  if (head.kind === 'string' && head.size === 1 && (content[0] ?? 0) < 0x80) {
    throw new RlpError('non-canonical size information', { open: true })
  }
  stream.at = head.start + head.size
  return content
}

/** Enters the next list. */
export function enterList(stream: RlpStream): void {
  const head = peekRlp(stream)
  if (head === undefined) throw new RlpError('EOL')
  if (head.kind !== 'list') throw new RlpError('expected input list', { open: true })
  stream.at = head.start
  stream.ends.push(head.start + head.size)
}

/** Leaves the open list, which must have been read to its end. */
export function leaveList(stream: RlpStream): void {
  const end = stream.ends.pop() ?? 0
  if (stream.at < end) throw new RlpError('input list has too many elements', { open: true })
}

/** Returns the single RLP item in the input. Throws `RlpError`. */
export function decodeRlp(bytes: Uint8Array): RlpItem {
  return wholeRlp(bytes, takeItem)
}

/**
 * Returns the result of `take`. Throws `RlpError` if bytes are left over (geth rlp.DecodeBytes).
 */
export function wholeRlp<Value>(bytes: Uint8Array, take: (stream: RlpStream) => Value): Value {
  const stream = { bytes, ends: [], at: 0 }
  const value = take(stream)
  if (stream.at < bytes.length) throw new RlpError('rlp: input contains more than one value')
  return value
}

function takeItem(stream: RlpStream): RlpItem {
  if (peekRlp(stream)?.kind !== 'list') return takeString(stream)
  enterList(stream)
  const items: RlpItem[] = []
  while (peekRlp(stream) !== undefined) items.push(takeItem(stream))
  leaveList(stream)
  return items
}

function longSize(stream: RlpStream, start: number, width: number): number {
  const end = stream.ends.at(-1)
  if (end !== undefined && start + width > end) throw new RlpError('rlp: element is larger than containing list')
  if (start + width > stream.bytes.length) throw new RlpError('rlp: value size exceeds available input length')
  let size = 0
  for (let at = start; at < start + width; at += 1) size = size * 256 + (stream.bytes[at] ?? 0)
  if (stream.bytes[start] === 0 || size < 56) throw new RlpError('non-canonical size information', { open: true })
  return size
}

function fitting(stream: RlpStream, head: RlpHead): RlpHead {
  const end = stream.ends.at(-1)
  const last = head.start + head.size
  if (end !== undefined && last > end) throw new RlpError('rlp: element is larger than containing list')
  if (last > stream.bytes.length) throw new RlpError('rlp: value size exceeds available input length')
  return head
}

function contentSize(item: RlpItem): number {
  if (item instanceof Uint8Array) return item.length
  let size = 0
  for (const each of item) size += rlpSize(each)
  return size
}

/**
 * Writes an item that ends before `end` and returns where it begins. From the end, the length of a list is known when its
 * head is written.
 */
function writeBefore(item: RlpItem, out: Uint8Array, end: number): number {
  if (item instanceof Uint8Array) {
    const at = end - item.length
    out.set(item, at)
    const isHead = item.length === 1 && (item[0] ?? 0) < 0x80
    return isHead ? at : writeHeadBefore(out, at, { base: 0x80, size: item.length })
  }
  let at = end
  for (let index = item.length - 1; index >= 0; index--) at = writeBefore(item[index] ?? nothing, out, at)
  return writeHeadBefore(out, at, { base: 0xc0, size: end - at })
}

const nothing = new Uint8Array(0)

function writeHeadBefore(out: Uint8Array, end: number, { base, size }: { base: number; size: number }): number {
  if (size <= 55) {
    out[end - 1] = base + size
    return end - 1
  }
  let at = end
  for (let rest = size; rest > 0; rest = Math.floor(rest / 256)) out[--at] = rest & 0xff
  out[at - 1] = base + 55 + end - at
  return at - 1
}

function widthOf(size: number): number {
  return size < 0x100 ? 1 : size < 0x1_0000 ? 2 : size < 0x100_0000 ? 3 : 4
}

/**
 * Input that is not canonical RLP; `message` is geth's text. An `open` error lacks the name of the
 * Go type being read, which `rlpType.ts` adds.
 */
export class RlpError extends SimError {
  readonly open: boolean

  constructor(text: string, { open = false }: { open?: boolean } = {}) {
    super('BAD_RLP', open ? `rlp: ${text}` : text, {
      hint: 'The bytes are no canonical RLP of this type.',
    })
    this.open = open
  }
}
