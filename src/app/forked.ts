/**
 * Facts about the state of the chain that was forked, at the fork height. That state is constant
 * and is fetched on demand, so the set of facts only grows, and all states of the fork share it. It
 * lies below the trees, so reading it changes no app hash.
 */
import { fromBinaryString, toBinaryString } from '../data/binaryString.ts'
import { plainHexOf } from '../codec/hex.ts'

/**
 * `known` is keyed by store and key; null means no value. `wanted` lists unknown entries that were
 * read.
 */
export type Forked = {
  /** The denomination of the EVM's coin. */
  readonly denom: string
  readonly known: Map<string, Map<string, Uint8Array | null>>
  readonly wanted: Map<string, Wanted>
}

/** A part of the other chain's state that must be fetched first. */
export type Wanted =
  | { readonly type: 'account'; readonly address: Uint8Array }
  | { readonly type: 'slot'; readonly address: Uint8Array; readonly slot: Uint8Array }

/**
 * A response of the other chain. If its stores could be queried, `stored` is the account as x/auth
 * stores it (empty if missing), and `coins` is its complete balance.
 */
export type Fact =
  | {
      readonly type: 'account'
      readonly address: Uint8Array
      readonly wei: bigint
      readonly nonce: bigint
      readonly code: Uint8Array
      readonly stored?: Uint8Array
      readonly coins?: readonly { readonly denom: string; readonly amount: bigint }[]
    }
  | {
      readonly type: 'slot'
      readonly address: Uint8Array
      readonly slot: Uint8Array
      readonly value: Uint8Array
    }

/** Returns an empty set of facts. */
export function newForked(denom: string): Forked {
  return { denom, known: new Map(), wanted: new Map() }
}

/**
 * Returns the value of a key in the other chain's state, or null if it has none. If the value is
 * unknown, records what has to be fetched.
 */
export function readForked(forked: Forked, store: string, key: string): Uint8Array | null {
  const value = forked.known.get(store)?.get(key)
  if (value !== undefined) return value
  const wanted = wantedOf(forked, store, key)
  if (wanted !== undefined) want(forked, wanted)
  return null
}

/**
 * Records what has to be fetched for a range of keys. Only the balances of an account can be
 * listed.
 */
export function wantRange(forked: Forked, store: string, start: string): void {
  const isOfAccount = store === 'bank' && start.startsWith('\x02\x14') && start.length >= 22
  if (isOfAccount) readForked(forked, store, start.slice(0, 22) + forked.denom)
}

/** Returns the keys of a store that are known to have a value. */
export function knownKeys({ known }: Forked, store: string): readonly string[] {
  return [...(known.get(store) ?? [])].flatMap(([key, value]) => (value === null ? [] : [key]))
}

type Known = { readonly store: string; readonly key: Uint8Array; readonly value: Uint8Array | null }

/** Records that a key has a value, or null for none. */
export function setKnown({ known }: Forked, { store, key, value }: Known): void {
  const entries = known.get(store) ?? new Map<string, Uint8Array | null>()
  known.set(store, entries.set(toBinaryString(key), value))
}

/** Returns the parts wanted since the last call. */
export function takeWanted({ wanted }: Forked): readonly Wanted[] {
  const all = [...wanted.values()]
  wanted.clear()
  return all
}

/**
 * Returns whether a key can belong to the other chain's state, so that its deletion must be
 * remembered.
 */
export function isForkedKey(store: string, key: string): boolean {
  return addressIn(store, key) !== undefined
}

function want({ wanted }: Forked, one: Wanted): void {
  const key = plainHexOf(one.address) + (one.type === 'slot' ? plainHexOf(one.slot) : '')
  wanted.set(key, one)
}

/**
 * Returns what to fetch for a key. The storage of an account without code is empty and needs no
 * request.
 */
function wantedOf(forked: Forked, store: string, key: string): Wanted | undefined {
  const address = addressIn(store, key)
  if (address === undefined) return undefined
  const account = { type: 'account', address: fromBinaryString(address) } as const
  if (store === 'bank' && forked.known.get('acc')?.has(`\x01${address}`) === true) return undefined
  if (store !== 'evm' || !key.startsWith('\x02')) return account
  const codeHash = forked.known.get('evm')?.get(`\x04${address}`)
  if (codeHash === undefined) want(forked, account)
  return codeHash === null ? undefined : { ...account, type: 'slot', slot: fromBinaryString(key.slice(21)) }
}

/**
 * Returns the address inside a key, in the layout that x/auth, x/bank and x/vm use for accounts,
 * balances, code hashes and storage.
 */
function addressIn(store: string, key: string): string | undefined {
  if (store === 'acc') return key.length === 21 && key.startsWith('\x01') ? key.slice(1) : undefined
  if (store === 'bank') {
    return key.startsWith('\x02\x14') && key.length > 22 ? key.slice(2, 22) : undefined
  }
  if (store !== 'evm') return undefined
  const isAccount = key.length === 21 && key.startsWith('\x04')
  const isSlot = key.length === 53 && key.startsWith('\x02')
  return isAccount || isSlot ? key.slice(1, 21) : undefined
}
