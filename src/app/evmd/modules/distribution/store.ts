/** The store `distribution`, which holds rewards (x/distribution keeper/store.go). */
import { bytesValue } from '../../../../codec/protobuf/comet.ts'
import { bool, message, repeated, uint32, uint64 } from '../../../../codec/protobuf/message.ts'
import { assert } from '../../../../errors.ts'
import type { StoredForm } from '../../../store.ts'
import type { Context } from '../../context.ts'
import { bigEndian, littleEndian, prefixRange, readBigEndian, sized, storeKey } from '../../storeKeys.ts'
import { storedForm } from '../../storedForm.ts'
import { coinField, digits } from '../../wire.ts'
import type { DelegationPair } from '../staking/delegations.ts'
import type { DecCoin } from './decCoins.ts'

/** The parameters of x/distribution. Shares are 18-place decimals. */
export type DistributionParams = {
  communityTax: bigint
  baseProposerReward: bigint
  bonusProposerReward: bigint
  withdrawAddrEnabled: boolean
}
export type Rewards = { coins: readonly DecCoin[] }
/** Rewards per token up to the end of a period. Deleted once nothing refers to it. */
export type PastRewards = { ratio: readonly DecCoin[]; references: number }
export type CurrentRewards = { coins: readonly DecCoin[]; period: bigint }
/** The start of a delegation's rewards: the preceding period, the stake and the height. */
export type StartingInfo = { previousPeriod: bigint; stake: bigint; height: bigint }
export type SlashEvent = { period: bigint; fraction: bigint }

export const paramsMessage = message<DistributionParams>({
  1: ['communityTax', digits],
  2: ['baseProposerReward', digits],
  3: ['bonusProposerReward', digits],
  4: ['withdrawAddrEnabled', bool],
})
const paramsForm = storedForm(paramsMessage)
const rewardsForm = storedForm(message<Rewards>({ 1: ['coins', repeated(coinField)] }))
const pastForm = storedForm(
  message<PastRewards>({
    1: ['ratio', repeated(coinField)],
    2: ['references', uint32],
  }),
)
const currentForm = storedForm(
  message<CurrentRewards>({
    1: ['coins', repeated(coinField)],
    2: ['period', uint64],
  }),
)
const startForm = storedForm(
  message<StartingInfo>({
    1: ['previousPeriod', uint64],
    2: ['stake', digits],
    3: ['height', uint64],
  }),
)
export const slashMessage = message<SlashEvent>({ 1: ['period', uint64], 2: ['fraction', digits] })

const prefix = {
  feePool: 0,
  proposer: 1,
  outstanding: 2,
  withdrawAddress: 3,
  start: 4,
  past: 5,
  current: 6,
  commission: 7,
  slash: 8,
  params: 9,
} as const

function read<Value>(context: Context, form: StoredForm<Value>, key: Uint8Array): Value {
  return context.store('distribution').read(key, form) ?? form.decode(noBytes, key)
}

const noBytes = new Uint8Array(0)

function write<Value>(
  context: Context,
  form: StoredForm<Value>,
  { key, value }: { key: Uint8Array; value: Value },
): void {
  context.store('distribution').write(key, value, form)
}

/** Returns the parameters of x/distribution. */
export function distributionParams(context: Context): DistributionParams {
  return read(context, paramsForm, storeKey(prefix.params))
}

/** Stores the parameters of x/distribution. */
export function setDistributionParams(context: Context, value: DistributionParams): void {
  write(context, paramsMessage, { key: storeKey(prefix.params), value })
}

/** Returns the balance of the community pool. */
export function communityPool(context: Context): readonly DecCoin[] {
  return read(context, rewardsForm, storeKey(prefix.feePool)).coins
}

/** Stores the balance of the community pool. */
export function setCommunityPool(context: Context, coins: readonly DecCoin[]): void {
  write(context, rewardsForm, { key: storeKey(prefix.feePool), value: { coins } })
}

/** Stores the consensus address of the block's proposer; empty bytes if there is none. */
export function setProposer(context: Context, value: Uint8Array): void {
  write(context, bytesValue, { key: storeKey(prefix.proposer), value: { value } })
}

/** An amount kept per validator: outstanding rewards or commission. */
export type KeptAmount = 'outstanding' | 'commission'

/** Returns a validator's outstanding rewards or commission. */
export function rewardsOf(context: Context, of: KeptAmount, operator: Uint8Array): readonly DecCoin[] {
  return read(context, rewardsForm, storeKey(prefix[of], sized(operator))).coins
}

/** Stores a validator's outstanding rewards or commission. */
export function setRewards(
  context: Context,
  of: KeptAmount,
  { operator, coins }: { operator: Uint8Array } & Rewards,
): void {
  const key = storeKey(prefix[of], sized(operator))
  write(context, rewardsForm, { key, value: { coins } })
}

/** Returns a validator's rewards in the current period. */
export function currentRewards(context: Context, operator: Uint8Array): CurrentRewards {
  return read(context, currentForm, storeKey(prefix.current, sized(operator)))
}

/** Stores a validator's rewards in the current period. */
export function setCurrentRewards(context: Context, operator: Uint8Array, value: CurrentRewards): void {
  write(context, currentForm, { key: storeKey(prefix.current, sized(operator)), value })
}

/** Returns the rewards per token up to the end of a period. */
export function pastRewards(context: Context, operator: Uint8Array, period: bigint): PastRewards {
  return read(context, pastForm, pastKey(operator, period))
}

/**
 * Stores the rewards per token up to the end of a period. Deletes them if there are no references.
 */
export function setPastRewards(
  context: Context,
  operator: Uint8Array,
  { period, ...value }: PastRewards & { period: bigint },
): void {
  const key = pastKey(operator, period)
  if (value.references === 0) context.store('distribution').delete(key)
  else write(context, pastForm, { key, value })
}

function pastKey(operator: Uint8Array, period: bigint): Uint8Array {
  return storeKey(prefix.past, sized(operator), littleEndian(period))
}

/** Returns whether a delegation earns rewards. */
export function hasStart(context: Context, pair: DelegationPair): boolean {
  return context.store('distribution').has(startKey(pair))
}

/** Returns the start of a delegation's rewards. */
export function startOf(context: Context, pair: DelegationPair): StartingInfo {
  return read(context, startForm, startKey(pair))
}

/** Stores the start of a delegation's rewards; undefined deletes it. */
export function setStart(context: Context, pair: DelegationPair, value: StartingInfo | undefined): void {
  if (value === undefined) context.store('distribution').delete(startKey(pair))
  else write(context, startForm, { key: startKey(pair), value })
}

function startKey({ operator, delegator }: DelegationPair): Uint8Array {
  return storeKey(prefix.start, sized(operator), sized(delegator))
}

/** Returns the address that receives a delegator's rewards, by default its own. */
export function withdrawAddress(context: Context, delegator: Uint8Array): Uint8Array {
  return context.store('distribution').get(storeKey(prefix.withdrawAddress, sized(delegator))) ?? delegator
}

/** Stores the address that receives a delegator's rewards. */
export function setWithdrawAddress(context: Context, delegator: Uint8Array, address: Uint8Array): void {
  context.store('distribution').set(storeKey(prefix.withdrawAddress, sized(delegator)), address)
}

/** Returns the slashes of a validator between two heights, both included. */
export function slashesBetween(
  context: Context,
  operator: Uint8Array,
  { from, to }: { from: bigint; to: bigint },
): readonly (SlashEvent & { readonly height: bigint })[] {
  const start = storeKey(prefix.slash, sized(operator), bigEndian(from))
  const end = storeKey(prefix.slash, sized(operator), bigEndian(to + 1n))
  return [...context.store('distribution').iterate({ start, end })].map(([key, value]) => ({
    ...slashMessage.decode(value),
    height: readBigEndian(key.subarray(2 + operator.length)),
  }))
}

/** Returns the store and key prefix of a validator's slashes, ordered by height. */
export function slashesPlace(operator: Uint8Array) {
  return { store: 'distribution', prefix: storeKey(prefix.slash, sized(operator)) } as const
}

/**
 * Returns a decoded slash; undefined unless its period is within a range. As on the node, periods
 * are compared although the request names heights.
 */
export function slashWithin(
  bytes: Uint8Array,
  { from, to }: { readonly from: bigint; readonly to: bigint },
): SlashEvent | undefined {
  const slash = slashMessage.decode(bytes)
  return slash.period < from || slash.period > to ? undefined : slash
}

/** Stores a slash of a validator under the height and the period in which it happened. */
export function setSlash(
  context: Context,
  operator: Uint8Array,
  { height, period, event }: { height: bigint; period: bigint; event: SlashEvent },
): void {
  const key = storeKey(prefix.slash, sized(operator), bigEndian(height), bigEndian(period))
  write(context, slashMessage, { key, value: event })
}

/** Deletes all records of a validator. */
export function deleteRewards(context: Context, operator: Uint8Array): void {
  const store = context.store('distribution')
  store.delete(storeKey(prefix.outstanding, sized(operator)))
  store.delete(storeKey(prefix.commission, sized(operator)))
  for (const first of [prefix.slash, prefix.past]) {
    const range = prefixRange(storeKey(first, sized(operator)))
    for (const [key] of [...store.iterate(range)]) store.delete(key)
  }
  assert(operator.length === 20, 'an operator address has 20 bytes')
  store.delete(storeKey(prefix.current, sized(operator)))
}
