/**
 * The agenda: entries by due time, as an immutable value. Entries of the same time keep their
 * insertion order. Adding, removing and finding the next entry are O(log n).
 */
import { firstNode, fromSorted, insertEntry, iterateNodes, removeEntry, type SortedTree } from './sortedTree.ts'

/** The due time of an entry (simulation time) and its number, unique within the agenda. */
export type AgendaKey = { readonly timeMs: bigint; readonly seq: number }

export type AgendaEntry<Item> = AgendaKey & { readonly item: Item }

export type Agenda<Item> = {
  readonly root: SortedTree<AgendaKey, Item> | undefined
  /** The number of the next entry. */
  readonly nextSeq: number
}

/** The agenda without entries. */
export const emptyAgenda: Agenda<never> = { root: undefined, nextSeq: 0 }

/** Returns the agenda with the item added; its number is the previous agenda's `nextSeq`. */
export function addDue<Item>(agenda: Agenda<Item>, timeMs: bigint, item: Item): Agenda<Item> {
  const { root, nextSeq } = agenda
  return {
    root: insertEntry(root, [{ timeMs, seq: nextSeq }, item], byTime),
    nextSeq: nextSeq + 1,
  }
}

/** Returns the agenda without an entry, or the same agenda if the entry is absent. */
export function removeDue<Item>(agenda: Agenda<Item>, key: AgendaKey): Agenda<Item> {
  const root = removeEntry(agenda.root, key, byTime)
  return root === agenda.root ? agenda : { root, nextSeq: agenda.nextSeq }
}

/** Returns the agenda without the entries that match the predicate. O(n). */
export function removeDueWhere<Item>(
  agenda: Agenda<Item>,
  predicate: (entry: AgendaEntry<Item>) => boolean,
): Agenda<Item> {
  const kept: [AgendaKey, Item][] = []
  for (const entry of agendaEntries(agenda)) {
    if (!predicate(entry)) kept.push([{ timeMs: entry.timeMs, seq: entry.seq }, entry.item])
  }
  return kept.length === agendaSize(agenda) ? agenda : { root: fromSorted(kept), nextSeq: agenda.nextSeq }
}

/** Returns the first entry due at or before `untilMs` (at any time, if omitted), or undefined. */
export function nextDue<Item>(agenda: Agenda<Item>, untilMs?: bigint): AgendaEntry<Item> | undefined {
  if (agenda.root === undefined) return undefined
  const { key, value } = firstNode(agenda.root)
  if (untilMs !== undefined && key.timeMs > untilMs) return undefined
  return { timeMs: key.timeMs, seq: key.seq, item: value }
}

/** Returns the number of entries. */
export function agendaSize<Item>(agenda: Agenda<Item>): number {
  return agenda.root?.size ?? 0
}

/** Yields all entries by due time. */
export function* agendaEntries<Item>(agenda: Agenda<Item>): Generator<AgendaEntry<Item>> {
  for (const { key, value } of iterateNodes(agenda.root, byTime)) {
    yield { timeMs: key.timeMs, seq: key.seq, item: value }
  }
}

function byTime(a: AgendaKey, b: AgendaKey): number {
  if (a.timeMs !== b.timeMs) return a.timeMs < b.timeMs ? -1 : 1
  return a.seq - b.seq
}
