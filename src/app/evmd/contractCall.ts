/** Contract calls made by modules and paid by the running message (x/vm call_evm.go). */
import { hexOf } from '../../codec/hex.ts'
import type { EvmLog, EvmTx } from '../../evm/types.ts'
import { type Context, withFreeStores } from './context.ts'
import { deniedResult } from './ethereum/permissions.ts'
import { vmErrorOf } from './ethereumTx.ts'
import { hostPrecompiles } from './precompiles/host.ts'
import { sdkError, TxError } from './txError.ts'
import { getAccount } from './modules/auth/accounts.ts'
import { chargeSetup, noted } from './callCosts.ts'
import { evmCoin } from './evmCoin.ts'
import { callRelax, evmEnv } from './modules/evm/env.ts'
import { applyDiff, evmRead } from './modules/evm/state.ts'

const gasCap = 25_000_000n

export type ContractCall = {
  readonly from: Uint8Array
  readonly to: Uint8Array
  readonly data: Uint8Array
  /** Whether the state changes of the call are kept. */
  readonly keeps: boolean
}

/**
 * Returns the result of a contract call. The message pays for the executed gas minus the whole
 * refund, and for the store reads and writes. If the call fails, it consumes all gas of the message
 * and throws the node's `evm transaction execution failed`.
 */
export function callContract(
  context: Context,
  { from, to, data, keeps }: ContractCall,
): { readonly output: Uint8Array; readonly logs: readonly EvmLog[] } {
  const account = getAccount(context, from)
  if (account === undefined) {
    throw sdkError('unknownAddress', `account ${hexOf(from)} does not exist`)
  }
  const called = chargeSetup(context, to)
  const free = withFreeStores(context)
  const coin = evmCoin(free)
  const env = evmEnv(free, callRelax, from)
  const { read: noting, charge } = noted(context, evmRead(free, coin), { ...called, coin, coinbase: env.coinbase })
  const { host, read, undo, settled } = hostPrecompiles(free, noting, coin)
  const before = context.events.length
  const tx: EvmTx = {
    type: 0,
    from,
    to,
    data,
    nonce: account.sequence,
    gasLimit: gasCap,
    gasPrice: 0n,
    priorityFee: undefined,
    value: 0n,
    accessList: [],
    authorizations: [],
    blobHashes: [],
    blobFeeCap: 0n,
  }
  const result = deniedResult(env, tx) ?? context.fixed.engine.execute(env, tx, read, { host })
  charge()
  const failure = vmErrorOf(result)
  if (failure !== '') {
    context.gas.refund(context.gas.consumed())
    context.gas.consume(context.gas.limit, 'reset the gas count')
    throw new TxError(`${failure}: evm transaction execution failed`, { code: 10, codespace: 'evm' })
  }
  if (keeps) applyDiff(context, settled(result.diff), coin)
  else undo()
  // As in a transaction.
  if (result.frameFailed) context.events.length = before
  context.gas.consume(result.gasPeak - result.refund, 'apply evm message')
  return { output: result.output, logs: result.logs }
}
