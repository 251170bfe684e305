/** /cosmos.staking.v1beta1.Query */
import { always, bytes, message, nested, repeated, text } from '../../../codec/protobuf/message.ts'
import { type Addressing, addressOf, moduleAddress, operatorOf } from '../address.ts'
import type { Context } from '../context.ts'
import { getBalance } from '../modules/bank/balances.ts'
import { truncated } from '../decimal.ts'
import { type Delegation, delegationMessage, findDelegation } from '../modules/staking/delegations.ts'
import { historicalInfo } from '../modules/staking/historicalInfo.ts'
import { stakingParams, stakingParamsMessage } from '../modules/staking/params.ts'
import { bondedPoolAddress, notBondedPool } from '../modules/staking/pools.ts'
import {
  findRedelegation,
  findUnbonding,
  type Redelegation,
  redelegationMessage,
  unbondingMessage,
} from '../modules/staking/unbondings.ts'
import { statusNames, tokensOfShares, validatorMessage } from '../modules/staking/validator.ts'
import { findValidator, getValidator } from '../modules/staking/validators.ts'
import { sized, storeKey } from '../storeKeys.ts'
import { coinMessage, digits } from '../wire.ts'
import { itemResponse, given, givenOperator, type Methods, ofNumber, ofText, ofTexts, rawMessage } from './answer.ts'
import { type Listed, listed, type PageRequest, prefixPage, pageRequest, plainly } from './page.ts'
import { invalidArgument, notFound, orInternal, statusError } from './status.ts'

const service = '/cosmos.staking.v1beta1.Query/'
const prefix = {
  validator: 0x21,
  delegation: 0x31,
  unbonding: 0x32,
  unbondingTo: 0x33,
  redelegation: 0x34,
  redelegationFrom: 0x35,
  delegationTo: 0x71,
} as const

const noDelegator = 'delegator address cannot be empty'

const delegationAnswer = message<{ delegation: Uint8Array; balance: Uint8Array }>({
  1: ['delegation', rawMessage],
  2: ['balance', rawMessage],
})
const poolMessage = message<{ notBonded: bigint; bonded: bigint }>({
  1: ['notBonded', digits],
  2: ['bonded', digits],
})
type Moves = { delegator: string; source: string; target: string; page: PageRequest | undefined }
const movesRequest = message<Moves>({
  1: ['delegator', text],
  2: ['source', text],
  3: ['target', text],
  4: ['page', nested(pageRequest)],
})
type MovedEntry = { entry: Uint8Array; balance: bigint }
const movedAnswer = message<{ move: Uint8Array; entries: readonly MovedEntry[] }>({
  1: ['move', rawMessage],
  2: [
    'entries',
    repeated(
      always(
        message<MovedEntry>({
          1: ['entry', rawMessage],
          4: ['balance', digits],
        }),
      ),
    ),
  ],
})
const rawEntries = message<{ entries: readonly Uint8Array[] }>({ 4: ['entries', repeated(bytes)] })

export const stakingQueries: Methods = {
  [`${service}Validators`]: (context, data) => {
    const { text: status, page } = ofText.decode(data)
    // The first status, unspecified, is not a valid filter.
    if (status !== '' && !Object.values<string>(statusNames).slice(1).includes(status)) {
      throw invalidArgument(`invalid validator status ${status}`)
    }
    return listed.encode(
      under(context, [prefix.validator], page, (value) =>
        status === '' || statusNames[validatorMessage(context).decode(value).status] === status ? value : undefined,
      ),
    )
  },
  [`${service}Validator`]: (context, data) =>
    itemResponse(validatorMessage(context).encode(validatorOf(context, ofText.decode(data).text))),
  [`${service}ValidatorDelegations`]: (context, data) => {
    const { text: address, page } = ofText.decode(data)
    const operator = givenOperator(context, address)
    const at = storeKey(prefix.delegationTo, sized(operator))
    return listed.encode(
      prefixPage(context, { store: 'staking', prefix: at, page }, ([delegator]) => {
        const found = findDelegation(context, { delegator, operator })
        return found && delegationOf(context, found)
      }),
    )
  },
  [`${service}ValidatorUnbondingDelegations`]: (context, data) => {
    const { text: address, page } = ofText.decode(data)
    const operator = givenOperator(context, address)
    const at = storeKey(prefix.unbondingTo, sized(operator))
    return listed.encode(
      prefixPage(context, { store: 'staking', prefix: at, page }, ([key]) => {
        const found = findUnbonding(context, { delegator: key.slice(1), operator })
        return found && unbondingMessage(context).encode(found)
      }),
    )
  },
  [`${service}Delegation`]: (context, data) => {
    const { a, b } = ofTexts.decode(data)
    const found = findDelegation(context, pairOf(context, a, b))
    if (found === undefined) {
      throw notFound(`delegation with delegator ${a} not found for validator ${b}`)
    }
    return itemResponse(delegationOf(context, found))
  },
  [`${service}UnbondingDelegation`]: (context, data) => {
    const { a, b } = ofTexts.decode(data)
    const found = findUnbonding(context, pairOf(context, a, b))
    if (found === undefined) {
      throw notFound(`unbonding delegation with delegator ${a} not found for validator ${b}`)
    }
    return itemResponse(unbondingMessage(context).encode(found))
  },
  [`${service}DelegatorDelegations`]: (context, data) => {
    const { text: address, page } = ofText.decode(data)
    const at = [prefix.delegation, given(context, address, noDelegator)] as const
    return listed.encode(
      under(context, at, page, (value) => delegationOf(context, delegationMessage(context).decode(value))),
    )
  },
  [`${service}DelegatorUnbondingDelegations`]: (context, data) => {
    const { text: address, page } = ofText.decode(data)
    return listed.encode(under(context, [prefix.unbonding, given(context, address, noDelegator)], page))
  },
  [`${service}Redelegations`]: (context, data) =>
    listed.encode(orInternal(() => redelegations(context, movesRequest.decode(data)))),
  [`${service}DelegatorValidators`]: (context, data) => {
    const { text: address, page } = ofText.decode(data)
    const at = [prefix.delegation, given(context, address, noDelegator)] as const
    return listed.encode(
      under(context, at, page, (value) =>
        validatorMessage(context).encode(getValidator(context, delegationMessage(context).decode(value).operator)),
      ),
    )
  },
  [`${service}DelegatorValidator`]: (context, data) => {
    const { a, b } = ofTexts.decode(data)
    const pair = pairOf(context, a, b)
    if (findDelegation(context, pair) === undefined) {
      throw statusError('Internal', 'no delegation for (address, validator) tuple')
    }
    return itemResponse(validatorMessage(context).encode(getValidator(context, pair.operator)))
  },
  [`${service}HistoricalInfo`]: (context, data) => {
    const { number: height } = ofNumber.decode(data)
    if (BigInt.asIntN(64, height) < 0n) throw invalidArgument('height cannot be negative')
    const found = historicalInfo(context, height)
    if (found === undefined) throw notFound(`historical info for height ${height} not found`)
    return itemResponse(found)
  },
  [`${service}Pool`]: (context) => {
    const { bondDenom } = stakingParams(context)
    return itemResponse(
      poolMessage.encode({
        bonded: getBalance(context, bondedPoolAddress, bondDenom),
        notBonded: getBalance(context, moduleAddress(notBondedPool), bondDenom),
      }),
    )
  },
  [`${service}Params`]: (context) => itemResponse(stakingParamsMessage.encode(stakingParams(context))),
}

function under(
  context: Context,
  [first, owner]: readonly [number, Uint8Array?],
  page: PageRequest | undefined,
  pick: (value: Uint8Array) => Uint8Array | undefined = (value) => value,
): Listed {
  const at = owner === undefined ? Uint8Array.of(first) : storeKey(first, sized(owner))
  return prefixPage(context, { store: 'staking', prefix: at, page }, ([, value]) => pick(value))
}

function pairOf(at: Addressing, delegator: string, operator: string) {
  return { delegator: given(at, delegator, noDelegator), operator: givenOperator(at, operator) }
}

function validatorOf(context: Context, address: string) {
  const found = findValidator(context, givenOperator(context, address))
  if (found === undefined) throw notFound(`validator ${address} not found`)
  return found
}

function delegationOf(context: Context, delegation: Delegation): Uint8Array {
  const tokens = tokensOfShares(getValidator(context, delegation.operator), delegation.shares)
  const { bondDenom: denom } = stakingParams(context)
  return delegationAnswer.encode({
    delegation: delegationMessage(context).encode(delegation),
    balance: coinMessage.encode({ denom, amount: truncated(tokens) }),
  })
}

function redelegations(context: Context, { delegator, source, target, page }: Moves): Listed {
  if (delegator !== '' && source !== '' && target !== '') {
    const move = {
      delegator: addressOf(context, delegator),
      source: operatorOf(context, source),
      target: operatorOf(context, target),
    }
    const found = findRedelegation(context, move)
    if (found === undefined) {
      throw notFound(`redelegation not found for delegator address ${delegator} from validator ` + `address ${source}`)
    }
    return { items: [movedOf(context, found)], page: undefined }
  }
  if (delegator === '' && source !== '' && target === '') {
    const from = operatorOf(context, source)
    const at = storeKey(prefix.redelegationFrom, sized(from))
    return prefixPage(context, { store: 'staking', prefix: at, page, refuses: plainly }, ([key]) => {
      const split = 1 + (key[0] ?? 0)
      const found = findRedelegation(context, {
        source: from,
        delegator: key.slice(1, split),
        target: key.slice(split + 1),
      })
      return found && movedOf(context, found)
    })
  }
  const owner = addressOf(context, delegator)
  const at = storeKey(prefix.redelegation, sized(owner))
  return prefixPage(context, { store: 'staking', prefix: at, page, refuses: plainly }, ([, value]) =>
    movedOf(context, redelegationMessage(context).decode(value)),
  )
}

/**
 * Returns a redelegation with the current value of its shares. The redelegation itself has no
 * entries.
 */
function movedOf(context: Context, move: Redelegation): Uint8Array {
  const target = getValidator(context, move.target)
  const raw = rawEntries.decode(redelegationMessage(context).encode(move)).entries
  return movedAnswer.encode({
    move: redelegationMessage(context).encode({ ...move, entries: [] }),
    entries: move.entries.map(({ sharesTarget }, index) => ({
      entry: raw[index] ?? new Uint8Array(0),
      balance: truncated(tokensOfShares(target, sharesTarget)),
    })),
  })
}
