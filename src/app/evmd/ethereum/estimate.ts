/** Estimates gas with the node's search (cosmos-evm-rpc.md §2.5). */
import { equalBytes } from '../../../data/bytes.ts'
import type { EvmResult } from '../../../evm/types.ts'
import { EstimateFailed, type EthereumCall } from '../../ethereumView.ts'
import type { Context } from '../context.ts'
import { vmErrorOf } from '../ethereumTx.ts'
import { evmCoin } from '../evmCoin.ts'
import { emptyCodeHash, getCode, getCodeHash } from '../modules/evm/store.ts'
import { getSpendableWei } from '../modules/precisebank/send.ts'
import { runAsTx } from './call.ts'
import { isSteady } from './steadyCode.ts'

const transferGas = 21_000n
const stipend = 2_300n

/** Returns the minimum gas with which the call succeeds. Throws `EstimateFailed`. */
export function estimateGas(context: Context, call: EthereumCall): bigint {
  const { gasCap } = call
  if (gasCap < transferGas) {
    throw new EstimateFailed('gas cap cannot be lower than 21000', undefined)
  }
  const asked = call.tx.gasLimit >= transferGas ? call.tx.gasLimit : gasCap
  const capped = asked < gasCap ? asked : gasCap
  const high = affordable(context, call, capped)
  const probe = (gasLimit: bigint): EvmResult => runAsTx(context, { ...call, tx: { ...call.tx, gasLimit } })
  if (isPlainTransfer(context, call) && probe(transferGas).status === 'success') return transferGas
  const first = probe(high)
  if (first.status !== 'success') throw failure(first, high, high < capped)
  return leastGas(probe, first, { most: high, isMonotone: neverKnowsGas(context, call) })
}

/**
 * Searches as the node does, step by step. A contract can go on after a call that ran out of gas.
 * So success may depend on gas in any way, and each search has its own answer. If more gas never hurts,
 * the answer is the same whatever is tried, and the likeliest is first.
 */
function leastGas(probe: (gas: bigint) => EvmResult, first: EvmResult, { most, isMonotone }: Search): bigint {
  let low = transferGas - 1n
  let high = most
  const narrow = (gas: bigint): void => {
    if (gas <= low || gas >= high) return
    if (probe(gas).status === 'success') high = gas
    else low = gas
  }
  if (isMonotone) {
    if (first.gasUsed > transferGas) low = first.gasUsed - 1n
    narrow(first.gasPeak)
    narrow(first.gasPeak - 1n)
  }
  narrow(((first.gasPeak + stipend) * 64n) / 63n)
  while (low + 1n < high) narrow((low + high) / 2n)
  return high
}

type Search = { readonly most: bigint; readonly isMonotone: boolean }

/** Returns whether a message runs only code that does not know its gas. */
function neverKnowsGas(context: Context, { tx, overrides }: EthereumCall): boolean {
  if (tx.to === undefined || overrides.length > 0 || tx.authorizations.length > 0) return false
  return isSteady(getCode(context, getCodeHash(context, tx.to)))
}

/**
 * Returns the gas that the sender can pay for. A call that names a price must be able to pay it.
 */
function affordable(context: Context, { tx, overrides }: EthereumCall, limit: bigint): bigint {
  if (tx.gasPrice === 0n) return limit
  const assumed = overrides.find(({ address }) => equalBytes(address, tx.from))?.balance
  const balance = assumed ?? getSpendableWei(context, tx.from, evmCoin(context))
  if (tx.value >= balance) throw new EstimateFailed('insufficient funds for transfer', undefined)
  const allowance = (balance - tx.value) / tx.gasPrice
  if (allowance >= limit) return limit
  if (allowance < transferGas) {
    throw new EstimateFailed('insufficient funds for gas * price + value', undefined)
  }
  return allowance
}

function isPlainTransfer(context: Context, { tx, overrides }: EthereumCall): boolean {
  return (
    tx.to !== undefined &&
    tx.data.length === 0 &&
    tx.accessList.length === 0 &&
    tx.authorizations.length === 0 &&
    overrides.length === 0 &&
    equalBytes(getCodeHash(context, tx.to), emptyCodeHash)
  )
}

/** Returns whether a message was rejected because its gas does not cover its data. */
function isGasTooLow({ status, reason }: EvmResult): boolean {
  const kinds = ['CallGasCostMoreThanGasLimit', 'GasFloorMoreThanGasLimit']
  return status === 'refused' && kinds.includes(reason?.kind ?? '')
}

function failure(result: EvmResult, gas: bigint, wasLowered: boolean): EstimateFailed {
  const isOutOfGas = result.reason?.kind === 'OutOfGas' && result.reason.detail === 'out of gas'
  if (isOutOfGas || wasLowered || isGasTooLow(result)) {
    return new EstimateFailed(`gas required exceeds allowance (${gas})`, undefined)
  }
  return new EstimateFailed(vmErrorOf(result), result)
}
