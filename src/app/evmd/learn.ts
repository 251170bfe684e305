/** Converts facts about a forked chain's state into store entries. */
import { Any } from '../../codec/messages/cosmos.ts'
import { keccak256 } from '../../crypto/hash.ts'
import { toBinaryString } from '../../data/binaryString.ts'
import { utf8Of } from '../../data/utf8.ts'
import { newForked, setKnown, type Fact, type Forked, type ForkedLayout, type ForkedPlace } from '../forked.ts'
import type { AppState } from '../state.ts'
import { type Addressing, moduleAddress, modulePermissions } from './address.ts'
import { accountStoreKey, anyOfAccount } from './modules/auth/accounts.ts'
import { balanceKey } from './modules/bank/balances.ts'
import { codeHashKey, codeKey, slotKey } from './modules/evm/store.ts'

const nobody = new Uint8Array(20)

const layout: ForkedLayout = {
  account: placeOf('acc', accountStoreKey(nobody)),
  balance: placeOf('bank', balanceKey(nobody, '')),
  codeHash: placeOf('evm', codeHashKey(nobody)),
  slot: placeOf('evm', slotKey(nobody, new Uint8Array(32))),
}

/** Returns where keys like this one are. No prefix has a zero, with which the address of zeros begins. */
function placeOf(store: string, key: Uint8Array): ForkedPlace {
  return { store, prefix: toBinaryString(key.subarray(0, key.indexOf(0))) }
}

/**
 * Returns the initial facts. Module accounts and `own`, the accounts of the genesis, belong to this chain:
 * the other chain has nothing of them.
 */
export function newForkedState(at: Addressing, denom: string, own: readonly Uint8Array[]): Forked {
  const forked = newForked(denom, layout)
  const nothing = { wei: 0n, nonce: 0n, code: new Uint8Array(0) }
  for (const address of [...Object.keys(modulePermissions).map(moduleAddress), ...own]) {
    learn(at, forked, { type: 'account', address, ...nothing })
  }
  return forked
}

/** Adds facts to a state, and to all earlier and later states that share its `forked` value. */
export function learnFacts(at: Addressing, { forked }: AppState, facts: readonly Fact[]): void {
  if (forked !== undefined) for (const fact of facts) learn(at, forked, fact)
}

function learn(at: Addressing, forked: Forked, fact: Fact): void {
  const { address } = fact
  const set = (store: string, key: Uint8Array, value: Uint8Array | null) => {
    setKnown(forked, { store, key, value })
  }
  if (fact.type === 'slot') {
    const isZero = fact.value.every((byte) => byte === 0)
    return set('evm', slotKey(address, fact.slot), isZero ? null : fact.value)
  }
  const { wei, nonce, code, stored, coins = [] } = fact
  const hasCode = code.length > 0
  const codeHash = hasCode ? keccak256(code) : null
  const exists = hasCode || wei > 0n || nonce > 0n
  const isStored = stored !== undefined && stored.length > 0
  const account = isStored ? stored : exists ? accountBytes(at, fact) : null
  set('acc', accountStoreKey(address), account)
  for (const { denom, amount } of [{ denom: forked.denom, amount: wei }, ...coins]) {
    set('bank', balanceKey(address, denom), amount > 0n ? utf8Of(amount.toString()) : null)
  }
  set('evm', codeHashKey(address), codeHash)
  if (codeHash !== null) set('evm', codeKey(codeHash), code)
}

function accountBytes(at: Addressing, fact: Extract<Fact, { type: 'account' }>): Uint8Array {
  const { address, nonce } = fact
  const number = madeUpNumber(address)
  const account = { address, publicKey: undefined, number, sequence: nonce, module: undefined }
  return Any.encode(anyOfAccount(at, account))
}

/**
 * Returns an invented account number, because Ethereum JSON-RPC does not return one: 2^50 and the
 * first six bytes of the address's hash. It exceeds the numbers of any real chain and of accounts
 * created on the fork, which begin at 2^40, and is a safe integer in JavaScript (below 2^53).
 */
function madeUpNumber(address: Uint8Array): bigint {
  const drawn = keccak256(address)
    .slice(0, 6)
    .reduce((number, byte) => number * 256n + BigInt(byte), 0n)
  return (1n << 50n) + drawn
}
