/** The types of authorization, and the messages that each permits (x/authz, x/bank, x/staking). */
import { message, nested, repeated, text, uint32 } from '../../../../codec/protobuf/message.ts'
import type { Context } from '../../context.ts'
import type { AnyMessage } from '../../tx/runHandler.ts'
import { goError, sdkError, TxError } from '../../txError.ts'
import { coinField, coinMessage, type StoredAny } from '../../wire.ts'
import { areValid, type Coin } from '../../coins.ts'
import { subtractCoinSets } from '../../coinSets.ts'

type Send = { spendLimit: readonly Coin[]; allowList: readonly string[] }
type Names = { names: readonly string[] }
type Stake = {
  maxTokens: Coin | undefined
  allowList: Names | undefined
  denyList: Names | undefined
  type: number
}

const sendMessage = message<Send>({
  1: ['spendLimit', repeated(coinField)],
  2: ['allowList', repeated(text)],
})
const genericMessage = message<{ msg: string }>({ 1: ['msg', text] })
const names = message<Names>({ 1: ['names', repeated(text)] })
const stakeMessage = message<Stake>({
  1: ['maxTokens', nested(coinMessage)],
  2: ['allowList', nested(names)],
  3: ['denyList', nested(names)],
  4: ['type', uint32],
})
const msgSend = message<{ to: string; amount: readonly Coin[] }>({
  2: ['to', text],
  3: ['amount', repeated(coinField)],
})
const msgStake = message<{ validator: string; amount: Coin }>({
  2: ['validator', text],
  3: ['amount', coinField],
})
const msgRedelegate = message<{ validator: string; amount: Coin }>({
  3: ['validator', text],
  4: ['amount', coinField],
})

const genericUrl = '/cosmos.authz.v1beta1.GenericAuthorization'
const sendUrl = '/cosmos.bank.v1beta1.SendAuthorization'
const stakeUrl = '/cosmos.staking.v1beta1.StakeAuthorization'
const staking = '/cosmos.staking.v1beta1.'
const stakeTypes = [
  '',
  `${staking}MsgDelegate`,
  `${staking}MsgUndelegate`,
  `${staking}MsgBeginRedelegate`,
  `${staking}MsgCancelUnbondingDelegation`,
]
const gasPerEntry = 10n

/** Returns an error of codespace `authz`. */
export function authzError(code: number, text: string): TxError {
  return new TxError(text, { code, codespace: 'authz' })
}

/** Returns the message type that an authorization permits. Throws if it is not an authorization. */
export function messageTypeOf({ typeUrl, value }: StoredAny): string {
  switch (typeUrl) {
    case genericUrl:
      return genericMessage.decode(value).msg
    case sendUrl:
      return '/cosmos.bank.v1beta1.MsgSend'
    case stakeUrl: {
      const type = stakeTypes[stakeMessage.decode(value).type]
      if (type !== undefined && type !== '') return type
      throw authzError(4, 'unknown authorization type')
    }
    default:
      throw sdkError(
        'txDecode',
        `no concrete type registered for type URL ${typeUrl} against interface *authz.Authorization`,
      )
  }
}

/** Throws if an authorization is invalid, whatever the state. */
export function checkAuthorization(authorization: StoredAny): void {
  messageTypeOf(authorization)
  const { typeUrl, value } = authorization
  if (typeUrl === genericUrl && genericMessage.decode(value).msg === '') throw goError('msg type cannot be empty')
  if (typeUrl === sendUrl) {
    const { spendLimit, allowList } = sendMessage.decode(value)
    if (spendLimit.length === 0) throw sdkError('invalidCoins', 'spend limit cannot be nil')
    if (!areValid(spendLimit)) throw sdkError('invalidCoins', 'spend limit must be positive')
    if (new Set(allowList).size < allowList.length) {
      throw new TxError('duplicate entry', { code: 8, codespace: 'bank' })
    }
  }
  if (typeUrl === stakeUrl) {
    const { maxTokens } = stakeMessage.decode(value)
    if (maxTokens !== undefined && maxTokens.amount < 0n) {
      throw authzError(12, `negative coin amount: ${maxTokens.amount}${maxTokens.denom}: max tokens should be positive`)
    }
  }
}

/** The authorization that remains: unchanged ('same'), none ('used'), or a changed one. */
export type Accepted = 'same' | 'used' | StoredAny

/**
 * Returns the authorization that remains after a message. Throws if it does not permit the message.
 */
export function accept(context: Context, { typeUrl, value }: StoredAny, asked: AnyMessage): Accepted {
  if (typeUrl === genericUrl) return 'same'
  if (typeUrl === sendUrl) return acceptSend(context, sendMessage.decode(value), asked)
  return acceptStake(context, stakeMessage.decode(value), asked)
}

function acceptSend(context: Context, { spendLimit, allowList }: Send, asked: AnyMessage): Accepted {
  const { to, amount } = msgSend.decode(asked.value)
  const left = subtractCoinSets(spendLimit, amount)
  if (left === undefined) {
    throw sdkError('insufficientFunds', 'requested amount is more than spend limit')
  }
  const isListed = isIn(context, allowList, { name: to, place: 'send authorization' })
  if (allowList.length > 0 && !isListed) {
    throw sdkError('unauthorized', `cannot send to ${to} address`)
  }
  if (left.length === 0) return 'used'
  return { typeUrl: sendUrl, value: sendMessage.encode({ spendLimit: left, allowList }) }
}

function acceptStake(context: Context, stake: Stake, asked: AnyMessage): Accepted {
  const codec = asked.typeUrl === stakeTypes[3] ? msgRedelegate : msgStake
  const { validator, amount } = codec.decode(asked.value)
  const allowed = stake.allowList?.names ?? []
  const of = { name: validator, place: 'stake authorization' }
  const isListed = isIn(context, allowed, of)
  const isDenied = isIn(context, stake.denyList?.names ?? [], of)
  if (isDenied || (allowed.length > 0 && !isListed)) {
    throw sdkError('unauthorized', `cannot delegate/undelegate to ${validator} validator`)
  }
  const { maxTokens } = stake
  if (maxTokens === undefined) return { typeUrl: stakeUrl, value: stakeMessage.encode(stake) }
  if (maxTokens.denom !== amount.denom) throw goError(`invalid coin denoms: ${maxTokens.denom}, ${amount.denom}`)
  const left = maxTokens.amount - amount.amount
  if (left < 0n) throw goError(`negative coin amount: ${left}${maxTokens.denom}`)
  if (left === 0n) return 'used'
  const after = { ...stake, maxTokens: { denom: maxTokens.denom, amount: left } }
  return { typeUrl: stakeUrl, value: stakeMessage.encode(after) }
}

/** Returns whether a list contains a name. As in the SDK, every entry up to the match costs gas. */
function isIn(context: Context, list: readonly string[], { name, place }: { name: string; place: string }): boolean {
  return list.some((entry) => {
    context.gas.consume(gasPerEntry, place)
    return entry === name
  })
}
