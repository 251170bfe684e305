/** Estimates gas with the node's search (cosmos-evm-rpc.md §2.5). */
import { equalBytes } from '../../../data/bytes.ts'
import type { EvmResult } from '../../../evm/types.ts'
import { EstimateFailed, type EthereumCall } from '../../ethereumView.ts'
import type { Context } from '../context.ts'
import { vmErrorOf } from '../ethereumTx.ts'
import { emptyCodeHash, getCodeHash, getEvmParams } from '../modules/evm/store.ts'
import { getSpendable } from '../modules/bank/spendable.ts'
import { runAsTx } from './call.ts'

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
  return leastGas(probe, first, high)
}

function leastGas(probe: (gas: bigint) => EvmResult, first: EvmResult, most: bigint): bigint {
  let low = first.gasUsed - 1n > transferGas - 1n ? first.gasUsed - 1n : transferGas - 1n
  let high = most
  // Peak usage is usually the exact minimum. If it succeeds and one less fails, the search ends.
  for (const likely of [first.gasPeak, first.gasPeak - 1n]) {
    if (likely <= low || likely >= high) continue
    if (probe(likely).status === 'success') high = likely
    else low = likely
  }
  const optimistic = ((first.gasPeak + stipend) * 64n) / 63n
  if (low < optimistic && optimistic < high) {
    if (probe(optimistic).status === 'success') high = optimistic
    else low = optimistic
  }
  while (low + 1n < high) {
    const middle = (low + high) / 2n
    if (probe(middle).status === 'success') high = middle
    else low = middle
  }
  return high
}

/**
 * Returns the gas that the sender can pay for. A call that names a price must be able to pay it.
 */
function affordable(context: Context, { tx, overrides }: EthereumCall, limit: bigint): bigint {
  if (tx.gasPrice === 0n) return limit
  const assumed = overrides.find(({ address }) => equalBytes(address, tx.from))?.balance
  const balance = assumed ?? getSpendable(context, tx.from, getEvmParams(context).evmDenom)
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
