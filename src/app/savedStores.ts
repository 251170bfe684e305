/**
 * A compact form of the stores of many heights: the first is saved whole, the others as the changes
 * of each block. Nodes and hashes, nine tenths of all bytes, are rebuilt by repeating the commits.
 */
import { changesBetween } from '../data/treeChanges.ts'
import { emptyTree, type TreeChange } from '../data/tree.ts'
import { commitStores } from './multiStore.ts'
import type { AppState, MultiStore } from './state.ts'

/** The changes of a block, by store. */
export type StoreChanges = ReadonlyMap<string, readonly TreeChange[]>

/** `mark` replaces the stores in the saved states. */
export type SavedStores =
  | { readonly mark: MultiStore; readonly whole: MultiStore }
  | {
      readonly mark: MultiStore
      readonly after: MultiStore
      readonly height: bigint
      readonly changes: StoreChanges
    }

export type StorePacker = {
  /** Begins with the states of a chain, which need not follow those before. */
  readonly begin: () => void
  /** Returns the state with a mark in place of its stores. */
  readonly pack: (state: AppState) => AppState
  /** The stores that the marks refer to, ordered so that each comes after its `after`. */
  readonly saved: readonly SavedStores[]
}

/**
 * Returns a packer of states. The states of a chain must be passed in order. Only a state that
 * follows the one before is saved as changes: between others, the shape of a tree may differ.
 */
export function storePacker(): StorePacker {
  const marks = new Map<MultiStore, MultiStore>()
  const saved: SavedStores[] = []
  let last: Pick<AppState, 'committed' | 'height'> | undefined
  const markOf = ({ committed, height }: AppState): MultiStore => {
    const known = marks.get(committed)
    if (known !== undefined) return known
    const mark: MultiStore = new Map()
    const before = last !== undefined && height === last.height + 1n ? last.committed : undefined
    const after = before && marks.get(before)
    const changes = before && storeChanges(before, committed, height)
    saved.push(
      after === undefined || changes === undefined ? { mark, whole: committed } : { mark, after, height, changes },
    )
    marks.set(committed, mark)
    return mark
  }
  const pack = (state: AppState): AppState => {
    const mark = markOf(state)
    last = state
    return { ...state, committed: mark }
  }
  const begin = () => {
    last = undefined
  }
  return { begin, pack, saved }
}

/**
 * Returns the changes of a height's commit, or undefined if `after` is not the result of that
 * commit.
 */
export function storeChanges(before: MultiStore, after: MultiStore, height: bigint): StoreChanges | undefined {
  if (before.size !== after.size) return undefined
  const changes = new Map<string, readonly TreeChange[]>()
  for (const [name, tree] of after) {
    const old = before.get(name)
    if (old === undefined) return undefined
    const own = old === tree ? [] : changesBetween(old, tree, height)
    if (own === undefined) return undefined
    if (own.length > 0) changes.set(name, own)
  }
  return changes
}

/** Returns a function that restores the stores of packed states. */
export function storeUnpacker(saved: readonly SavedStores[]): (state: AppState) => AppState {
  const stores = new Map<MultiStore, MultiStore>()
  for (const one of saved) {
    stores.set(
      one.mark,
      'whole' in one
        ? withEmptyTree(one.whole)
        : commitStores(stores.get(one.after) ?? new Map(), one.changes, one.height),
    )
  }
  return (state) => ({ ...state, committed: stores.get(state.committed) ?? state.committed })
}

/** Returns the stores with the one shared empty tree in place of each empty tree. */
function withEmptyTree(stores: MultiStore): MultiStore {
  return new Map([...stores].map(([name, tree]) => [name, tree.root === undefined ? emptyTree : tree]))
}
