/** Packed bytes as other development nodes write them (RFC 1952). */
import { Gunzip, gzipSync } from 'fflate'
import { concatBytes } from '../data/bytes.ts'
import { SimError, thrownText } from '../errors.ts'

/** Returns the packed bytes: the same for the same input, because no time is written into them. */
export function gzip(bytes: Uint8Array): Uint8Array {
  return gzipSync(bytes, { mtime: 0 })
}

/** Returns the unpacked bytes. Throws `BadGzip` for what is none and for more than `bytesMost`. */
export function gunzip(packed: Uint8Array, bytesMost: number): Uint8Array {
  const parts: Uint8Array[] = []
  let length = 0
  let isWhole = false
  const reader = new Gunzip((part, isLast) => {
    length += part.length
    if (length > bytesMost) throw new BadGzip(`expected at most ${bytesMost} bytes`)
    parts.push(part)
    isWhole ||= isLast
  })
  try {
    reader.push(packed, true)
  } catch (error) {
    throw error instanceof BadGzip
      ? error
      : new BadGzip(thrownText(error))
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
