/**
 * Queries of precompile 0x800 about validators and stake (cosmos/evm precompiles/staking query).
 */
import { base64Of } from '../../../codec/base64.ts'
import { accountText, type Addressing, bech32AddressOf, operatorOf, operatorText } from '../address.ts'
import type { Context } from '../context.ts'
import { truncated } from '../decimal.ts'
import { findDelegation } from '../modules/staking/delegations.ts'
import { stakingParams } from '../modules/staking/params.ts'
import {
  findRedelegation,
  findUnbonding,
  moveAway,
  type Redelegation,
  redelegationMessage,
  redelegationsFromPlace,
  redelegationsPlace,
} from '../modules/staking/unbondings.ts'
import {
  consensusKey,
  statusNames,
  tokensOfShares,
  type Validator,
  validatorMessage,
} from '../modules/staking/validator.ts'
import { findValidator, getValidator, validatorsPlace } from '../modules/staking/validators.ts'
import { invalidArgument, notFound, orInternal } from '../query/status.ts'
import { sdkError } from '../txError.ts'
import type { AbiValue } from './abi.ts'
import { bytesArgument, listArgument, textArgument } from './arguments.ts'
import { pageIn, precompilePage, pageOut } from './pages.ts'
import { reads, type Run } from './precompile.ts'
import { Reverted } from './reverted.ts'
import { presentAddress } from './spelling.ts'
import { checksumAddress } from '../../../crypto/checksumAddress.ts'

const delegation: Run = ({ context }, [from, at]) => {
  const delegator = presentAddress(from, 'delegator')
  const operator = namedOperator(context, at)
  const found = findDelegation(context, { delegator, operator })
  if (found === undefined) return [0n, [stakingParams(context).bondDenom, 0n]]
  const tokens = truncated(tokensOfShares(getValidator(context, operator), found.shares))
  return [found.shares, [stakingParams(context).bondDenom, tokens]]
}

function namedOperator(at: Addressing, value: AbiValue | undefined): Uint8Array {
  const text = textArgument(value)
  if (text === '') throw invalidArgument('validator address cannot be empty')
  return operatorOf(at, text)
}

const unbonding: Run = ({ context }, [from, at]) => {
  const delegator = presentAddress(from, 'delegator')
  const operator = namedOperator(context, at)
  const found = findUnbonding(context, { delegator, operator })
  if (found === undefined) return [['', '', []]]
  const entries = found.entries.map((entry) => [
    entry.creationHeight,
    entry.completionTime.seconds,
    entry.initialBalance,
    entry.balance,
    entry.id,
    entry.onHold,
  ])
  return [[accountText(context, delegator), operatorText(context, operator), entries]]
}

const noDescription = ['', '', '', '', '']
const noValidator: AbiValue = ['', '', false, 0n, 0n, 0n, noDescription, 0n, 0n, 0n, 0n]

const validator: Run = ({ context }, [operator]) => {
  const found = findValidator(context, presentAddress(operator, 'validator'))
  return [found === undefined ? noValidator : infoOf(found)]
}

/** Returns a validator's details. As on the node, the operator's address is in hex. */
function infoOf(shown: Validator): AbiValue {
  const { moniker, identity, website, securityContact, details } = shown.description
  return [
    checksumAddress(shown.operator),
    base64Of(consensusKey(shown)),
    shown.jailed,
    BigInt(shown.status),
    shown.tokens,
    shown.delegatorShares,
    [moniker, identity, website, securityContact, details],
    shown.unbondingHeight,
    shown.unbondingTime.seconds,
    shown.commission.rates.rate,
    shown.minSelfDelegation,
  ]
}

const validators: Run = ({ context }, [named, page]) => {
  const name = textArgument(named)
  if (name !== '' && !statusNames.slice(1).some((known) => known === name)) {
    throw invalidArgument(`invalid validator status ${name}`)
  }
  const { items, response } = orInternal(() =>
    precompilePage(context, validatorsPlace, fromStart(page), ([, value]) => {
      const item = validatorMessage(context).decode(value)
      return name === '' || statusNames[item.status] === name ? item : undefined
    }),
  )
  return [items.map(infoOf), response]
}

/** Returns the request of a page. A key of one zero byte stands for no key. */
function fromStart(page: AbiValue | undefined): AbiValue {
  const [start, ...rest] = listArgument(page)
  const key = bytesArgument(start)
  return [key.length === 1 && key[0] === 0 ? new Uint8Array(0) : key, ...rest]
}

const redelegation: Run = ({ context }, [from, source, target]) => {
  const found = findRedelegation(context, {
    delegator: presentAddress(from, 'delegator'),
    source: bech32AddressOf(context, textArgument(source), 'operator'),
    target: bech32AddressOf(context, textArgument(target), 'operator'),
  })
  return [found === undefined ? ['', '', '', []] : [...namesOf(context, found), entriesOf(found)]]
}

function namesOf(at: Addressing, { delegator, source, target }: Redelegation): readonly AbiValue[] {
  return [accountText(at, delegator), operatorText(at, source), operatorText(at, target)]
}

function entriesOf({ entries }: Redelegation): readonly (readonly AbiValue[])[] {
  return entries.map((entry) => [
    entry.creationHeight,
    entry.completionTime.seconds,
    entry.initialBalance,
    entry.sharesTarget,
  ])
}

const redelegations: Run = ({ context }, [from, source, target, page]) => {
  const delegator = bytesArgument(from)
  const asked = {
    delegator: delegator.every((byte) => byte === 0) ? undefined : delegator,
    source: textArgument(source),
    target: textArgument(target),
  }
  if (asked.delegator === undefined && asked.source === '') {
    const text = 'Need to specify at least a source validator address or delegator address'
    throw new Reverted(`invalid query. ${text}`)
  }
  return orInternal(() => {
    const { items, response } = chosenRedelegations(context, asked, page)
    return [items.map((item) => movedOut(context, item)), response]
  })
}

function movedOut(context: Context, item: Redelegation): AbiValue {
  const at = getValidator(context, item.target)
  const balances = item.entries.map(({ sharesTarget }) => truncated(tokensOfShares(at, sharesTarget)))
  const parts = entriesOf(item).map((entry, index) => [entry, balances[index] ?? 0n])
  return [[...namesOf(context, item), []], parts]
}

type Chosen = {
  readonly delegator: Uint8Array | undefined
  readonly source: string
  readonly target: string
}

function redelegationsFrom(
  context: Context,
  source: Uint8Array,
  page: AbiValue | undefined,
): { readonly items: readonly Redelegation[]; readonly response: AbiValue } {
  const { items, response } = precompilePage(context, redelegationsFromPlace(source), page, ([key]) =>
    moveAway(source, key),
  )
  return { items: items.flatMap((move) => findRedelegation(context, move) ?? []), response }
}

function chosenRedelegations(
  context: Context,
  { delegator, source, target }: Chosen,
  page: AbiValue | undefined,
): { readonly items: readonly Redelegation[]; readonly response: AbiValue } {
  if (delegator === undefined) {
    if (target === '') return redelegationsFrom(context, operatorOf(context, source), page)
    throw sdkError('invalidAddress', 'empty address string is not allowed')
  }
  if (source === '' || target === '') {
    return precompilePage(context, redelegationsPlace(delegator), page, ([, value]) =>
      redelegationMessage(context).decode(value),
    )
  }
  const move = { delegator, source: operatorOf(context, source), target: operatorOf(context, target) }
  const found = findRedelegation(context, move)
  if (found !== undefined) return { items: [found], response: [new Uint8Array(0), 0n] }
  const names = `${accountText(context, delegator)} from validator address ${source}`
  throw notFound(`redelegation not found for delegator address ${names}`)
}

const entry = '(int64,int64,uint256,uint256)'
const unbondingEntry = '(int64,int64,uint256,uint256,uint64,int64)'
const info =
  '(string,string,bool,uint8,uint256,uint256,(string,string,string,string,string),' + 'int64,int64,uint256,uint256)'
const move = `(string,string,string,${entry}[])`

/** The read-only methods. */
export const stakingQueries = {
  'delegation(address,string)': reads('uint256,(string,uint256)', delegation),
  'unbondingDelegation(address,string)': reads(`(string,string,${unbondingEntry}[])`, unbonding),
  'validator(address)': reads(info, validator),
  [`validators(string,${pageIn})`]: reads(`${info}[],${pageOut}`, validators),
  'redelegation(address,string,string)': reads(move, redelegation),
  [`redelegations(address,string,string,${pageIn})`]: reads(
    `(${move},(${entry},uint256)[])[],${pageOut}`,
    redelegations,
  ),
}
