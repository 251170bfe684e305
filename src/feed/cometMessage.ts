/** What a node shows subscribers of CometBFT RPC of one event. */
import type { AbciEvent } from '../app/abci.ts'
import type { EventMap } from './matchQuery.ts'
import type { Plain, PlainObject } from '../codec/goJsonWrite.ts'

/** Something published: its keys for queries, its data as text when somebody wants it. */
export type Message = { readonly events: EventMap; readonly data: () => Plain }

/** Returns a message whose type is its event's name; block-level events are its keys. */
export function message(
  name: string,
  blockEvents: readonly AbciEvent[],
  value: () => PlainObject,
  type = name,
): Message {
  const events = keysOf(blockEvents)
  add(events, 'tm.event', name)
  return { events, data: () => ({ type: `tendermint/event/${type}`, value: value() }) }
}

/** The `index` flag of attributes does not matter here (§3.2). */
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
