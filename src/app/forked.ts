/**
 * What is known of the state that a forked chain goes on from: that of another chain at one height.
 * It is a constant that is looked up bit by bit, so what is known only grows, and every state of
 * the chain shares it. It stands below the trees: reading changes no app hash.
 */
import { fromBinaryString, toBinaryString } from '../data/binaryString.ts'
import { plainHexOf } from '../codec/hex.ts'

/** `known` is by store and key, null where there is nothing; `wanted` was read and is not known. */
export type Forked = {
  /** The denomination of the EVM's coin. */
  readonly denom: string
  readonly known: Map<string, Map<string, Uint8Array | null>>
  readonly wanted: Map<string, Wanted>
}

/** Something of the other chain that has to be known first. */
export type Wanted =
  | { readonly type: 'account'; readonly address: Uint8Array }
  | { readonly type: 'slot'; readonly address: Uint8Array; readonly slot: Uint8Array }

/**
 * What the other chain said. Where its stores could be asked, `stored` is the account as x/auth
 * keeps it (empty where there is none), and `coins` are all that it has.
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

/** Returns that nothing is known yet. */
export function newForked(denom: string): Forked {
  return { denom, known: new Map(), wanted: new Map() }
}

/**
 * Returns the value of a key in the other chain's state, null where there is none, and notes what
 * has to be asked for when it is not known.
 */
export function readForked(forked: Forked, store: string, key: string): Uint8Array | null {
  const value = forked.known.get(store)?.get(key)
  if (value !== undefined) return value
  const wanted = wantedOf(forked, store, key)
  if (wanted !== undefined) want(forked, wanted)
  return null
}

/** Notes what a range of keys needs: the balances of an account can be listed. */
export function wantRange(forked: Forked, store: string, start: string): void {
  const isOfAccount = store === 'bank' && start.startsWith('\x02\x14') && start.length >= 22
  if (isOfAccount) readForked(forked, store, start.slice(0, 22) + forked.denom)
}

/** Returns the keys of a store that are known to be there. */
export function knownKeys({ known }: Forked, store: string): readonly string[] {
  return [...(known.get(store) ?? [])].flatMap(([key, value]) => (value === null ? [] : [key]))
}

type Known = { readonly store: string; readonly key: Uint8Array; readonly value: Uint8Array | null }

/** Writes down that a key has a value, or null for none. */
export function setKnown({ known }: Forked, { store, key, value }: Known): void {
  const entries = known.get(store) ?? new Map<string, Uint8Array | null>()
  known.set(store, entries.set(toBinaryString(key), value))
}

/** Returns what was wanted since it was asked last. */
export function takeWanted({ wanted }: Forked): readonly Wanted[] {
  const all = [...wanted.values()]
  wanted.clear()
  return all
}

/**
 * Returns whether a key can be one of the other chain's: that it was deleted must be remembered
 * then.
 */
export function isForkedKey(store: string, key: string): boolean {
  return addressIn(store, key) !== undefined
}

function want({ wanted }: Forked, one: Wanted): void {
  const key = plainHexOf(one.address) + (one.type === 'slot' ? plainHexOf(one.slot) : '')
  wanted.set(key, one)
}

/** The storage of an account without code is empty: nobody has to be asked. */
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
 * Keys as x/auth, x/bank and x/vm put them together: of accounts, balances, code hashes and
 * storage.
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
