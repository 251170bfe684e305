/**
 * Texts of the latest requests and responses. Long ones are bytes outside the heap: as strings, they would
 * survive every collection of new objects, and moving them took a third of a large read.
 */
import type { BytePool } from './bytePool.ts'
import { recordedMost } from './methodsIn.ts'

/** A short text, or at most the first `recordedMost` characters of a long one, in UTF-8. */
export type ExchangeText = string | { readonly bytes: Buffer; readonly usedBytes: number; readonly characters: number }

/** The longest text that stays a string, in characters. */
const stringMost = 2 * 1024

/** Returns a copy of a text: a substring would keep the whole text in memory. */
export function exchangeText(text: string, pool: BytePool): ExchangeText {
  if (text.length <= stringMost) return text
  const kept = text.length <= recordedMost ? text : text.slice(0, recordedMost)
  const usedBytes = Buffer.byteLength(kept)
  const bytes = pool.take(usedBytes)
  bytes.write(kept)
  return { bytes, usedBytes, characters: text.length }
}

/** Returns a text as it was, or shortened and with its length. */
export function shownText(text: ExchangeText): string {
  if (typeof text === 'string') return text
  const { bytes, usedBytes, characters } = text
  const kept = bytes.toString('utf8', 0, usedBytes)
  return characters > recordedMost ? `${kept} … (${characters} characters)` : kept
}

/** Gives the bytes of a text back, which is not shown again. */
export function dropText(text: ExchangeText | undefined, pool: BytePool): void {
  if (typeof text === 'object') pool.give(text.bytes)
}
