/**
 * Queries of /cosmos.evm.vm.v1.Query that run messages without keeping changes. Requests hold the
 * JSON of `eth_call`.
 */
import { DecodeError } from '../../../codec/decodeError.ts'
import { goText } from '../../../codec/goText.ts'
import { type Json, JsonSyntaxError, parseJson } from '../../../codec/goJson.ts'
import {
  type EthCallRequest,
  byConsAddress,
  estimateGasResponse,
  ethCallRequest,
  msgEthereumTxResponse,
  validatorAccount,
} from '../../../codec/messages/cosmosEvm.ts'
import { SimError } from '../../../errors.ts'
import { EstimateFailed, type EthereumCall } from '../../ethereumView.ts'
import { readStateOverrides } from '../../stateOverrides.ts'
import { type TxArgs, assertCallable, callMessage, gasWithoutCap, txArgs } from '../../txArgs.ts'
import { accountText, type Addressing, bech32AddressOf, consensusText } from '../address.ts'
import type { Context } from '../context.ts'
import { recoverAuthorization } from '../ethereum/recover.ts'
import { chargedGasOfTx, responseOf, vmErrorOf } from '../ethereumTx.ts'
import { getAccount } from '../modules/auth/accounts.ts'
import { operatorOfConsensus } from '../modules/staking/validators.ts'
import type { Methods } from './answer.ts'
import { PlainQueryError, invalidArgument, statusError } from './status.ts'

const vm = '/cosmos.evm.vm.v1.Query/'

export const evmCallQueries: Methods = {
  [`${vm}EthCall`]: (context, data, { call: run, gasBudget }) => {
    const asked = ethCallRequest.decode(data)
    const call = asCall(context, asked, { gasBudget, told: (why) => why })
    const result = run(call)
    const hash = new Uint8Array(32)
    const { gasUsed, reason } = result
    if (reason?.detail === 'apply message: intrinsic gas too low') {
      throw statusError('Internal', reason.detail)
    }
    const gas = chargedGasOfTx(context, call.tx, result)
    const outcome = { result, gas: gas > gasUsed ? gas : gasUsed }
    return msgEthereumTxResponse.encode(responseOf({ ...context, mode: 'simulate' }, { hash }, outcome))
  },
  [`${vm}EstimateGas`]: (context, data, { estimate, gasBudget }) => {
    const asked = ethCallRequest.decode(data)
    if (asked.gasCap < 21_000n) throw invalidArgument('gas cap cannot be lower than 21000')
    // As on the node, overrides have no effect.
    const call = asCall(context, { ...asked, overrides: new Uint8Array(0) }, { gasBudget, told: () => noConfig })
    try {
      return estimateGasResponse.encode({ gas: estimate(call) })
    } catch (error) {
      if (!(error instanceof EstimateFailed)) throw error
      const { result } = error
      if (result?.status !== 'revert') throw new PlainQueryError(error.message)
      return estimateGasResponse.encode({ ret: result.output, vmError: vmErrorOf(result) })
    }
  },
  [`${vm}ValidatorAccount`]: (context, data) => {
    const { consAddress } = byConsAddress.decode(data)
    const operator = operatorOfConsensus(context, consensusIn(context, consAddress))
    if (operator === undefined) {
      throw new PlainQueryError(`error while getting validator ${consAddress}. validator does not exist`)
    }
    const account = getAccount(context, operator)
    return validatorAccount.encode({
      accountAddress: accountText(context, operator),
      sequence: account?.sequence ?? 0n,
      accountNumber: account?.number ?? 0n,
    })
  },
}

function consensusIn(at: Addressing, spelled: string): Uint8Array {
  try {
    return bech32AddressOf(at, spelled, 'consensus')
  } catch (error) {
    throw error instanceof SimError ? invalidArgument(error.message) : error
  }
}

/** The text of a failure before a call, if it does not say why. */
export const noConfig = 'failed to load evm config'

/**
 * Throws if the proposer is no validator, because the node looks for the operator, which COINBASE
 * returns. `told` gives the text of the error.
 */
export function checkProposer(
  context: Context,
  { proposerAddress }: { readonly proposerAddress: Uint8Array },
  told: (why: string) => string,
): void {
  if (proposerAddress.length === 0 || operatorOfConsensus(context, proposerAddress) !== undefined) return
  const why =
    'failed to obtain coinbase address: failed to retrieve validator from block proposer address ' +
    `${consensusText(context, proposerAddress)}. Error: validator does not exist: validator does not exist`
  throw statusError('Internal', told(why))
}

function asCall(
  context: Context,
  asked: EthCallRequest,
  { gasBudget, told }: { readonly gasBudget: bigint | undefined; readonly told: (why: string) => string },
): EthereumCall {
  const { gasCap, overrides } = asked
  // As on the node, overrides are read before the call.
  const read = overrides.length === 0 ? [] : readStateOverrides(jsonIn(overrides, 'invalid state overrides format: '))
  const args = argsIn(asked.args)
  checkProposer(context, asked, told)
  return { ...callIn(context, args, { gasCap, gasBudget }), overrides: read }
}

/** The limits of a call: `gasCap` 0 is no cap. */
type Limits = Pick<EthereumCall, 'gasCap' | 'gasBudget'>

/** Returns the call of `eth_call`'s first parameter. Throws gRPC's InvalidArgument. */
export function callIn(context: Context, args: TxArgs, { gasCap, gasBudget }: Limits): EthereumCall {
  assertCallable(args, context.fixed.evmChainId)
  const authorizations = (args.authorizationList ?? []).map(recoverAuthorization)
  return {
    context: context.block,
    tx: callMessage(args, { gasCap: gasCap === 0n ? gasWithoutCap : gasCap, authorizations }),
    gasCap,
    gasBudget,
    overrides: [],
    blockOverride: {},
  }
}

/** Returns `eth_call`'s first parameter in JSON. Throws gRPC's InvalidArgument. */
export function argsIn(json: Uint8Array): TxArgs {
  try {
    return txArgs.decode(jsonIn(json), '')
  } catch (error) {
    throw error instanceof DecodeError ? invalidArgument(error.text) : error
  }
}

function jsonIn(bytes: Uint8Array, what = ''): Json {
  try {
    return parseJson(goText(bytes))
  } catch (error) {
    throw error instanceof JsonSyntaxError ? invalidArgument(what + error.message) : error
  }
}
