import { inflateRawSync } from 'node:zlib'

/** Returns the bytes that were compressed with raw DEFLATE. Throws if they are damaged. */
export function inflated(bytes: Uint8Array): Uint8Array {
  return inflateRawSync(bytes)
}
