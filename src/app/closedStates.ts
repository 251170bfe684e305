/**
 * A compact list of the states of old heights. In each run of 512 states, the first is stored whole
 * and the others as the changes of their blocks. Longer runs use less memory, because every whole
 * state has its own tree nodes, but take longer to open.
 */
import { type Form, itemAt, type Segments } from '../data/segments.ts'
import { assert } from '../errors.ts'
import { commitStores } from './multiStore.ts'
import { type StoreChanges, storeChanges } from './savedStores.ts'
import type { AppState } from './state.ts'

/** `changes` are relative to the stores of the state one height below. */
export type ClosedState = { readonly rest: Omit<AppState, 'committed'>; readonly changes: StoreChanges }

/** A whole state, or the changes since the previous one. */
export type HeldState = AppState | ClosedState

/** A run of 4 chunks of 128 states. */
const chunksMost = 4

/**
 * Returns how the states from index `first` on are stored in a list. Parts that states share by
 * reference stay objects.
 */
export function closedStates(states: Segments<HeldState>, first: number): Form<HeldState> {
  const kept = new Set<object>()
  let last: AppState | undefined
  const plain = (held: HeldState): HeldState => {
    // A copy of part of a chunk may begin with a state that is stored as changes.
    const state: AppState = isClosed(held) ? after(last ?? openState(states, first - 1), held) : held
    const closed = last === undefined ? undefined : closedAfter(last, state)
    last = state
    if (closed === undefined) kept.add(state)
    else for (const part of sharedParts(closed.rest)) kept.add(part)
    return closed ?? state
  }
  return { plain, isKept: (value) => kept.has(value), chunksMost }
}

function closedAfter(before: AppState, { committed, ...rest }: AppState): ClosedState | undefined {
  const changes = storeChanges(before.committed, committed, rest.height)
  return changes && { rest, changes }
}

/** Overlays share nodes, and all states of a fork share the facts about the other chain. */
function sharedParts({ edits, check, folded, gone, pending, forked }: ClosedState['rest']): readonly object[] {
  return [edits, check, folded, gone, pending, forked].filter((part) => part !== undefined)
}

/** Returns the state at an index of a list, rebuilt if it is stored as changes. */
export function openState(states: Segments<HeldState>, index: number): AppState {
  const held = itemAt(states, index)
  if (!isClosed(held)) return held
  const known = openStates.get(held)
  if (known !== undefined) return known
  const waiting: ClosedState[] = [held]
  let state: AppState | undefined
  for (let below = index - 1; state === undefined; below--) {
    const one = itemAt(states, below)
    state = isClosed(one) ? openStates.get(one) : one
    if (isClosed(one) && state === undefined) waiting.push(one)
  }
  for (const one of waiting.reverse()) {
    state = after(state, one)
    openStates.set(one, state)
  }
  return state
}

// Entries live as long as the open chunk that contains the changes.
const openStates = new WeakMap<ClosedState, AppState>()

function after(before: AppState | undefined, { rest, changes }: ClosedState): AppState {
  assert(before !== undefined, 'the first state of a run is whole')
  return { ...rest, committed: commitStores(before.committed, changes, rest.height) }
}

/** Returns whether a state is stored as the changes of its block. */
export function isClosed(held: object): held is ClosedState {
  return 'changes' in held
}
