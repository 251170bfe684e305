/**
 * How modules reach state: a `Draft` over committed trees with one undo log, and a `Store` per
 * module whose every access costs gas as in the SDK (`store/types/gas.go`).
 */
import type { AppState } from './state.ts'

export type Store = {
  readonly get: (key: Uint8Array) => Uint8Array | undefined
  readonly has: (key: Uint8Array) => boolean
  readonly set: (key: Uint8Array, value: Uint8Array) => void
  /** Returns what the bytes of a key spell; a value that `write` left is not decoded again. */
  readonly read: <Value>(key: Uint8Array, form: StoredForm<Value>) => Value | undefined
  /**
   * As `set` of the encoded value, which a store without gas encodes when its bytes are asked for:
   * a value that is written 600 times in a block is encoded once. Encoding must not throw.
   */
  readonly write: <Value>(key: Uint8Array, value: Value, form: StoredForm<Value>) => void
  readonly delete: (key: Uint8Array) => void
  /** Yields entries with start ≤ key < end in byte order; the caller may stop early. */
  readonly iterate: (range: StoreRange) => Iterable<readonly [Uint8Array, Uint8Array]>
}

/** How a value is spelled in a store. Nobody changes a value that was decoded or written. */
export type StoredForm<Value> = {
  readonly encode: (value: Value) => Uint8Array
  readonly decode: (bytes: Uint8Array) => Value
}

export type StoreRange = {
  readonly start?: Uint8Array
  readonly end?: Uint8Array
  readonly reverse?: boolean
}

/**
 * The one mutable thing in a block: changes above an `AppState`, with an undo log. Its length is a
 * checkpoint; `cut` takes everything after a length back. Checkpoints nest; none is copied.
 */
export type Draft = {
  readonly base: AppState
  /** A store without gas. */
  readonly raw: (name: string) => Store
  /**
   * Returns an object that stands for what a store holds: as long as it is the same one, so are all
   * entries. What follows from them may be kept for it.
   */
  readonly contents: (name: string) => object
  readonly mark: () => number
  readonly cut: (length: number) => void
  /** The changes so far by store, keys in byte order; `undefined` deletes. */
  readonly changes: () => ReadonlyMap<string, readonly (readonly [Uint8Array, Uint8Array | undefined])[]>
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
