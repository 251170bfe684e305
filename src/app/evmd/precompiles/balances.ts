/** Keeps balances of the EVM's coin in sync between the EVM's journal and the bank module. */
import { fromBinaryString, toBinaryString } from '../../../data/binaryString.ts'
import { compareBytes, equalBytes } from '../../../data/bytes.ts'
import type { EvmAccount, EvmAccountDiff, EvmDiff, EvmRead, HostJournal } from '../../../evm/types.ts'
import type { Store } from '../../store.ts'
import type { Context } from '../context.ts'
import type { StoreName } from '../storeNames.ts'
import { isBlocked } from '../modules/bank/blocked.ts'
import { getBalance } from '../modules/bank/balances.ts'
import type { EvmCoin } from '../../evmCoin.ts'
import { changeBalance } from '../modules/evm/state.ts'
import { emptyCodeHash } from '../modules/evm/store.ts'
import { holderOfFraction, weiOf } from '../modules/precisebank/fractions.ts'
import { getSpendableWei } from '../modules/precisebank/send.ts'

/** Accounts as the EVM first read them, by address. */
export type LoadedAccounts = Map<string, EvmAccount | undefined>

/**
 * Returns an account reader that records each account as it was before modules changed it. An
 * account is read once, before its balance changes.
 */
export function firstRead(read: EvmRead['account'], loaded: LoadedAccounts): EvmRead['account'] {
  return (address) => {
    const key = toBinaryString(address)
    if (!loaded.has(key)) loaded.set(key, read(address))
    return loaded.get(key)
  }
}

type Sides = {
  readonly context: Context
  readonly journal: HostJournal
  readonly coin: EvmCoin
}

/**
 * Updates the bank with the EVM's changes so far, ordered by address (StateDB CommitWithCacheCtx), and
 * returns the addresses whose balance it changed. Throws the SDK's `unauthorized` if an address that
 * must not receive coins has received some.
 */
export function settle({ context, journal, coin }: Sides, loaded: LoadedAccounts): readonly string[] {
  const changed: string[] = []
  for (const [key, before] of [...loaded].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const address = fromBinaryString(key)
    const balance = journal.balance(address)
    const isStale = isBlocked(address) && balance === (before?.balance ?? 0n)
    const held = getSpendableWei(context, address, coin)
    if (isStale || balance === held) continue
    changeBalance(context, { address, coin, balance })
    changed.push(key)
  }
  return changed
}

/**
 * Returns the engine's changes with those of accounts whose bank balance changed on the way, ordered by
 * address. The engine leaves out accounts that are as they were, and those that it created and destroyed;
 * the node sets the balance of every account that was changed (StateDB Commit).
 */
export function withSettled(diff: EvmDiff, settled: readonly string[], loaded: LoadedAccounts): EvmDiff {
  const known = new Set(diff.map(({ address }) => toBinaryString(address)))
  const back = [...new Set(settled)].filter((key) => !known.has(key)).map((key) => asBefore(key, loaded.get(key)))
  return back.length === 0 ? diff : [...diff, ...back].sort((a, b) => compareBytes(a.address, b.address))
}

function asBefore(key: string, before: EvmAccount | undefined): EvmAccountDiff {
  const { balance, nonce, codeHash } = before ?? { balance: 0n, nonce: 0n, codeHash: emptyCodeHash }
  return {
    ...{ address: fromBinaryString(key), balance, nonce, codeHash, code: undefined, slots: [] },
    ...{ created: before === undefined, destroyed: before === undefined, empty: false },
  }
}

const balancePrefix = 2
const encoder = new TextEncoder()

/** Accounts whose balances a call has changed, by address, with their balances before in wei. */
export type Touched = Map<string, { readonly address: Uint8Array; readonly before: bigint }>

/**
 * Returns a store that records writes of the EVM's coin, if it holds balances of it, and loads each account
 * into the journal first. Module accounts are skipped, because the node hides their changes from the EVM.
 */
export function watched(name: StoreName, store: Store, sides: Sides, touched: Touched): Store {
  if (name !== 'bank' && name !== 'precisebank') return store
  const { journal, coin } = sides
  const suffix = encoder.encode(coin.denom)
  const note = (key: Uint8Array): void => {
    const address = name === 'bank' ? holderOf(key, suffix) : holderOfFraction(key)
    if (address === undefined || isBlocked(address)) return
    const at = toBinaryString(address)
    if (touched.has(at)) return
    journal.balance(address)
    touched.set(at, { address, before: balanceInWei(sides, address) })
  }
  return {
    // Each by name: the methods of a store's class are not members of the store.
    get: (key) => store.get(key),
    has: (key) => store.has(key),
    read: (key, form) => store.read(key, form),
    iterate: (range) => store.iterate(range),
    set: (key, value) => {
      note(key)
      store.set(key, value)
    },
    write: (key, value, form) => {
      note(key)
      store.write(key, value, form)
    },
    rewrite: (key, value) => {
      note(key)
      store.rewrite(key, value)
    },
    delete: (key) => {
      note(key)
      store.delete(key)
    },
  }
}

/**
 * Updates the EVM's journal with a call's changes in the bank. The EVM's balance is that of the spendable
 * coins, but the node adds up events, which count locked coins too (BalanceHandler). So who delegates
 * locked coins loses as many spendable ones, and the balance wraps around below zero.
 */
export function reflect(sides: Sides, touched: Touched): void {
  const { journal } = sides
  for (const { address, before } of touched.values()) {
    const gain = balanceInWei(sides, address) - before
    if (gain > 0n) journal.addBalance(address, gain)
    else if (gain < 0n && !journal.subBalance(address, -gain)) journal.addBalance(address, BigInt.asUintN(256, gain))
  }
}

/** Returns a balance with its locked coins. */
function balanceInWei({ context, coin }: Sides, address: Uint8Array): bigint {
  return weiOf(context, address, coin, getBalance(context, address, coin.denom))
}

/**
 * Returns the address in a balance key. The key is its prefix, the length-prefixed address, and the
 * denomination.
 */
function holderOf(key: Uint8Array, denom: Uint8Array): Uint8Array | undefined {
  if (key[0] !== balancePrefix || key[1] !== 20) return undefined
  return equalBytes(key.subarray(22), denom) ? key.slice(2, 22) : undefined
}
