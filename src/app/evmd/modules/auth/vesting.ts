/** Vesting accounts, whose coins are locked for a time (cosmos-sdk x/auth/vesting). */
import { always, bytes, int64, message, repeated } from '../../../../codec/protobuf/message.ts'
import type { Context } from '../../context.ts'
import { divide, multiply, one, rounded } from '../../decimal.ts'
import { coinField } from '../../wire.ts'
import { addCoinSets, amountOf, subtractCoinSets } from '../../coinSets.ts'
import type { Coin } from '../../coins.ts'

export type Period = { length: bigint; amount: readonly Coin[] }

/**
 * A vesting schedule. Times are in seconds since 1970. Delegations are counted separately for free
 * and vesting coins.
 */
export type Vesting = {
  readonly kind: 'continuous' | 'delayed' | 'periodic' | 'permanent'
  readonly original: readonly Coin[]
  readonly delegatedFree: readonly Coin[]
  readonly delegatedVesting: readonly Coin[]
  readonly start: bigint
  readonly end: bigint
  readonly periods: readonly Period[]
}

const urls: Readonly<Record<Vesting['kind'], string>> = {
  continuous: '/cosmos.vesting.v1beta1.ContinuousVestingAccount',
  delayed: '/cosmos.vesting.v1beta1.DelayedVestingAccount',
  periodic: '/cosmos.vesting.v1beta1.PeriodicVestingAccount',
  permanent: '/cosmos.vesting.v1beta1.PermanentLockedAccount',
}

type Base = {
  base: Uint8Array
  original: readonly Coin[]
  delegatedFree: readonly Coin[]
  delegatedVesting: readonly Coin[]
  end: bigint
}
const baseMessage = message<Base>({
  1: ['base', bytes],
  2: ['original', repeated(coinField)],
  3: ['delegatedFree', repeated(coinField)],
  4: ['delegatedVesting', repeated(coinField)],
  5: ['end', int64],
})
export const periodMessage = message<Period>({
  1: ['length', int64],
  2: ['amount', repeated(coinField)],
})
const accountMessage = message<{ base: Base; start: bigint; periods: readonly Period[] }>({
  1: ['base', always(baseMessage)],
  2: ['start', int64],
  3: ['periods', repeated(always(periodMessage))],
})

/** Returns a vesting account as an Any, given the bytes of its BaseAccount. */
export function encodeVesting(
  vesting: Vesting,
  base: Uint8Array,
): {
  typeUrl: string
  value: Uint8Array
} {
  const { kind, start, periods } = vesting
  return {
    typeUrl: urls[kind],
    value: accountMessage.encode({ base: { ...vesting, base }, start, periods }),
  }
}

/** Returns the vesting schedule and the BaseAccount in an Any; undefined for other accounts. */
export function decodeVesting({
  typeUrl,
  value,
}: {
  readonly typeUrl: string
  readonly value: Uint8Array
}): { readonly vesting: Vesting; readonly base: Uint8Array } | undefined {
  for (const kind of ['continuous', 'delayed', 'periodic', 'permanent'] as const) {
    if (urls[kind] !== typeUrl) continue
    const {
      base: { base, ...rest },
      start,
      periods,
    } = accountMessage.decode(value)
    return { vesting: { kind, ...rest, start, periods }, base }
  }
  return undefined
}

/** Returns the coins that are still vesting at a time. */
function vestingCoins(vesting: Vesting, seconds: bigint): readonly Coin[] {
  return subtractCoinSets(vesting.original, vestedCoins(vesting, seconds)) ?? []
}

function vestedCoins(vesting: Vesting, now: bigint): readonly Coin[] {
  const { kind, original, start, end, periods } = vesting
  if (kind === 'permanent') return []
  // A schedule that ends before it starts is fully locked until its start has passed.
  if (kind !== 'delayed' && now <= start) return []
  if (now >= end) return original
  if (kind === 'delayed') return []
  if (kind === 'continuous') {
    const share = divide((now - start) * one, (end - start) * one)
    return original
      .map(({ denom, amount }) => ({ denom, amount: rounded(multiply(amount * one, share)) }))
      .filter(({ amount }) => amount > 0n)
  }
  let at = start
  let vested: readonly Coin[] = []
  for (const { length, amount } of periods) {
    at += length
    if (at > now) break
    vested = addCoinSets(vested, amount)
  }
  return vested
}

/** Returns the coins that an account cannot spend: those that are vesting and not delegated. */
export function lockedCoins({ block }: Pick<Context, 'block'>, vesting: Vesting | undefined): readonly Coin[] {
  if (vesting === undefined) return []
  return vestingCoins(vesting, block.timeSeconds)
    .map(({ denom, amount }) => {
      const delegated = amountOf(vesting.delegatedVesting, denom)
      return { denom, amount: amount > delegated ? amount - delegated : 0n }
    })
    .filter(({ amount }) => amount > 0n)
}

/** Returns the schedule after a delegation, which uses vesting coins first. */
export function trackDelegation({ block }: Pick<Context, 'block'>, vesting: Vesting, coins: readonly Coin[]): Vesting {
  const still = vestingCoins(vesting, block.timeSeconds)
  return coins.reduce((counts: Vesting, { denom, amount }) => {
    const free = amountOf(still, denom) - amountOf(counts.delegatedVesting, denom)
    const x = free < 0n ? 0n : free < amount ? free : amount
    return {
      ...counts,
      delegatedVesting: addCoinSets(counts.delegatedVesting, [{ denom, amount: x }]),
      delegatedFree: addCoinSets(counts.delegatedFree, [{ denom, amount: amount - x }]),
    }
  }, vesting)
}

/** Returns the schedule after delegated coins are returned; free coins are returned first. */
export function trackUndelegation(vesting: Vesting, coins: readonly Coin[]): Vesting {
  return coins.reduce((counts: Vesting, { denom, amount }) => {
    const x = least(amountOf(counts.delegatedFree, denom), amount)
    const y = least(amountOf(counts.delegatedVesting, denom), amount - x)
    return {
      ...counts,
      delegatedFree: addCoinSets(counts.delegatedFree, [{ denom, amount: -x }]),
      delegatedVesting: addCoinSets(counts.delegatedVesting, [{ denom, amount: -y }]),
    }
  }, vesting)
}

function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}
