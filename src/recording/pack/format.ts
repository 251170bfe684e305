/**
 * The packed form of a recording: chunks of text, each compressed alone, and an index that says
 * where everything is, so that a start reads the index and no more (`mocks.md` §4.4).
 */

/** `at` and `length` are bytes of the file; `digest` is the SHA-256 of the text. */
export type Chunk = { readonly at: number; readonly length: number; readonly digest: string }

/** Where a text stands: in which chunk, from which character to which. */
export type Span = readonly [chunk: number, from: number, to: number]

export type PackIndex = {
  readonly format: 1
  /** Of `callKey`: an index that was made by another is made anew. */
  readonly keyAlg: 1
  readonly version: string
  readonly recordedAt: string
  readonly level: 0 | 1 | 2
  readonly chunks: readonly Chunk[]
  /** The first 16 hex digits of the SHA-256 of each key, joined, in the order of `spans`. */
  readonly keys: string
  /** So many keys are of CometBFT RPC; they come first. */
  readonly cometKeys: number
  /** Three numbers for each key. */
  readonly spans: readonly number[]
  readonly blobs: string
  readonly blobSpans: readonly number[]
  readonly streams: readonly { readonly key: string; readonly span: Span }[]
  readonly order: Span
  readonly writes: Span
}

/** How many characters a chunk has before the next is begun: what is read for one answer. */
export const chunkSize = 32 * 1024

/** How many hex digits of a digest name a key in the index. */
export const nameLength = 16

/** What the file begins and ends with. */
export const magic = 'chainstage/pack1'
