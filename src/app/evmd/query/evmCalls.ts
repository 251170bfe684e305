/** Messages that run and leave nothing, of /cosmos.evm.vm.v1.Query: the JSON of `eth_call`. */
import { bytesOfDigits } from '../../../codec/hex.ts'
import {
  byConsAddress, type EthCallRequest, ethCallRequest, estimateGasResponse, validatorAccount,
} from '../../../codec/protobuf/cosmosEvmQuery.ts'
import type { EvmTx } from '../../../evm/types.ts'
import { EstimateFailed, type EthereumCall } from '../../ethereumView.ts'
import { accountText, consensusOf } from '../address.ts'
import type { Context } from '../context.ts'
import { runCall } from '../ethereum/call.ts'
import { estimateGas } from '../ethereum/estimate.ts'
import { responseOf, vmErrorOf } from '../ethereumTx.ts'
import { getAccount } from '../modules/auth/accounts.ts'
import { operatorOfConsensus } from '../modules/staking/validators.ts'
import { TxError } from '../txError.ts'
import type { Methods } from './answer.ts'
import { invalidArgument, statusError } from './status.ts'

const vm = '/cosmos.evm.vm.v1.Query/'

/** What a query may burn: as much as a call of interface B in five seconds (design §10). */
const gasBudget = 500_000_000n

export const evmCallQueries: Methods = {
  [`${vm}EthCall`]: (context, data) => {
    const call = asCall(context, ethCallRequest.decode(data))
    const result = runCall(context, call)
    const hash = new Uint8Array(32)
    const outcome = { result, gas: result.gasUsed }
    return responseOf({ ...context, mode: 'simulate' }, { hash }, outcome)
  },
  [`${vm}EstimateGas`]: (context, data) => {
    const asked = ethCallRequest.decode(data)
    if (asked.gasCap < 21_000n) throw invalidArgument('gas cap cannot be lower than 21000')
    try {
      return estimateGasResponse.encode({ gas: estimateGas(context, asCall(context, asked)) })
    } catch (error) {
      if (!(error instanceof EstimateFailed)) throw error
      const { result } = error
      if (result?.status !== 'revert') throw statusError('Internal', error.message)
      return estimateGasResponse.encode({ ret: result.output, vmError: vmErrorOf(result) })
    }
  },
  [`${vm}ValidatorAccount`]: (context, data) => {
    const { consAddress } = byConsAddress.decode(data)
    const operator = operatorOfConsensus(context, consensusIn(consAddress))
    if (operator === undefined) {
      throw new Error(`error while getting validator ${consAddress}. validator does not exist`)
    }
    const account = getAccount(context, operator)
    return validatorAccount.encode({
      accountAddress: accountText(operator), sequence: account?.sequence ?? 0n,
      accountNumber: account?.number ?? 0n,
    })
  },
}

function consensusIn(spelled: string): Uint8Array {
  try {
    return consensusOf(spelled)
  } catch (error) {
    throw error instanceof TxError ? invalidArgument(error.message) : error
  }
}

function asCall(context: Context, { args, gasCap, overrides }: EthCallRequest): EthereumCall {
  if (overrides.length > 0) throw invalidArgument('state overrides are for eth_call of interface B')
  return callIn(context.block, args, gasCap)
}

/**
 * Returns the call that the JSON of `eth_call`'s first parameter describes. Throws gRPC's
 * InvalidArgument.
 */
export function callIn(block: Context['block'], args: Uint8Array, gasCap: bigint): EthereumCall {
  return {
    context: block, tx: txOf(argsIn(args), gasCap), gasCap, gasBudget, overrides: [],
    blockOverride: {},
  }
}

function argsIn(bytes: Uint8Array): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes))
    if (typeof value === 'object' && value !== null) return { ...value }
  } catch {
    throw invalidArgument('unexpected end of JSON input')
  }
  throw invalidArgument('json: cannot unmarshal into Go value of type types.TransactionArgs')
}

function txOf(args: Readonly<Record<string, unknown>>, gasCap: bigint): EvmTx {
  const gas = quantity(args, 'gas')
  const limit = gas === undefined || (gasCap > 0n && gas > gasCap) ? gasCap : gas
  return {
    type: 0, from: hex(args, 'from', 20) ?? new Uint8Array(20), to: hex(args, 'to', 20),
    gasLimit: limit === 0n ? gasBudget : limit,
    gasPrice: quantity(args, 'gasPrice') ?? quantity(args, 'maxFeePerGas') ?? 0n,
    priorityFee: undefined, value: quantity(args, 'value') ?? 0n, nonce: 0n,
    data: hex(args, 'input') ?? hex(args, 'data') ?? new Uint8Array(0), accessList: [],
    authorizations: [], blobHashes: [], blobFeeCap: 0n,
  }
}

function quantity(args: Readonly<Record<string, unknown>>, name: string): bigint | undefined {
  const value = args[name]
  if (value === undefined || value === null) return undefined
  if (typeof value === 'string' && /^0x[0-9a-f]{1,64}$/i.test(value)) return BigInt(value)
  throw badArgument(name)
}

function hex(
  args: Readonly<Record<string, unknown>>, name: string, length?: number,
): Uint8Array | undefined {
  const value = args[name]
  if (value === undefined || value === null) return undefined
  const bytes = typeof value === 'string' && /^0x/i.test(value)
    ? bytesOfDigits(value.slice(2))
    : undefined
  if (bytes === undefined || (length !== undefined && bytes.length !== length)) {
    throw badArgument(name)
  }
  return bytes
}

function badArgument(name: string): Error {
  const field = `TransactionArgs.${name}`
  return invalidArgument(`json: cannot unmarshal value into Go struct field ${field}`)
}
