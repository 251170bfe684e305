/**
 * How modules access state: a `Draft` over committed trees with one undo log, and a `Store` per
 * module that charges the SDK's gas for every access (`store/types/gas.go`).
 */
import type { KeyedChange } from '../data/tree.ts'
import type { AppState } from './state.ts'

export type Store = {
  readonly get: (key: Uint8Array) => Uint8Array | undefined
  readonly has: (key: Uint8Array) => boolean
  readonly set: (key: Uint8Array, value: Uint8Array) => void
  /** Returns the decoded value of a key. A value passed to `write` is not decoded again. */
  readonly read: <Value>(key: Uint8Array, form: StoredForm<Value>) => Value | undefined
  /**
   * Sets a key to an encoded value. A store without gas encodes when the bytes are read, so a value
   * written 600 times in a block is encoded once. Encoding must not throw.
   */
  readonly write: <Value>(key: Uint8Array, value: Value, form: StoredForm<Value>) => void
  /**
   * Deletes a key, makes sure that it is gone and sets it, as the SDK's indexed maps do. A store
   * without gas only sets it.
   */
  readonly rewrite: (key: Uint8Array, value: Uint8Array) => void
  readonly delete: (key: Uint8Array) => void
  /** Yields entries with start ≤ key < end in byte order; the caller may stop early. */
  readonly iterate: (range: StoreRange) => Iterable<readonly [Uint8Array, Uint8Array]>
}

/** How a value is encoded under its key. Decoded and written values must not be mutated. */
export type StoredForm<Value> = {
  readonly encode: (value: Value) => Uint8Array
  readonly decode: (bytes: Uint8Array, key: Uint8Array) => Value
}

export type StoreRange = {
  readonly start?: Uint8Array
  readonly end?: Uint8Array
  readonly reverse?: boolean
}

/**
 * Changes above an `AppState`, with an undo log: the only mutable object in a block. The length of
 * the log is a checkpoint, and `cut` reverts everything after it. Checkpoints nest without copying.
 */
export type Draft = {
  readonly base: AppState
  /** A store without gas. */
  readonly raw: (name: string) => Store
  /**
   * Returns an object that identifies the contents of a store. While it stays the same, no entry
   * changes, so derived values can be cached under it.
   */
  readonly contents: (name: string) => object
  readonly mark: () => number
  readonly cut: (length: number) => void
  /** The changes so far by store, sorted by key. */
  readonly changes: () => ReadonlyMap<string, readonly KeyedChange[]>
  /**
   * Returns the entries changed since the last call, as of an overlay and sorted; null deletes. The
   * changes can no longer be taken back, so no mark of before may be used.
   */
  readonly settle: () => readonly (readonly [string, Uint8Array | null])[]
  /** The same changes as entries of an overlay, in the same order; null deletes. */
  readonly overlaid: () => Iterable<readonly [string, Uint8Array | null]>
}

/** Counts gas; `consume` throws `OutOfGas` (with the SDK's location text) beyond the limit. */
export type GasMeter = {
  readonly limit: bigint
  readonly consumed: () => bigint
  readonly consume: (amount: bigint, location: string) => void
  readonly refund: (amount: bigint) => void
}

/** The SDK's costs of a store access, in gas (`KVGasConfig`). */
export const kvGas = {
  has: 1000n,
  delete: 1000n,
  readFlat: 1000n,
  readPerByte: 3n,
  writeFlat: 2000n,
  writePerByte: 30n,
  iterateNextFlat: 30n,
} as const

/** The SDK's costs of the transient stores (`TransientGasConfig`): a tenth, except per byte. */
export const transientGas = {
  has: 100n,
  delete: 100n,
  readFlat: 100n,
  readPerByte: 0n,
  writeFlat: 200n,
  writePerByte: 3n,
  iterateNextFlat: 3n,
} as const
