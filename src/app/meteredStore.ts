/** A store that charges gas for every access, with the SDK's amounts and order (`store/gaskv`). */
import { kvGas, type GasMeter, type Store, type StoredForm, type StoreRange } from './store.ts'

/** Returns the store with gas metering. Amounts and locations match the SDK's gaskv. */
export function meteredStore(store: Store, meter: GasMeter): Store {
  return new Metered(store, meter)
}

/** A class, because a store is made for every access and an object of closures costs eight objects. */
class Metered implements Store {
  readonly #store: Store
  readonly #meter: GasMeter

  constructor(store: Store, meter: GasMeter) {
    this.#store = store
    this.#meter = meter
  }

  get(key: Uint8Array): Uint8Array | undefined {
    const meter = this.#meter
    meter.consume(kvGas.readFlat, 'ReadFlat')
    const value = this.#store.get(key)
    meter.consume(kvGas.readPerByte * BigInt(key.length), 'ReadPerByte')
    meter.consume(kvGas.readPerByte * BigInt(value?.length ?? 0), 'ReadPerByte')
    return value
  }

  set(key: Uint8Array, value: Uint8Array): void {
    const meter = this.#meter
    meter.consume(kvGas.writeFlat, 'WriteFlat')
    meter.consume(kvGas.writePerByte * BigInt(key.length), 'WritePerByte')
    meter.consume(kvGas.writePerByte * BigInt(value.length), 'WritePerByte')
    this.#store.set(key, value)
  }

  /** Gas is charged per byte, so the value is encoded. */
  read<Value>(key: Uint8Array, { decode }: StoredForm<Value>): Value | undefined {
    const value = this.get(key)
    return value && decode(value, key)
  }

  write<Value>(key: Uint8Array, value: Value, { encode }: StoredForm<Value>): void {
    this.set(key, encode(value))
  }

  rewrite(key: Uint8Array, value: Uint8Array): void {
    this.delete(key)
    this.has(key)
    this.set(key, value)
  }

  has(key: Uint8Array): boolean {
    this.#meter.consume(kvGas.has, 'Has')
    return this.#store.has(key)
  }

  delete(key: Uint8Array): void {
    this.#meter.consume(kvGas.delete, 'Delete')
    this.#store.delete(key)
  }

  iterate(range: StoreRange): Iterable<readonly [Uint8Array, Uint8Array]> {
    return iterateMetered(this.#store, this.#meter, range)
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
