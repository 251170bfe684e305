/** Packed bytes as other development nodes write them (RFC 1952). */
import { Gunzip, gzipSync } from 'fflate'
import { concatBytes } from '../data/bytes.ts'
import { SimError, thrownText } from '../errors.ts'

/** Returns the packed bytes: the same for the same input, because no time is written into them. */
export function gzip(bytes: Uint8Array): Uint8Array {
  return gzipSync(bytes, { mtime: 0 })
}

/** How much of the packed bytes is read at a time. */
const sliceBytes = 16 * 1024

/** Returns the unpacked bytes. Throws `BadGzip` for what is none and for more than `bytesMost`. */
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
    // The reader unpacks a whole slice before it hands anything over, to a thousand times its size.
    for (let at = 0; at < packed.length || at === 0; at += sliceBytes) {
      reader.push(packed.subarray(at, at + sliceBytes), at + sliceBytes >= packed.length)
    }
  } catch (error) {
    throw error instanceof BadGzip ? error : new BadGzip(thrownText(error))
  }
  if (!isWhole || length === 0) throw new BadGzip('expected more bytes')
  return concatBytes(parts)
}

/** Bytes that are not gzip, are cut short, or hold too much. */
export class BadGzip extends SimError {
  constructor(text: string) {
    super('BAD_GZIP', text)
  }
}

/** Bytes that unpack to more than was wanted. */
export class GzipTooLarge extends BadGzip {
  constructor(bytesMost: number) {
    super(`expected at most ${bytesMost} bytes`)
  }
}
