/**
 * The state of a height, read from another thread. The thread asks the main thread for a key or a
 * range and blocks until the answer arrives, so reads are synchronous.
 */
import { receiveMessageOnPort, type MessagePort } from 'node:worker_threads'
import { createDraft } from '../app/draft.ts'
import type { AppState } from '../app/state.ts'
import type { Draft } from '../app/store.ts'
import { fromBinaryString, toBinaryString } from '../data/binaryString.ts'
import { emptyMap } from '../data/persistentMap.ts'
import type { KeyRange } from '../data/sortedTree.ts'
import type { Tree } from '../data/tree.ts'
import { makeLeaf, type Leaf } from '../data/treeNode.ts'

/** A question about a store. Keys are binary strings. */
export type FarQuestion =
  | { readonly store: string; readonly key: string }
  | { readonly store: string; readonly range: KeyRange<string> }

/** The value of a key, or the first leaves of a range and whether there are more. */
export type FarAnswer =
  | { readonly value: Uint8Array | undefined }
  | { readonly leaves: readonly (readonly [key: string, value: Uint8Array])[]; readonly isLast: boolean }

/** The part of a state that is sent to a thread: everything except the contents of its stores. */
export type SentState = Pick<AppState, 'height' | 'appHash' | 'impersonated' | 'evmBlock' | 'transient'> & {
  readonly stores: readonly string[]
}

/** A thread's connection to the main thread. `signal` is set when an answer is on the port. */
export type FarLine = {
  readonly ask: (question: FarQuestion) => void
  readonly port: MessagePort
  readonly signal: Int32Array
}

/** The maximum number of leaves in one answer. */
const leavesMost = 512

/** Returns the part of a state that is sent to a thread. */
export function sentState(state: AppState): SentState {
  const { height, appHash, impersonated, evmBlock, transient, committed } = state
  return { height, appHash, impersonated, transient, stores: [...committed.keys()], ...(evmBlock && { evmBlock }) }
}

/** Returns a state that reads its stores over a line; edits count as committed values. */
export function farState(sent: SentState, line: FarLine): AppState {
  const { stores, ...rest } = sent
  const committed = new Map(stores.map((store) => [store, farTree(store, line)]))
  return { ...rest, committed, edits: emptyMap, check: emptyMap, pending: undefined }
}

function farTree(store: string, line: FarLine): Tree {
  return {
    root: undefined,
    far: {
      get: (key) => {
        const answer = answered(line, { store, key })
        return 'value' in answer ? answer.value : undefined
      },
      leaves: (range) => farLeaves(store, range, line),
    },
  }
}

function* farLeaves(store: string, range: KeyRange<string>, line: FarLine): Generator<Leaf> {
  for (let left = range; ; ) {
    const answer = answered(line, { store, range: left })
    if (!('leaves' in answer)) return
    for (const [key, value] of answer.leaves) yield makeLeaf(key, value, 0)
    const last = answer.leaves.at(-1)
    if (answer.isLast || last === undefined) return
    left = range.reverse === true ? { ...left, end: last[0] } : { ...left, start: `${last[0]}\u0000` }
  }
}

function answered({ ask, port, signal }: FarLine, question: FarQuestion): FarAnswer {
  Atomics.store(signal, 0, 0)
  ask(question)
  // The signal of the answer before may wake this thread after the answer was read, so its value counts.
  while (Atomics.load(signal, 0) === 0) Atomics.wait(signal, 0, 0)
  // The answer was posted before the signal was set.
  return receiveMessageOnPort(port)?.message as FarAnswer
}

/** Returns a function that answers questions about a state, on the main thread. */
export function farAnswers(state: AppState): (question: FarQuestion) => FarAnswer {
  const draft = createDraft(state)
  return (question) =>
    'key' in question
      ? { value: copied(draft.raw(question.store).get(fromBinaryString(question.key))) }
      : firstLeaves(draft, question)
}

/** Copies a value, because posting a view sends its whole underlying buffer. */
function copied(value: Uint8Array | undefined): Uint8Array | undefined {
  return value && Uint8Array.from(value)
}

function firstLeaves(draft: Draft, { store, range }: Extract<FarQuestion, { range: unknown }>): FarAnswer {
  const { start, end, reverse } = range
  const bounds = {
    ...(start !== undefined && { start: fromBinaryString(start) }),
    ...(end !== undefined && { end: fromBinaryString(end) }),
    ...(reverse !== undefined && { reverse }),
  }
  const leaves: (readonly [string, Uint8Array])[] = []
  for (const [key, value] of draft.raw(store).iterate(bounds)) {
    if (leaves.length === leavesMost) return { leaves, isLast: false }
    leaves.push([toBinaryString(key), Uint8Array.from(value)])
  }
  return { leaves, isLast: true }
}
