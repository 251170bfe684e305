/** Converts facts about a forked chain's state into store entries. */
import { Any } from '../../codec/messages/cosmos.ts'
import { keccak256 } from '../../crypto/hash.ts'
import { concatBytes } from '../../data/bytes.ts'
import { newForked, setKnown, type Fact, type Forked } from '../forked.ts'
import type { AppState } from '../state.ts'
import { modulePermissions, moduleAddress } from './address.ts'
import { anyOfAccount } from './modules/auth/accounts.ts'

/** Returns the initial facts. Module accounts belong to this chain and start without a balance. */
export function newForkedState(denom: string): Forked {
  const forked = newForked(denom)
  const nothing = { wei: 0n, nonce: 0n, code: new Uint8Array(0) }
  for (const name of Object.keys(modulePermissions)) {
    learn(forked, { type: 'account', address: moduleAddress(name), ...nothing })
  }
  return forked
}

/** Adds facts to a state, and to all earlier and later states that share its `forked` value. */
export function learnFacts({ forked }: AppState, facts: readonly Fact[]): void {
  if (forked !== undefined) for (const fact of facts) learn(forked, fact)
}

function learn(forked: Forked, fact: Fact): void {
  const { address } = fact
  const set = (store: string, parts: readonly Uint8Array[], value: Uint8Array | null) => {
    setKnown(forked, { store, key: concatBytes(parts), value })
  }
  if (fact.type === 'slot') {
    const isZero = fact.value.every((byte) => byte === 0)
    return set('evm', [Uint8Array.of(2), address, fact.slot], isZero ? null : fact.value)
  }
  const { wei, nonce, code, stored, coins = [] } = fact
  const hasCode = code.length > 0
  const exists = hasCode || wei > 0n || nonce > 0n
  const text = new TextEncoder()
  const isStored = stored !== undefined && stored.length > 0
  const account = isStored ? stored : exists ? accountBytes(fact) : null
  set('acc', [Uint8Array.of(1), address], account)
  for (const { denom, amount } of [{ denom: forked.denom, amount: wei }, ...coins]) {
    const held = amount > 0n ? text.encode(amount.toString()) : null
    set('bank', [Uint8Array.of(2, 20), address, text.encode(denom)], held)
  }
  set('evm', [Uint8Array.of(4), address], hasCode ? keccak256(code) : null)
  if (hasCode) set('evm', [Uint8Array.of(1), keccak256(code)], code)
}

function accountBytes(fact: Extract<Fact, { type: 'account' }>): Uint8Array {
  const { address, nonce } = fact
  const number = madeUpNumber(address)
  const account = { address, publicKey: undefined, number, sequence: nonce, module: undefined }
  return Any.encode(anyOfAccount(account))
}

/**
 * Returns an invented account number, because Ethereum JSON-RPC does not return one. It exceeds the
 * numbers of any real chain and is a safe integer in JavaScript.
 */
function madeUpNumber(address: Uint8Array): bigint {
  return keccak256(address)
    .slice(0, 6)
    .reduce((number, byte) => number * 256n + BigInt(byte), 1n << 50n)
}
