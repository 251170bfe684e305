/** A store whose every access costs gas, in the SDK's amounts and order (`store/gaskv`). */
import { kvGas, type GasMeter, type Store, type StoreRange } from './store.ts'

/** Returns the store with gas: what is charged, and at which place, is as in the SDK's gaskv. */
export function meteredStore(store: Store, meter: GasMeter): Store {
  return {
    get: (key) => {
      meter.consume(kvGas.readFlat, 'ReadFlat')
      const value = store.get(key)
      meter.consume(kvGas.readPerByte * BigInt(key.length), 'ReadPerByte')
      meter.consume(kvGas.readPerByte * BigInt(value?.length ?? 0), 'ReadPerByte')
      return value
    },
    has: (key) => {
      meter.consume(kvGas.has, 'Has')
      return store.has(key)
    },
    set: (key, value) => {
      meter.consume(kvGas.writeFlat, 'WriteFlat')
      meter.consume(kvGas.writePerByte * BigInt(key.length), 'WritePerByte')
      meter.consume(kvGas.writePerByte * BigInt(value.length), 'WritePerByte')
      store.set(key, value)
    },
    delete: (key) => {
      meter.consume(kvGas.delete, 'Delete')
      store.delete(key)
    },
    iterate: (range) => iterateMetered(store, meter, range),
  }
}

/**
 * The SDK charges each entry when the iterator comes to stand on it, and the flat cost also at the
 * end.
 */
function* iterateMetered(
  store: Store, meter: GasMeter, range: StoreRange,
): Generator<readonly [Uint8Array, Uint8Array]> {
  for (const entry of store.iterate(range)) {
    const length = BigInt(entry[0].length + entry[1].length)
    meter.consume(kvGas.readPerByte * length, 'ValuePerByte')
    meter.consume(kvGas.iterateNextFlat, 'IterNextCostFlat')
    yield entry
  }
  meter.consume(kvGas.iterateNextFlat, 'IterNextCostFlat')
}
