/** Moves the old blocks, states and index entries of a chain from memory to its chunk store. */
import { heldLists } from '../../chain/heldHistory.ts'
import type { HeldBytes, StoredBytes } from '../../data/segments.ts'
import type { Simulation } from '../../simulation/turn.ts'
import { packed, type Resting } from '../../simulation/resume.ts'
import type { ChunkStore } from './chunkStore.ts'
import type { PartSize } from './chunkPlace.ts'

/**
 * Writes the closed chunks and sorted runs of the current chain that are not in the store yet. They
 * are made in order, so the search ends at the first that is stored: its cost does not grow with the chain.
 */
export function moveHistory(store: ChunkStore, { node }: Simulation): void {
  for (const list of heldLists(node.chain.history)) {
    const inMemory: (HeldBytes & { readonly bytes: Uint8Array })[] = []
    for (const held of list) {
      if (!(held.bytes instanceof Uint8Array)) break
      inMemory.push(held as HeldBytes & { readonly bytes: Uint8Array })
    }
    for (const held of inMemory.reverse()) {
      const stored = store.add(held.bytes)
      if (stored === undefined) return
      ;(held as HeldBytes).bytes = stored
    }
  }
}

/** A simulation as plain data, and the parts of the store that it refers to. */
export type Referring = { readonly state: Resting; readonly parts: readonly PartSize[] | undefined }

/**
 * Returns the simulation as plain data, with the places of chunks that are in the store. Without a
 * store, it contains everything.
 */
export function referring(simulation: Simulation, store: ChunkStore | undefined): Referring {
  if (store === undefined) return { state: packed(simulation), parts: undefined }
  const parts = new Set<number>()
  const state = packed(simulation, (bytes) => {
    if (bytes instanceof Uint8Array) return bytes
    const place = store.placeOf(bytes)
    if (place === undefined) return bytes.load()
    parts.add(place.part)
    return place as unknown as StoredBytes
  })
  return { state, parts: store.sizesOf(parts) }
}
