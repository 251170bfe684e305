/**
 * States of old heights as little data: of a run of 512 states, the first stays as it is, and of each
 * further one there is only what its block changed. A longer run takes less memory, because every
 * whole state has tree nodes of its own, and takes longer to open.
 */
import { type Form, itemAt, type Segments } from '../data/segments.ts'
import { assert } from '../errors.ts'
import { commitStores } from './multiStore.ts'
import { type StoreChanges, storeChanges } from './savedStores.ts'
import type { AppState } from './state.ts'

/** `changes` are those to the stores of the state one height below. */
export type ClosedState = { readonly rest: Omit<AppState, 'committed'>; readonly changes: StoreChanges }

/** A state, or how it follows from the one before it. */
export type HeldState = AppState | ClosedState

/** A run of 4 chunks of 128 states. */
const chunksMost = 4

/**
 * Returns the form of successive states of a list from index `first` on. What they share by
 * reference stays an object.
 */
export function closedStates(states: Segments<HeldState>, first: number): Form<HeldState> {
  const kept = new Set<object>()
  let last: AppState | undefined
  const plain = (held: HeldState): HeldState => {
    // A copy of a part of a chunk may begin with a state that is held as changes.
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

/** Overlays share their nodes, and all states of a fork share what it knows. */
function sharedParts({ edits, check, folded, gone, pending, forked }: ClosedState['rest']): readonly object[] {
  return [edits, check, folded, gone, pending, forked].filter((part) => part !== undefined)
}

/** Returns the state at an index of a list, made again where it is held as changes. */
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

// For as long as the chunk is open that the changes are in.
const openStates = new WeakMap<ClosedState, AppState>()

function after(before: AppState | undefined, { rest, changes }: ClosedState): AppState {
  assert(before !== undefined, 'the first state of a run is whole')
  return { ...rest, committed: commitStores(before.committed, changes, rest.height) }
}

/** Returns whether a state is held as the changes of its block. */
export function isClosed(held: object): held is ClosedState {
  return 'changes' in held
}
