/**
 * The changes of the block being executed. The layers are committed trees < operator edits < check
 * state < own changes, with one undo log over all stores (design §3).
 */
import { fromBinaryString, toBinaryString } from '../data/binaryString.ts'
import { equalBytes } from '../data/bytes.ts'
import { emptyMap, mapEntries, mapGet, mapSet } from '../data/persistentMap.ts'
import { emptyTree, firstLeaf, getBinary, iterateLeaves, type KeyedChange, type Tree } from '../data/tree.ts'
import { isForkedKey, knownKeys, readForked, wantRange, type Forked } from './forked.ts'
import type { AppState, Overlay } from './state.ts'
import type { Draft, Store, StoredForm, StoreRange } from './store.ts'

/** Returns the overlay key of a store's entry. Entries of one store are adjacent, in byte order. */
export function overlayKey(store: string, key: string): string {
  return `${store}\u0000${key}`
}

/**
 * Returns an empty draft over a state. Reads see the state's edits and, with `seesCheck`, the
 * changes made by CheckTx. The state itself never changes.
 */
export function createDraft(base: AppState, { seesCheck = false } = {}): Draft {
  const overlays = [...(seesCheck ? [base.check] : []), base.edits].filter((overlay) => overlay.root !== undefined)
  const layers = new Map<string, Layer>()
  const { forked, gone = emptyMap } = base
  const under = forked === undefined ? undefined : { forked, gone }
  const undo: Undo[] = []
  const layerOf = (name: string): Layer => {
    const known = layers.get(name)
    if (known !== undefined) return known
    const layer = new Layer(name, { tree: base.committed.get(name) ?? emptyTree, overlays, undo, under })
    layers.set(name, layer)
    return layer
  }
  return {
    base,
    raw: layerOf,
    // A fork learns the other chain's state without a write.
    contents: (name) => (under === undefined ? layerOf(name).contents : {}),
    mark: () => undo.length,
    cut: (length) => {
      while (undo.length > length) takeBack(undo.pop())
    },
    changes: () => new Map(byName(layers).map(([name, layer]) => [name, changesOf(layer)])),
    settle: () => {
      const changed = new Map(undo.map(({ layer, key }) => [overlayKey(layer.name, key), layer.bytesAt(key)] as const))
      undo.length = 0
      return [...changed].sort(([a], [b]) => (a < b ? -1 : 1))
    },
    overlaid: () =>
      byName(layers).flatMap(([name, layer]) =>
        [...layer.written].sort().map((key) => [overlayKey(name, key), layer.bytesAt(key)] as const),
      ),
  }
}

/** Bytes, or a value that is encoded when its bytes are first read. */
type Entry = Uint8Array | Unencoded
type Unencoded = { readonly value: unknown; readonly form: Pick<StoredForm<never>, 'encode'> }

type Undo = {
  readonly layer: Layer
  readonly key: string
  /** Undefined if the entry below was not read. */
  readonly before: Entry | null | undefined
  readonly wasWritten: boolean
}

type Below = {
  readonly tree: Tree
  readonly overlays: readonly Overlay[]
  readonly undo: Undo[]
  /** On a forked chain: the other chain's state, and the keys deleted from it. */
  readonly under: { readonly forked: Forked; readonly gone: Overlay } | undefined
}

/**
 * The entries of one store. `cache` holds the latest entry of every key read or written; null if the
 * key has no value.
 */
class Layer implements Store {
  readonly cache = new Map<string, Entry | null>()
  readonly written = new Set<string>()
  /** The committed tree while there are no changes above it; a new object after every write. */
  contents: object
  readonly name: string
  readonly #below: Below

  constructor(name: string, below: Below) {
    this.name = name
    this.#below = below
    this.contents = below.overlays.length === 0 ? below.tree : {}
  }

  find(key: string): Entry | null {
    const known = this.cache.get(key)
    if (known !== undefined) return known
    const value = readBelow(this.#below, this.name, key)
    this.cache.set(key, value)
    return value
  }

  bytesAt(key: string): Uint8Array | null {
    const found = this.find(key)
    if (found === null || found instanceof Uint8Array) return found
    const bytes = found.form.encode(found.value as never)
    this.cache.set(key, bytes)
    return bytes
  }

  get(key: Uint8Array): Uint8Array | undefined {
    return this.bytesAt(toBinaryString(key)) ?? undefined
  }

  has(key: Uint8Array): boolean {
    return this.find(toBinaryString(key)) !== null
  }

  set(key: Uint8Array, value: Uint8Array): void {
    this.#change(toBinaryString(key), value)
  }

  read<Value>(key: Uint8Array, { decode }: StoredForm<Value>): Value | undefined {
    const found = this.find(toBinaryString(key))
    if (found === null) return undefined
    return found instanceof Uint8Array ? decode(found, key) : (found.value as Value)
  }

  write<Value>(key: Uint8Array, value: Value, form: StoredForm<Value>): void {
    this.#change(toBinaryString(key), { value, form })
  }

  rewrite(key: Uint8Array, value: Uint8Array): void {
    this.#change(toBinaryString(key), value)
  }

  delete(key: Uint8Array): void {
    this.#change(toBinaryString(key), null)
  }

  iterate(range: StoreRange): Iterable<KeyAndValue> {
    return isEmptyRange(this, this.#below, range) ? [] : iterateLayer(this, { ...this.#below, name: this.name }, range)
  }

  #change(key: string, entry: Entry | null): void {
    const wasWritten = this.written.has(key)
    // The entry below is not read: on a fork, the other chain would be asked for what is overwritten.
    const before = this.cache.get(key)
    // Writing the same bytes again, such as those of an index entry, changes nothing.
    if (wasWritten && isSame(before, entry)) return
    this.#below.undo.push({ layer: this, key, before, wasWritten })
    this.cache.set(key, entry)
    if (!wasWritten) this.written.add(key)
    this.contents = {}
  }
}

function isSame(before: Entry | null | undefined, after: Entry | null): boolean {
  if (before === after) return true
  return before instanceof Uint8Array && after instanceof Uint8Array && equalBytes(before, after)
}

function readBelow({ tree, overlays, under }: Below, name: string, key: string): Uint8Array | null {
  for (const overlay of overlays) {
    const value = mapGet(overlay, overlayKey(name, key))
    if (value !== undefined) return value
  }
  const value = getBinary(tree, key)
  if (value !== undefined || under === undefined) return value ?? null
  return mapGet(under.gone, overlayKey(name, key)) === null ? null : readForked(under.forked, name, key)
}

function takeBack(entry: Undo | undefined): void {
  if (entry === undefined) return
  const { layer, key, before, wasWritten } = entry
  if (before === undefined) layer.cache.delete(key)
  else layer.cache.set(key, before)
  layer.contents = {}
  if (!wasWritten) layer.written.delete(key)
}

/** Returns whether nothing is stored in a range, as in most queues that each block looks at. */
function isEmptyRange({ written }: Layer, { tree, overlays, under }: Below, { start, end }: StoreRange): boolean {
  if (under !== undefined || tree.far !== undefined || overlays.length > 0) return false
  const first = start === undefined ? '' : toBinaryString(start)
  const last = end === undefined ? undefined : toBinaryString(end)
  const leaf = firstLeaf(tree, first)
  if (leaf !== undefined && (last === undefined || leaf.key < last)) return false
  for (const key of written) if (key >= first && (last === undefined || key < last)) return false
  return true
}

/** Few keys are written compared with the tree, so they are sorted for each iteration. */
function* iterateLayer(
  layer: Layer,
  below: Below & { readonly name: string },
  range: StoreRange,
): Generator<KeyAndValue> {
  const start = range.start === undefined ? '' : toBinaryString(range.start)
  const end = range.end === undefined ? undefined : toBinaryString(range.end)
  const reverse = range.reverse ?? false
  if (below.under !== undefined) wantRange(below.under.forked, below.name, start)
  const above: string[] = []
  for (const key of keysAbove(layer, below)) {
    if (key >= start && (end === undefined || key < end)) above.push(key)
  }
  above.sort()
  if (reverse) above.reverse()
  let at = 0
  for (const leaf of iterateLeaves(below.tree, { start, end, reverse })) {
    let key = above[at]
    while (key !== undefined && (reverse ? key > leaf.key : key < leaf.key)) {
      yield* entryOf(layer, key)
      at += 1
      key = above[at]
    }
    if (key === leaf.key) {
      yield* entryOf(layer, leaf.key)
      at += 1
    } else yield [fromBinaryString(leaf.key), leaf.value]
  }
  for (const key of above.slice(at)) yield* entryOf(layer, key)
}

type KeyAndValue = readonly [Uint8Array, Uint8Array]

function entryOf(layer: Layer, key: string): readonly KeyAndValue[] {
  const value = layer.bytesAt(key)
  return value === null ? [] : [[fromBinaryString(key), value]]
}

function keysAbove(layer: Layer, { overlays, under, name }: Below & { readonly name: string }): ReadonlySet<string> {
  if (overlays.length === 0 && under === undefined) return layer.written
  const keys = new Set([...layer.written, ...(under === undefined ? [] : knownKeys(under.forked, name))])
  const start = overlayKey(name, '')
  const end = `${name}\u0001`
  for (const overlay of overlays) {
    for (const [key] of mapEntries(overlay, { start, end })) keys.add(key.slice(start.length))
  }
  return keys
}

function changesOf(layer: Layer): readonly KeyedChange[] {
  return [...layer.written].sort().map((key) => [key, layer.bytesAt(key) ?? undefined] as const)
}

function byName(layers: ReadonlyMap<string, Layer>): readonly (readonly [string, Layer])[] {
  return [...layers].sort(([a], [b]) => (a < b ? -1 : 1))
}

/**
 * Returns the keys deleted from a forked chain's underlying state, including a block's deletions.
 */
export function goneAfter({ forked, gone = emptyMap }: AppState, draft: Draft): Overlay {
  let all: Overlay = gone
  if (forked === undefined) return all
  for (const [store, changes] of draft.changes()) {
    for (const [key, value] of changes) {
      if (value === undefined && isForkedKey(forked, store, key)) {
        all = mapSet(all, overlayKey(store, key), null)
      }
    }
  }
  return all
}
