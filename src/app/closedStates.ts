/**
 * A compact list of the states of old heights. Most are stored as the changes of their block. Every
 * 512th is a key state, stored as the tree nodes that the key state before it does not have, so a
 * state is opened by at most 511 blocks of changes. Every 32nd key state has all nodes.
 */
import { chunkAt, type Form, itemAt, type Segments } from '../data/segments.ts'
import { emptyTree, treeSize } from '../data/tree.ts'
import { type TreePart, treeOfPart, treePart } from '../data/treeParts.ts'
import { assert } from '../errors.ts'
import { commitStores } from './multiStore.ts'
import { type StoreChanges, storeChanges } from './savedStores.ts'
import type { AppState, MultiStore, Overlay } from './state.ts'

type Rest = Omit<AppState, 'committed'>

/** `changes` are relative to the stores of the state one height below. */
export type ClosedState = { readonly rest: Rest; readonly changes: StoreChanges }

/**
 * `parts` are the trees by store, without the nodes of the state `back` heights below; with `back`
 * 0, they are whole.
 */
export type KeyState = {
  readonly rest: Rest
  readonly back: number
  readonly parts: ReadonlyMap<string, TreePart | undefined>
}

/** A whole state, or what distinguishes it from an earlier one. */
export type HeldState = AppState | ClosedState | KeyState

const keyDistance = 512

/** The number of chunks of 128 states from one key state with all nodes to the next. */
const chunksMost = (32 * keyDistance) / 128

/** Larger states stay objects when all nodes are needed, because to write them takes seconds. */
const leavesMost = 30_000

/**
 * Returns how the states from index `first` on are stored in a list. Parts that states share by
 * reference stay objects.
 */
export function closedStates(states: Segments<HeldState>, first: number): Form<HeldState> {
  const kept = new Set<object>()
  let count = 0
  let [last, key]: (AppState | undefined)[] = []
  const plain = (held: HeldState): HeldState => {
    const state = wholeState(held, last, states, first)
    const isKey = count++ % keyDistance === 0
    const closed = isKey ? keyStateOf(state, key) : last && closedAfter(last, state)
    // States between which something else than a block happened have no nodes in common.
    if (isKey) key = state
    else if (closed === undefined) key = undefined
    last = state
    if (closed === undefined) kept.add(state)
    else for (const part of sharedParts(closed.rest)) kept.add(part)
    return closed ?? state
  }
  return { plain, isKept: (value) => kept.has(value), chunksMost }
}

/** A copy of part of a chunk may begin with a state that is not stored whole. */
function wholeState(held: HeldState, last: AppState | undefined, states: Segments<HeldState>, first: number): AppState {
  if ('committed' in held) return held
  return isClosed(held) ? after(last ?? openState(states, first - 1), held) : openState(states, first)
}

/** Returns a state without the nodes of an earlier key state, or undefined if it is too large. */
function keyStateOf({ committed, ...rest }: AppState, key: AppState | undefined): KeyState | undefined {
  const trees = [...committed]
  const isFar = trees.some(([, tree]) => tree.far !== undefined)
  const leaves = trees.reduce((sum, [, tree]) => sum + treeSize(tree), 0)
  if (isFar || (key === undefined && leaves > leavesMost)) return undefined
  const before = key === undefined ? -1 : Number(key.height)
  const parts = new Map(trees.map(([name, tree]) => [name, treePart(tree, before)] as const))
  return { rest, back: key === undefined ? 0 : Number(rest.height - key.height), parts }
}

function closedAfter(before: AppState, { committed, ...rest }: AppState): ClosedState | undefined {
  const changes = storeChanges(before.committed, committed, rest.height)
  return changes && { rest, changes }
}

/** Overlays share nodes, and all states of a fork share the facts about the other chain. */
function sharedParts({ edits, check, folded, gone, pending, forked }: Rest): readonly object[] {
  return [edits, check, folded, gone, pending, forked].filter((part) => part !== undefined)
}

/** Returns the state at an index of a list, rebuilt if it is not stored whole. */
export function openState(states: Segments<HeldState>, index: number): AppState {
  let from = index
  let state: AppState | undefined
  for (; state === undefined; from--) {
    const held = itemAt(states, from)
    if (isClosed(held)) state = openStates.get(held)
    else state = 'committed' in held ? held : openKeyState(states, from)
  }
  // Opening a key state may have dropped the chunk that was open, so its items are read again.
  for (let at = from + 2; at <= index; at++) {
    const held = itemAt(states, at)
    assert(isClosed(held), 'states between two key states are changes')
    state = after(state, held)
    openStates.set(held, state)
  }
  return state
}

// Entries live as long as the open chunk that contains the changes.
const openStates = new WeakMap<ClosedState, AppState>()

/** The chunks that begin with the key states that were opened last. */
const recentKeys: { readonly chunk: object; readonly state: AppState }[] = []
const recentKeysMost = 3

function openKeyState(states: Segments<HeldState>, index: number): AppState {
  const chunk = chunkAt(states, index)
  const waiting: KeyState[] = []
  let state: AppState | undefined
  for (let at = index; state === undefined; ) {
    const opened = chunkAt(states, at)
    state = recentKeys.find((one) => one.chunk === opened)?.state
    if (state !== undefined) break
    const held = itemAt(states, at)
    assert(!isClosed(held), 'a key state follows another one')
    if ('committed' in held) state = held
    else {
      waiting.push(held)
      if (held.back === 0) break
      at -= held.back
    }
  }
  for (const one of waiting.reverse()) state = ofKey(state, one)
  assert(state !== undefined, 'the first key state is whole')
  if (waiting.length > 0) recentKeys.push({ chunk, state })
  if (recentKeys.length > recentKeysMost) recentKeys.shift()
  return state
}

function ofKey(before: AppState | undefined, { rest, parts }: KeyState): AppState {
  const trees = [...parts].map(
    ([name, part]) => [name, treeOfPart(part, before?.committed.get(name) ?? emptyTree)] as const,
  )
  const committed: MultiStore = new Map(trees.map(([name, tree]) => [name, tree.root === undefined ? emptyTree : tree]))
  return { ...rest, committed }
}

function after(before: AppState | undefined, { rest, changes }: ClosedState): AppState {
  assert(before !== undefined, 'the first state of a run is whole')
  return { ...rest, committed: commitStores(before.committed, changes, rest.height) }
}

/** Returns the operator's edits that a block folded in, without opening its state; undefined if there were none. */
export function foldedIn(held: HeldState): Overlay | undefined {
  return 'committed' in held ? held.folded : held.rest.folded
}

/** Returns whether a state is stored as the changes of its block. */
export function isClosed(held: object): held is ClosedState {
  return 'changes' in held
}
