/**
 * Calls of contracts that modules make, at the expense of the running message (x/vm call_evm.go).
 */
import { hexOf } from '../../../../codec/hex.ts'
import type { EvmLog } from '../../../../evm/types.ts'
import type { Context } from '../../context.ts'
import { vmErrorOf } from '../../ethereumTx.ts'
import { hostPrecompiles } from '../../precompiles/host.ts'
import { sdkError, TxError } from '../../txError.ts'
import { getAccount } from '../auth/accounts.ts'
import { evmEnv } from './env.ts'
import { applyDiff, evmRead } from './state.ts'
import { getEvmParams } from './store.ts'

const gasCap = 25_000_000n

export type ContractCall = {
  readonly from: Uint8Array
  readonly to: Uint8Array
  readonly data: Uint8Array
  /** Whether what the call changes stays. */
  readonly keeps: boolean
}

/** Returns what a contract answers. Throws the node's `evm transaction execution failed`. */
export function callContract(
  context: Context, { from, to, data, keeps }: ContractCall,
): { readonly output: Uint8Array; readonly logs: readonly EvmLog[] } {
  const account = getAccount(context, from)
  if (account === undefined) {
    throw sdkError('unknownAddress', `account ${hexOf(from)} does not exist`)
  }
  const denom = getEvmParams(context).evmDenom
  const { host, read, undo } = hostPrecompiles(context, evmRead(context, denom), denom)
  const result = context.fixed.engine.execute(evmEnv(context, relax), {
    type: 0, from, to, data, nonce: account.sequence, gasLimit: gasCap, gasPrice: 0n,
    priorityFee: undefined, value: 0n, accessList: [], authorizations: [], blobHashes: [],
    blobFeeCap: 0n,
  }, read, { host })
  const failure = vmErrorOf(result)
  if (failure !== '') {
    throw new TxError(
      `${failure}: evm transaction execution failed`, { code: 10, codespace: 'evm' }
    )
  }
  if (keeps) applyDiff(context, result.diff, denom)
  else undo()
  context.gas.consume(result.gasUsed, 'apply evm message')
  return { output: result.output, logs: result.logs }
}

const relax = {
  nonce: true, fees: true, baseFee: true, senderCode: true, blockGasLimit: true, nonceBump: true,
} as const
