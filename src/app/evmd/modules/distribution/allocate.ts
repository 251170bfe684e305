/** Fees and new coins go to validators and the community pool (cosmos-sdk x/distribution). */
import { message, nested, repeated, text, uint64 } from '../../../../codec/protobuf/message.ts'
import { concatBytes } from '../../../../data/bytes.ts'
import type { CommitVote } from '../../../abci.ts'
import { feeCollector, moduleAddress } from '../../address.ts'
import { emit, type Context } from '../../context.ts'
import { divideTruncate, one } from '../../decimal.ts'
import { allBalances } from '../bank/balances.ts'
import { sendFromModule } from '../bank/send.ts'
import { getValidator, operatorOfConsensus, type Validator } from '../staking/validators.ts'
import {
  addDecCoins, type DecCoin, decCoinsText, decodeDecCoins, encodeDecCoins, roundedShareOf, shareOf,
  subtractDecCoins,
} from './decCoins.ts'

const feePoolKey = Uint8Array.of(0)
const taxKey = Uint8Array.of(9)
const prefix = { outstanding: 2, current: 6, commission: 7 } as const

type CurrentRewards = {
  rewards: readonly ({ denom: string; amount: string } | undefined)[]
  period: bigint
}
const currentRewards = message<CurrentRewards>({
  1: ['rewards', repeated(nested(message<{ denom: string; amount: string }>({
    1: ['denom', text], 2: ['amount', text],
  })))],
  2: ['period', uint64],
})
const params = message<{ communityTax: string; withdraw: bigint }>({
  1: ['communityTax', text], 4: ['withdraw', uint64],
})

/** Stores the share of the community pool, an 18-place decimal. */
export function setCommunityTax(context: Context, tax: bigint): void {
  const value = params.encode({ communityTax: tax.toString(), withdraw: 1n })
  context.store('distribution').set(taxKey, value)
}

/** Gives what the fee collector has to those who signed the block before, from the second block on. */
export function beginDistribution(context: Context, votes: readonly CommitVote[]): void {
  if (context.block.height <= 1n) return
  const collected = allBalances(context, feeCollector)
  if (collected.length > 0) {
    sendFromModule(context, 'fee_collector', moduleAddress('distribution'), collected)
  }
  const fees = collected.map(({ denom, amount }) => ({ denom, amount: amount * one }))
  const total = votes.reduce((sum, { power }) => sum + power, 0n)
  const toValidators = shareOf(fees, one - communityTax(context))
  let rest: readonly DecCoin[] = fees
  for (const { address, power } of total === 0n ? [] : votes) {
    const operator = operatorOfConsensus(context, address)
    const validator = operator && getValidator(context, operator)
    if (operator === undefined || validator === undefined) continue
    const reward = shareOf(toValidators, divideTruncate(power * one, total * one))
    allocate(context, { operator, validator }, reward)
    rest = subtractDecCoins(rest, reward)
  }
  const store = context.store('distribution')
  store.set(feePoolKey, encodeDecCoins(addDecCoins(decodeDecCoins(store.get(feePoolKey)), rest)))
}

type Receiver = { readonly operator: Uint8Array; readonly validator: Validator }

function allocate(
  context: Context, { operator, validator }: Receiver, reward: readonly DecCoin[],
): void {
  const rate = BigInt(validator.commission?.rates?.rate ?? '0')
  const commission = roundedShareOf(reward, rate)
  const shared = subtractDecCoins(reward, commission)
  const name = validator.operatorAddress
  emit(context, 'commission', { amount: decCoinsText(commission), validator: name })
  grow(context, prefix.commission, { operator, coins: commission })
  growCurrent(context, operator, shared)
  emit(context, 'rewards', { amount: decCoinsText(reward), validator: name })
  grow(context, prefix.outstanding, { operator, coins: reward })
}

type Growth = { readonly operator: Uint8Array; readonly coins: readonly DecCoin[] }

function grow(context: Context, first: number, { operator, coins }: Growth): void {
  const store = context.store('distribution')
  const key = validatorKey(first, operator)
  store.set(key, encodeDecCoins(addDecCoins(decodeDecCoins(store.get(key)), coins)))
}

function growCurrent(context: Context, operator: Uint8Array, coins: readonly DecCoin[]): void {
  const store = context.store('distribution')
  const key = validatorKey(prefix.current, operator)
  const { period } = currentRewards.decode(store.get(key) ?? new Uint8Array(0))
  const rewards = addDecCoins(decodeDecCoins(store.get(key)), coins)
  store.set(key, currentRewards.encode({
    rewards: rewards.map(({ denom, amount }) => ({ denom, amount: amount.toString() })), period,
  }))
}

function communityTax(context: Context): bigint {
  const value = context.store('distribution').get(taxKey)
  return value === undefined ? 0n : BigInt(params.decode(value).communityTax || '0')
}

function validatorKey(first: number, operator: Uint8Array): Uint8Array {
  return concatBytes([Uint8Array.of(first, operator.length), operator])
}
