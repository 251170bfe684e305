/**
 * Views of an instance's linear memory, and cursors that read and write its buffers sequentially.
 */
import { maxUint64 } from '../codec/goIntegers.ts'

/** The current views; `refreshed` replaces them after the memory has grown. */
export type Memory = { source: WebAssembly.Memory; bytes: Uint8Array; view: DataView }

/** Returns views over the whole memory. */
export function memoryOf(source: WebAssembly.Memory): Memory {
  return { source, bytes: new Uint8Array(source.buffer), view: new DataView(source.buffer) }
}

/** Returns the memory with valid views: growth detaches the old ones. */
export function refreshed(memory: Memory): Memory {
  if (memory.bytes.byteLength === 0) {
    memory.bytes = new Uint8Array(memory.source.buffer)
    memory.view = new DataView(memory.source.buffer)
  }
  return memory
}

/** Writes an amount as 32 bytes little-endian. */
function setU256(view: DataView, at: number, value: bigint): void {
  // DataView writes the low 64 bits of its argument; most amounts fit in two limbs.
  view.setBigUint64(at, value, true)
  const high = value > maxUint64 ? value >> 64n : 0n
  view.setBigUint64(at + 8, high, true)
  const top = high > maxUint64 ? high >> 64n : 0n
  view.setBigUint64(at + 16, top, true)
  view.setBigUint64(at + 24, top >> 64n, true)
}

/** Returns the amount in 32 bytes little-endian. */
export function getU256(view: DataView, at: number): bigint {
  const first = view.getBigUint64(at, true)
  const second = view.getBigUint64(at + 8, true)
  const third = view.getBigUint64(at + 16, true)
  const fourth = view.getBigUint64(at + 24, true)
  const low = second === 0n ? first : first | (second << 64n)
  return third === 0n && fourth === 0n ? low : low | (third << 128n) | (fourth << 192n)
}

/** A position in a buffer that advances with each read or write; see `engine/src/abi.rs`. */
export type BufferCursor = { bytes: Uint8Array; view: DataView; at: number }

/** Returns a cursor at a memory address. */
export function cursorAt(memory: Memory, at: number): BufferCursor {
  const { bytes, view } = refreshed(memory)
  return { bytes, view, at }
}

export function putU8(cursor: BufferCursor, value: number): void {
  cursor.view.setUint8(cursor.at, value)
  cursor.at += 1
}

export function putCount(cursor: BufferCursor, value: number): void {
  cursor.view.setUint32(cursor.at, value, true)
  cursor.at += 4
}

export function putU64(cursor: BufferCursor, value: bigint): void {
  cursor.view.setBigUint64(cursor.at, value, true)
  cursor.at += 8
}

export function putU128(cursor: BufferCursor, value: bigint): void {
  putU64(cursor, value)
  putU64(cursor, value > maxUint64 ? value >> 64n : 0n)
}

export function putU256(cursor: BufferCursor, value: bigint): void {
  setU256(cursor.view, cursor.at, value)
  cursor.at += 32
}

/** Writes bytes whose length the layout fixes. */
export function putRaw(cursor: BufferCursor, bytes: Uint8Array): void {
  cursor.bytes.set(bytes, cursor.at)
  cursor.at += bytes.length
}

/** Writes a length and that many bytes. */
export function putBytes(cursor: BufferCursor, bytes: Uint8Array): void {
  putCount(cursor, bytes.length)
  putRaw(cursor, bytes)
}

export function takeU8(cursor: BufferCursor): number {
  cursor.at += 1
  return cursor.view.getUint8(cursor.at - 1)
}

export function takeCount(cursor: BufferCursor): number {
  cursor.at += 4
  return cursor.view.getUint32(cursor.at - 4, true)
}

export function takeU64(cursor: BufferCursor): bigint {
  cursor.at += 8
  return cursor.view.getBigUint64(cursor.at - 8, true)
}

export function takeU256(cursor: BufferCursor): bigint {
  cursor.at += 32
  return getU256(cursor.view, cursor.at - 32)
}

/** Returns a copy of the next bytes, because the memory is reused. */
export function takeRaw(cursor: BufferCursor, length: number): Uint8Array {
  cursor.at += length
  return cursor.bytes.slice(cursor.at - length, cursor.at)
}

export function takeBytes(cursor: BufferCursor): Uint8Array {
  return takeRaw(cursor, takeCount(cursor))
}

/** Reads a count and calls `take` that often; returns the results. */
export function takeList<T>(cursor: BufferCursor, take: (cursor: BufferCursor) => T): T[] {
  const list: T[] = []
  for (let left = takeCount(cursor); left > 0; left -= 1) list.push(take(cursor))
  return list
}
