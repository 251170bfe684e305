/**
 * The packed form of a recording: chunks of text, each compressed separately, and an index of
 * positions. Only the index is read at startup (`mocks.md` §4.4).
 */

/** `at` and `length` count bytes of the file; `digest` is the SHA-256 of the uncompressed text. */
export type Chunk = { readonly at: number; readonly length: number; readonly digest: string }

/** The position of a text: its chunk, its first character, and the character after its last. */
export type TextSpan = readonly [chunk: number, from: number, to: number]

export type PackIndex = {
  readonly format: 1
  /** Version of the key format (`callKey`). An index with another version is rebuilt. */
  readonly keyAlg: 1
  readonly version: string
  readonly recordedAt: string
  readonly level: 0 | 1 | 2
  readonly chunks: readonly Chunk[]
  /** The first 16 hex digits of each key's SHA-256, concatenated in the order of `spans`. */
  readonly keys: string
  /** Number of CometBFT RPC keys; they come first. */
  readonly cometKeys: number
  /** The `TextSpan` of each key, as three numbers. */
  readonly spans: readonly number[]
  readonly blobs: string
  readonly blobSpans: readonly number[]
  readonly streams: readonly { readonly key: string; readonly span: TextSpan }[]
  readonly order: TextSpan
  readonly writes: TextSpan
}

/** Returns whether parsed JSON has the shape of an index. */
export function isPackIndex(value: unknown): value is PackIndex {
  if (typeof value !== 'object' || value === null) return false
  const one: Partial<Record<keyof PackIndex, unknown>> = value
  return (
    [one.version, one.recordedAt, one.keys, one.blobs].every(isText) &&
    [one.level, one.cometKeys].every(isWhole) &&
    [one.spans, one.blobSpans].every((list) => isListOf(list, isWhole)) &&
    [one.order, one.writes].every(isSpan) &&
    isListOf(one.chunks, isChunk) &&
    isListOf(one.streams, isStream)
  )
}

function isText(value: unknown): boolean {
  return typeof value === 'string'
}

function isWhole(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0
}

function isListOf(value: unknown, isItem: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isItem)
}

function isSpan(value: unknown): boolean {
  return isListOf(value, isWhole) && (value as readonly unknown[]).length === 3
}

function isChunk(value: unknown): boolean {
  const { at, length, digest } = (value ?? {}) as Partial<Record<keyof Chunk, unknown>>
  return isWhole(at) && isWhole(length) && isText(digest)
}

function isStream(value: unknown): boolean {
  const { key, span } = (value ?? {}) as { readonly key?: unknown; readonly span?: unknown }
  return isText(key) && isSpan(span)
}

/** Size in characters at which a chunk is closed. Reading one answer loads one chunk. */
export const chunkSize = 32 * 1024

/** Number of hex digits of a digest that name a key in the index. */
export const nameLength = 16

/** The marker at the start and end of the file. */
export const magic = 'chainstage/pack1'
