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
  readonly layout: ForkedLayout
  readonly known: Map<string, Map<string, Uint8Array | null>>
  readonly wanted: Map<string, WantedPart>
}

/**
 * Where the application stores what can be fetched: keys that are a prefix, an address of 20 bytes,
 * and then, for a balance, its denomination, for a slot, its number in 32 bytes.
 */
export type ForkedLayout = Readonly<Record<keyof typeof endings, ForkedPlace>>

/** `prefix` has one character per byte. */
export type ForkedPlace = { readonly store: string; readonly prefix: string }

/** Tells which lengths of a key's part after the address are valid. */
const endings = {
  account: (length: number) => length === 0,
  balance: (length: number) => length > 0,
  codeHash: (length: number) => length === 0,
  slot: (length: number) => length === 32,
} as const

/** A part of the other chain's state that must be fetched first. */
export type WantedPart =
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
export function newForked(denom: string, layout: ForkedLayout): Forked {
  return { denom, layout, known: new Map(), wanted: new Map() }
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
  const { balance } = forked.layout
  const length = balance.prefix.length + addressLength
  const isOfAccount = store === balance.store && start.startsWith(balance.prefix) && start.length >= length
  if (isOfAccount) readForked(forked, store, start.slice(0, length) + forked.denom)
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
export function takeWanted({ wanted }: Forked): readonly WantedPart[] {
  const all = [...wanted.values()]
  wanted.clear()
  return all
}

/**
 * Returns what a read without an input returns, and whether it lacked a part of the other chain's state.
 * The parts stay wanted: whoever began the read may fetch them and read again.
 */
export function readLacking<Value>(forked: Forked | undefined, read: () => Value): { value: Value; lacks: boolean } {
  if (forked === undefined) return { value: read(), lacks: false }
  const earlier = takeWanted(forked)
  const value = read()
  const lacks = forked.wanted.size > 0
  for (const one of earlier) want(forked, one)
  return { value, lacks }
}

/**
 * Returns whether a key can belong to the other chain's state, so that its deletion must be
 * remembered.
 */
export function isForkedKey({ layout }: Forked, store: string, key: string): boolean {
  return partsOfKey(layout, store, key) !== undefined
}

function want({ wanted }: Forked, one: WantedPart): void {
  const key = plainHexOf(one.address) + (one.type === 'slot' ? plainHexOf(one.slot) : '')
  wanted.set(key, one)
}

/**
 * Returns what to fetch for a key. The storage of an account without code is empty and needs no
 * request.
 */
function wantedOf(forked: Forked, store: string, key: string): WantedPart | undefined {
  const parts = partsOfKey(forked.layout, store, key)
  if (parts === undefined) return undefined
  const { kind, address, ending } = parts
  const account = { type: 'account', address: fromBinaryString(address) } as const
  if (kind === 'balance' && knownAt(forked, 'account', address) !== undefined) return undefined
  if (kind !== 'slot') return account
  const codeHash = knownAt(forked, 'codeHash', address)
  if (codeHash === undefined) want(forked, account)
  return codeHash === null ? undefined : { ...account, type: 'slot', slot: fromBinaryString(ending) }
}

function knownAt({ known, layout }: Forked, kind: 'account' | 'codeHash', address: string) {
  const { store, prefix } = layout[kind]
  return known.get(store)?.get(prefix + address)
}

type KeyParts = { readonly kind: keyof ForkedLayout; readonly address: string; readonly ending: string }

const addressLength = 20
const kinds = Object.keys(endings) as readonly (keyof ForkedLayout)[]

/** Returns the parts of a key of the layout, or undefined for another key. */
function partsOfKey(layout: ForkedLayout, store: string, key: string): KeyParts | undefined {
  for (const kind of kinds) {
    const place = layout[kind]
    if (place.store !== store || !key.startsWith(place.prefix)) continue
    const end = place.prefix.length + addressLength
    if (key.length >= end && endings[kind](key.length - end)) {
      return { kind, address: key.slice(place.prefix.length, end), ending: key.slice(end) }
    }
  }
  return undefined
}
