/**
 * Old blocks, states and index entries in files. The folder FILE.history beside a state file FILE
 * has parts 000001, 000002, …, which hold the bytes of chunks one after another. FILE refers to a
 * chunk by its place and its CRC-32.
 */
import { constants } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { SimError } from '../../errors.ts'
import type { Disk } from '../durable/disk.ts'

/** The number of a part, the first byte of a chunk in it, its length in bytes and its CRC-32. */
export type ChunkPlace = {
  readonly part: number
  readonly at: number
  readonly length: number
  readonly sum: number
}

/** A part, and how many of its bytes are in use. */
export type PartSize = { readonly part: number; readonly bytes: number }

/** Returns the folder with the history of a state file. */
export function historyPathOf(path: string): string {
  return `${path}.history`
}

/** Returns the path of a part. */
export function partPath(folder: string, part: number): string {
  return join(folder, String(part).padStart(6, '0'))
}

/** Returns the bytes at a place. Throws `BrokenHistory` if they are missing or damaged. */
export function readChunk({ now }: Disk, folder: string, { part, at, length, sum }: ChunkPlace): Uint8Array {
  const path = partPath(folder, part)
  const bytes = new Uint8Array(length)
  let got = 0
  try {
    const file = now.open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0))
    try {
      for (let more = 1; more > 0 && got < length; got += more) more = now.read(file, bytes.subarray(got), at + got)
    } finally {
      now.close(file)
    }
  } catch (cause) {
    throw new BrokenHistory(path, (cause as Error).message, cause)
  }
  if (got < length) throw new BrokenHistory(path, `expected ${at + length} bytes, found ${at + got}`)
  if (crc32(bytes) !== sum) throw new BrokenHistory(path, `the ${length} bytes at ${at} are damaged`)
  return bytes
}

/** Old blocks or states are missing or damaged. */
export class BrokenHistory extends SimError {
  constructor(path: string, reason: string, cause?: unknown) {
    // Responses to requests have no hint.
    super('BROKEN_HISTORY', `${path}: ${reason}; restore a copy of it`, {
      cause,
      hint: 'The blocks in it cannot be read without a copy.',
    })
  }
}
