/** Validator sets: order, updates and proposer priorities (`comet-rpc.md` §5.9). */
import { maxInt64, minInt64 } from '../codec/goIntegers.ts'
import type { PublicKey, ValidatorUpdate } from '../app/abci.ts'
import { ripemd160, sha256 } from '../crypto/hash.ts'
import { compareBytes } from '../data/bytes.ts'
import { plainHexOf } from '../codec/hex.ts'
import type { Validator, ValidatorSet } from './block.ts'

/** Returns the 20-byte address of a validator key (§5.6). */
export function validatorAddress({ type, bytes }: PublicKey): Uint8Array {
  return type === 'ed25519' ? sha256(bytes).subarray(0, 20) : ripemd160(sha256(bytes))
}

/** Returns a chain's first validator set: the given powers, incremented once. */
export function firstSet(updates: readonly ValidatorUpdate[]): ValidatorSet {
  return incremented(updated({ validators: [], proposer: 0 }, updates), 1)
}

/**
 * Returns the validator set after updates; power 0 removes a validator. Without updates, returns
 * the set itself.
 */
export function updated(set: ValidatorSet, updates: readonly ValidatorUpdate[]): ValidatorSet {
  if (updates.length === 0) return set
  const byAddress = new Map(set.validators.map((one) => [plainHexOf(one.address), one]))
  const removed = new Set<string>()
  for (const { publicKey, power } of updates) {
    const address = validatorAddress(publicKey)
    const key = plainHexOf(address)
    if (power === 0n) {
      removed.add(key)
      continue
    }
    const known = byAddress.get(key)
    byAddress.set(key, known === undefined ? { address, publicKey, power, priority: minInt64 } : { ...known, power })
  }
  const before = totalPower([...byAddress.values()])
  const entered = -(before + (before >> 3n))
  const kept = [...byAddress]
    .filter(([key]) => !removed.has(key))
    .map(([, one]) => (one.priority === minInt64 ? { ...one, priority: entered } : one))
  const ordered = centred(rescaled(kept)).toSorted(byPower)
  return { validators: ordered, proposer: proposerOf(ordered) }
}

/** Returns the validator set after `times` proposals: same validators, new priorities. */
export function incremented(set: ValidatorSet, times: number): ValidatorSet {
  let validators = centred(rescaled(set.validators))
  let proposer = set.proposer
  const total = totalPower(validators)
  for (let turn = 0; turn < times; turn++) {
    const raised = validators.map((one) => ({ ...one, priority: clip(one.priority + one.power) }))
    proposer = proposerOf(raised)
    validators = raised.map((one, index) =>
      index === proposer ? { ...one, priority: clip(one.priority - total) } : one,
    )
  }
  // An unchanged list (one validator) keeps its identity, so its cached hash is reused.
  const isSame = validators.every(({ priority }, index) => priority === set.validators[index]?.priority)
  return { validators: isSame ? set.validators : validators, proposer }
}

/** Returns the total voting power. */
export function totalPower(validators: readonly Validator[]): bigint {
  return validators.reduce((sum, { power }) => sum + power, 0n)
}

/** Orders validators by descending power, then by address. */
export function byPower(a: Validator, b: Validator): number {
  return a.power === b.power ? compareBytes(a.address, b.address) : a.power > b.power ? -1 : 1
}

/** Returns the index of the highest priority; ties go to the lower address. */
function proposerOf(validators: readonly Validator[]): number {
  let best = 0
  for (const [index, one] of validators.entries()) {
    const leader = validators[best]
    if (
      leader === undefined ||
      one.priority > leader.priority ||
      (one.priority === leader.priority && compareBytes(one.address, leader.address) < 0)
    )
      best = index
  }
  return best
}

/** Keeps priorities within twice the total power, dividing towards zero as Go does. */
function rescaled(validators: readonly Validator[]): readonly Validator[] {
  if (validators.length === 0) return validators
  const priorities = validators.map(({ priority }) => priority)
  const spread = maxOf(priorities) - minOf(priorities)
  const window = 2n * totalPower(validators)
  if (window <= 0n || spread <= window) return validators
  const ratio = (spread + window - 1n) / window
  return validators.map((one) => ({ ...one, priority: one.priority / ratio }))
}

/** Shifts priorities so that they average zero. */
function centred(validators: readonly Validator[]): readonly Validator[] {
  if (validators.length === 0) return validators
  const sum = validators.reduce((total, { priority }) => total + priority, 0n)
  const count = BigInt(validators.length)
  const average = sum >= 0n ? sum / count : -((-sum + count - 1n) / count)
  return average === 0n ? validators : validators.map((one) => ({ ...one, priority: clip(one.priority - average) }))
}

function clip(value: bigint): bigint {
  return value > maxInt64 ? maxInt64 : value < minInt64 ? minInt64 : value
}

function maxOf(values: readonly bigint[]): bigint {
  return values.reduce((a, b) => (a > b ? a : b))
}
function minOf(values: readonly bigint[]): bigint {
  return values.reduce((a, b) => (a < b ? a : b))
}
