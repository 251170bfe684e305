/** The effects of work on a node, and their concatenation. */
import type { ChainEvent } from '../chain/event.ts'
import type { Node } from './node.ts'
import type { Output, Task } from './output.ts'

/** What work leaves behind, in order: the chain's events, and the outputs to send. */
export type Told = {
  readonly events: readonly ChainEvent[]
  readonly outputs: readonly Output[]
}

/** The node after some work, with the events and outputs of the work. */
export type Effects = Told & { readonly node: Node }

const none: readonly never[] = []

/** Returns a node after work without events, and the outputs of the work. */
export function effects(node: Node, outputs: readonly Output[] = none): Effects {
  return { node, events: none, outputs }
}

/** Returns the node after it has given a task to the shell, the output with the task, and the task's id. */
export function withTask(
  node: Node,
  task: Task,
): { readonly node: Node; readonly output: Output; readonly id: number } {
  const id = node.counters.perform
  return {
    id,
    node: { ...node, counters: { ...node.counters, perform: id + 1 } },
    output: { kind: 'perform', id, task },
  }
}

/** Returns the effects of two pieces of work in a row; all other members are those of `after`. */
export function concat<After extends Told>(before: Told, after: After): After {
  if (before.events.length === 0 && before.outputs.length === 0) return after
  return {
    ...after,
    events: both(before.events, after.events),
    outputs: both(before.outputs, after.outputs),
  }
}

function both<Item>(first: readonly Item[], second: readonly Item[]): readonly Item[] {
  if (first.length === 0) return second
  return second.length === 0 ? first : [...first, ...second]
}
