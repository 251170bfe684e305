/** A message that a node publishes to subscribers of CometBFT RPC. */
import type { AbciEvent } from '../app/abci.ts'
import type { EventMap } from './matchQuery.ts'
import type { Plain, PlainObject } from '../codec/goJsonWrite.ts'

/**
 * A published message: its keys for queries, and a function for its data, called only if a query
 * matches.
 */
export type EventMessage = { readonly events: EventMap; readonly data: () => Plain }

/** Returns a message whose type is the event name; its keys come from block-level events. */
export function message(
  name: string,
  blockEvents: readonly AbciEvent[],
  value: () => PlainObject,
  type = name,
): EventMessage {
  const events = keysOf(blockEvents)
  add(events, 'tm.event', name)
  return { events, data: () => ({ type: `tendermint/event/${type}`, value: value() }) }
}

/** Returns attribute values by key. The `index` flag is ignored here (§3.2). */
export function keysOf(events: readonly AbciEvent[]): Map<string, string[]> {
  const keys = new Map<string, string[]>()
  for (const { type, attributes } of events) {
    for (const { key, value } of attributes) {
      if (type !== '' && key !== '') add(keys, `${type}.${key}`, value)
    }
  }
  return keys
}

export function add(keys: Map<string, string[]>, key: string, value: string): void {
  const values = keys.get(key)
  if (values === undefined) keys.set(key, [value])
  else values.push(value)
}
