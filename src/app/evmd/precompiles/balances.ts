/** The one coin that two sides hold: what the EVM has in its journal, what modules have in the bank. */
import { fromBinaryString, toBinaryString } from '../../../data/binaryString.ts'
import { equalBytes } from '../../../data/bytes.ts'
import type { EvmAccount, EvmRead, HostJournal } from '../../../evm/types.ts'
import type { Store } from '../../store.ts'
import { accountText } from '../address.ts'
import type { Context } from '../context.ts'
import { getBalance } from '../modules/bank/balances.ts'
import { isBlocked } from '../modules/bank/blocked.ts'
import { changeBalance } from '../modules/evm/state.ts'
import { Reverted } from './reverted.ts'

/** Accounts that the EVM has read, as they were then, by address. */
export type Loaded = Map<string, EvmAccount | undefined>

/**
 * Returns accounts as they were before modules changed them: an account is read once, and before a
 * balance changes.
 */
export function firstRead(read: EvmRead['account'], loaded: Loaded): EvmRead['account'] {
  return (address) => {
    const key = toBinaryString(address)
    if (!loaded.has(key)) loaded.set(key, read(address))
    return loaded.get(key)
  }
}

type Sides = {
  readonly context: Context
  readonly journal: HostJournal
  readonly denom: string
}

/**
 * Brings the bank up to what the EVM has done so far, in the order of addresses (StateDB
 * CommitWithCacheCtx). Throws `Reverted` when an address that may not receive coins has some.
 */
export function settle({ context, journal, denom }: Sides, loaded: Loaded): void {
  for (const [key, before] of [...loaded].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const address = fromBinaryString(key)
    const balance = journal.balance(address)
    const isStale = isBlocked(address) && balance === (before?.balance ?? 0n)
    const held = getBalance(context, address, denom)
    if (isStale || balance === held) continue
    if (balance > held && isBlocked(address)) {
      const text = `${accountText(address)} is not allowed to receive funds: unauthorized`
      throw new Reverted(`failed to set account: ${text}`)
    }
    changeBalance(context, { address, denom, balance })
  }
}

const balancePrefix = 2
const encoder = new TextEncoder()

/**
 * Returns the bank's store with the EVM's coin mirrored: what is written there goes to the journal,
 * except for module accounts, which the node leaves out.
 */
export function mirrored(store: Store, { journal, denom }: Omit<Sides, 'context'>): Store {
  const suffix = encoder.encode(denom)
  const write = (key: Uint8Array, value: Uint8Array | undefined, act: () => void): void => {
    const address = holderOf(key, suffix)
    if (address === undefined || isBlocked(address)) return act()
    const before = journal.balance(address)
    act()
    const after = value === undefined ? 0n : BigInt(new TextDecoder().decode(value))
    if (after > before) journal.addBalance(address, after - before)
    else if (after < before) journal.subBalance(address, before - after)
  }
  return {
    ...store,
    set: (key, value) => write(key, value, () => store.set(key, value)),
    delete: (key) => write(key, undefined, () => store.delete(key)),
  }
}

/** The key of a balance is its prefix, the address with its length, and the denomination. */
function holderOf(key: Uint8Array, denom: Uint8Array): Uint8Array | undefined {
  if (key[0] !== balancePrefix || key[1] !== 20) return undefined
  return equalBytes(key.subarray(22), denom) ? key.slice(2, 22) : undefined
}
