/** A store that charges gas for every access, with the SDK's amounts and order (`store/gaskv`). */
import { kvGas, type GasMeter, type Store, type StoreRange } from './store.ts'

/** Returns the store with gas metering. Amounts and locations match the SDK's gaskv. */
export function meteredStore(store: Store, meter: GasMeter): Store {
  const get = (key: Uint8Array): Uint8Array | undefined => {
    meter.consume(kvGas.readFlat, 'ReadFlat')
    const value = store.get(key)
    meter.consume(kvGas.readPerByte * BigInt(key.length), 'ReadPerByte')
    meter.consume(kvGas.readPerByte * BigInt(value?.length ?? 0), 'ReadPerByte')
    return value
  }
  const set = (key: Uint8Array, value: Uint8Array): void => {
    meter.consume(kvGas.writeFlat, 'WriteFlat')
    meter.consume(kvGas.writePerByte * BigInt(key.length), 'WritePerByte')
    meter.consume(kvGas.writePerByte * BigInt(value.length), 'WritePerByte')
    store.set(key, value)
  }
  return {
    get,
    set,
    // Gas is charged per byte, so the value must be encoded.
    read: (key, { decode }) => {
      const value = get(key)
      return value && decode(value)
    },
    write: (key, value, { encode }) => set(key, encode(value)),
    has: (key) => {
      meter.consume(kvGas.has, 'Has')
      return store.has(key)
    },
    delete: (key) => {
      meter.consume(kvGas.delete, 'Delete')
      store.delete(key)
    },
    iterate: (range) => iterateMetered(store, meter, range),
  }
}

/**
 * Yields the entries of a range and charges for them as the SDK's `gasIterator` does. Each step
 * costs a flat amount plus the bytes of the entry it leaves; opening the iterator costs the same
 * for the first entry. So the first entry is charged twice, and the last one when the end is
 * reached. For entries A and B: A + flat on opening, A + flat to reach B, B + flat to reach the
 * end. A caller that stops early is not charged for leaving the entry where it stopped.
 */
function* iterateMetered(
  store: Store,
  meter: GasMeter,
  range: StoreRange,
): Generator<readonly [Uint8Array, Uint8Array]> {
  const seek = (entry: readonly [Uint8Array, Uint8Array] | undefined): void => {
    if (entry !== undefined) {
      for (const { length } of entry) {
        meter.consume(kvGas.readPerByte * BigInt(length), 'ValuePerByte')
      }
    }
    meter.consume(kvGas.iterateNextFlat, 'IterNextCostFlat')
  }
  let isOpen = false
  for (const entry of store.iterate(range)) {
    if (!isOpen) seek(entry)
    isOpen = true
    yield entry
    seek(entry)
  }
  if (!isOpen) seek(undefined)
}
