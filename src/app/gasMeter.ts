/** Gas meters, as in the SDK (`store/types/gas.go`). */
import { maxUint64 } from '../codec/goIntegers.ts'
import { SimError } from '../errors.ts'
import type { GasMeter } from './store.ts'

/**
 * Returns a meter that throws `OutOfGas` once consumption exceeds `limit`. Consumption stays
 * recorded, even beyond the limit.
 */
export function gasMeter(limit: bigint): GasMeter {
  let consumed = 0n
  return {
    limit,
    consumed: () => consumed,
    consume: (amount, location) => {
      consumed += amount
      if (consumed > limit) throw new OutOfGas(location, limit, consumed)
    },
    refund: (amount) => {
      consumed -= amount
    },
  }
}

/** Returns a meter without a limit, for genesis, block hooks and queries. */
export function infiniteGasMeter(): GasMeter {
  return gasMeter(maxUint64)
}

/** Execution ran out of gas; `location` is the SDK's name for the place. */
export class OutOfGas extends SimError {
  readonly location: string

  constructor(location: string, limit: bigint, consumed: bigint) {
    super('OUT_OF_GAS', `out of gas in location: ${location}; gasWanted: ${limit}, gasUsed: ${consumed}`, {
      hint: 'Send the transaction with a higher gas limit.',
    })
    this.location = location
  }
}
