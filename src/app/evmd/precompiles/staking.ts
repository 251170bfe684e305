/** Precompile 0x800: validators and stake (cosmos/evm precompiles/staking). */
import { readBase64 } from '../../../codec/base64.ts'
import { Ed25519PubKey } from '../../../codec/messages/cosmos.ts'
import { accountText, operatorOf, operatorText } from '../address.ts'
import type { Coin } from '../coins.ts'
import {
  cancel,
  completion,
  create,
  edit,
  runDelegate,
  runRedelegate,
  runUndelegate,
} from '../modules/staking/messages.ts'
import { stakingParams } from '../modules/staking/params.ts'
import { type Description, sharesOfTokens } from '../modules/staking/validator.ts'
import { getValidator } from '../modules/staking/validators.ts'
import type { AbiValue } from './abi.ts'
import { listArgument, integerArgument, textArgument } from './arguments.ts'
import { eventOf, type Frame, methodsOf, type MethodTable, type Run, writes } from './precompile.ts'
import { Reverted } from './reverted.ts'
import { checkCaller, checkNoContract, presentAddress } from './spelling.ts'
import { stakingQueries } from './stakingQueries.ts'

const emitCreate = eventOf('CreateValidator(address,uint256)')
const emitEdit = eventOf('EditValidator(address,int256,int256)')
const emitDelegate = eventOf('Delegate(address,address,uint256,uint256)')
const emitUnbond = eventOf('Unbond(address,address,uint256,uint256)')
const emitRedelegate = eventOf('Redelegate(address,address,address,uint256,uint256)')
const emitCancel = eventOf('CancelUnbondingDelegation(address,address,uint256,uint256)')

const description = '(string,string,string,string,string)'
const rates = '(uint256,uint256,uint256)'

const createValidator: Run = (frame, args) => {
  const { context } = frame
  const { bondDenom: denom } = stakingParams(context)
  const [about, commission, least, operator, key, amount] = args
  const [rate, maxRate, maxChangeRate] = listArgument(commission).map(integerArgument)
  const validator = presentAddress(operator, 'validator')
  const publicKey = {
    typeUrl: '/cosmos.crypto.ed25519.PubKey',
    value: Ed25519PubKey.encode({ key: consensusKeyOf(textArgument(key)) }),
  }
  checkNoContract(frame)
  checkCaller(frame, validator)
  create(context, {
    description: descriptionOf(about),
    rates: { rate: rate ?? 0n, maxRate: maxRate ?? 0n, maxChangeRate: maxChangeRate ?? 0n },
    minSelfDelegation: integerArgument(least),
    delegator: accountText(frame.context, validator),
    validator: operatorText(frame.context, validator),
    publicKey,
    value: { denom, amount: integerArgument(amount) },
  })
  emitCreate(frame, { indexed: [validator], data: [integerArgument(amount)] })
  return [true]
}

const consensusKeyLength = 32

function consensusKeyOf(spelled: string): Uint8Array {
  const key = readBase64(spelled)
  if (typeof key === 'string') throw new Reverted(key)
  if (key.length === consensusKeyLength) return key
  const text = `got: ${key.length}, expected: ${consensusKeyLength}`
  throw new Reverted(`consensus pubkey len is invalid, ${text}`)
}

function descriptionOf(value: AbiValue | undefined): Description {
  const [moniker, identity, website, securityContact, details] = listArgument(value).map(textArgument)
  return {
    moniker: moniker ?? '',
    identity: identity ?? '',
    website: website ?? '',
    securityContact: securityContact ?? '',
    details: details ?? '',
  }
}

/** The argument -1 leaves a number unchanged. */
const unchanged = -1n

const editValidator: Run = (frame, [about, operator, rate, least]) => {
  const validator = presentAddress(operator, 'validator')
  const spell = (value: bigint): string => (value === unchanged ? '' : value.toString())
  checkNoContract(frame)
  checkCaller(frame, validator)
  edit(frame.context, {
    description: descriptionOf(about),
    validator: operatorText(frame.context, validator),
    rate: spell(integerArgument(rate)),
    minSelfDelegation: spell(integerArgument(least)),
  })
  emitEdit(frame, { indexed: [validator], data: [integerArgument(rate), integerArgument(least)] })
  return [true]
}

/** Returns who a call moves coins for, which must be its caller, and the coins. */
function moved(
  frame: Frame,
  from: AbiValue | undefined,
  value: AbiValue | undefined,
): { readonly delegator: Uint8Array; readonly coin: Coin } {
  const { bondDenom: denom } = stakingParams(frame.context)
  const delegator = presentAddress(from, 'delegator')
  const amount = integerArgument(value)
  checkCaller(frame, delegator)
  return { delegator, coin: { denom, amount } }
}

const delegate: Run = (frame, [from, operator, value]) => {
  const { delegator, coin } = moved(frame, from, value)
  runDelegate(frame.context, {
    delegator: accountText(frame.context, delegator),
    validator: textArgument(operator),
    amount: coin,
  })
  const at = operatorOf(frame.context, textArgument(operator))
  const shares = sharesOfTokens(getValidator(frame.context, at), coin.amount)
  emitDelegate(frame, { indexed: [delegator, at], data: [coin.amount, shares] })
  return [true]
}

const undelegate: Run = (frame, [from, operator, value]) => {
  const { delegator, coin } = moved(frame, from, value)
  const response = runUndelegate(frame.context, {
    delegator: accountText(frame.context, delegator),
    validator: textArgument(operator),
    amount: coin,
  })
  const time = completion.decode(response).time?.seconds ?? 0n
  emitUnbond(frame, {
    indexed: [delegator, operatorOf(frame.context, textArgument(operator))],
    data: [coin.amount, time],
  })
  return [time]
}

const redelegate: Run = (frame, [from, source, target, value]) => {
  const { delegator, coin } = moved(frame, from, value)
  const response = runRedelegate(frame.context, {
    delegator: accountText(frame.context, delegator),
    source: textArgument(source),
    target: textArgument(target),
    amount: coin,
  })
  const time = completion.decode(response).time?.seconds ?? 0n
  const operators = [operatorOf(frame.context, textArgument(source)), operatorOf(frame.context, textArgument(target))]
  emitRedelegate(frame, { indexed: [delegator, ...operators], data: [coin.amount, time] })
  return [time]
}

const cancelUnbonding: Run = (frame, [from, operator, value, height]) => {
  const { delegator, coin } = moved(frame, from, value)
  const creation = integerArgument(height)
  cancel(frame.context, {
    delegator: accountText(frame.context, delegator),
    validator: textArgument(operator),
    amount: coin,
    height: BigInt.asIntN(64, creation),
  })
  const indexed = [delegator, operatorOf(frame.context, textArgument(operator))]
  emitCancel(frame, { indexed, data: [coin.amount, creation] })
  return [true]
}

/** The methods. An account can act only for itself. */
export const stakingPrecompile: MethodTable = {
  kind: 'methods',
  isMetered: true,
  methods: methodsOf({
    [`createValidator(${description},${rates},uint256,address,string,uint256)`]: writes('bool', createValidator),
    [`editValidator(${description},address,int256,int256)`]: writes('bool', editValidator),
    'delegate(address,string,uint256)': writes('bool', delegate),
    'undelegate(address,string,uint256)': writes('int64', undelegate),
    'redelegate(address,string,string,uint256)': writes('int64', redelegate),
    'cancelUnbondingDelegation(address,string,uint256,uint256)': writes('bool', cancelUnbonding),
    ...stakingQueries,
  }),
}
