/** Gzip compression in the format that other development nodes use (RFC 1952). */
import { Gunzip, gzipSync } from 'fflate'
import { concatBytes } from '../data/bytes.ts'
import { SimError, thrownText } from '../errors.ts'

/** Returns gzip-compressed bytes, which are reproducible because they contain no timestamp. */
export function gzip(bytes: Uint8Array): Uint8Array {
  return gzipSync(bytes, { mtime: 0 })
}

/** The number of compressed bytes read at a time. */
const sliceBytes = 16 * 1024

/**
 * Returns the decompressed bytes. Throws `BadGzip` for invalid input, and `GzipTooLarge` for more
 * than `bytesMost` bytes.
 */
export function gunzip(packed: Uint8Array, bytesMost: number): Uint8Array {
  const parts: Uint8Array[] = []
  let length = 0
  let isWhole = false
  const reader = new Gunzip((part, isLast) => {
    length += part.length
    if (length > bytesMost) throw new GzipTooLarge(bytesMost)
    parts.push(part)
    isWhole ||= isLast
  })
  try {
    // The reader expands a whole slice, up to a thousandfold, before it returns any output.
    for (let at = 0; at < packed.length || at === 0; at += sliceBytes) {
      reader.push(packed.subarray(at, at + sliceBytes), at + sliceBytes >= packed.length)
    }
  } catch (error) {
    throw error instanceof BadGzip ? error : new BadGzip(thrownText(error))
  }
  if (!isWhole || (length === 0 && !holdsNothing(packed))) throw new BadGzip('expected more bytes')
  return concatBytes(parts)
}

/**
 * Returns whether this is gzip of no bytes, which ends in their checksum and length, both 0. The reader
 * has no output for it, as for bytes that are no gzip.
 */
function holdsNothing(packed: Uint8Array): boolean {
  const isGzip = packed[0] === 0x1f && packed[1] === 0x8b
  return isGzip && packed.length >= 20 && packed.subarray(-8).every((byte) => byte === 0)
}

/** Bytes that are not gzip, are cut short, or hold too much. */
export class BadGzip extends SimError {
  constructor(text: string) {
    super('BAD_GZIP', text)
  }
}

/** Gzip data that expands to more than the allowed size. */
export class GzipTooLarge extends BadGzip {
  constructor(bytesMost: number) {
    super(`expected at most ${bytesMost} bytes`)
  }
}
