/** Finds the owed replies that an event or a result concerns. */
import type { ChainEvent } from '../chain/event.ts'
import { equalBytes } from '../data/bytes.ts'
import { isMining } from './mining.ts'
import type { Node, Owed } from './node.ts'

/**
 * Returns the owed replies whose transaction is now in a block or whose blocks are mined, in order
 * of arrival.
 */
export function wokenByEvents(node: Node, events: readonly ChainEvent[]): readonly Owed[] {
  const { owed } = node
  if (owed.length === 0) return []
  const records = events.flatMap((event) => (event.type === 'blockCommitted' ? [event.record] : []))
  return owed.filter(({ wait }) => {
    if (wait.for === 'mining') return !isMining(node, wait.id)
    if (wait.for === 'tx') {
      return records.some(({ txs }) => txs.some(({ hash }) => equalBytes(hash, wait.hash)))
    }
    if (wait.for !== 'ethTx') return false
    return records.some(({ ethereum }) => ethereum.transactions.some(({ hash }) => equalBytes(hash, wait.hash)))
  })
}

/** Returns the owed reply that waits for a result of the shell, or undefined. */
export function wokenByPerformed({ owed }: Node, id: number): Owed | undefined {
  return owed.find(({ wait }) => wait.for === 'performed' && wait.id === id)
}

/** Returns the owed reply of a request, or undefined when it has been answered. */
export function owedTo({ owed }: Node, seq: number): Owed | undefined {
  return owed.find(({ stamp }) => stamp.seq === seq)
}
