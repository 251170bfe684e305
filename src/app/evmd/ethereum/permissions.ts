/** Messages that x/vm's access lists forbid (x/vm types/permissions.go). */
import { equalBytes } from '../../../data/bytes.ts'
import { refusedAs } from '../../../evm/refusal.ts'
import type { EvmEnv, EvmResult, EvmTx } from '../../../evm/types.ts'
import { type Context, withFreeStores } from '../context.ts'
import { intrinsicGas } from './intrinsicGas.ts'
import { TxError } from '../txError.ts'
import { accessType } from '../modules/evm/access.ts'
import { getEvmParams } from '../modules/evm/store.ts'
import { checksumAddress } from '../../../crypto/checksumAddress.ts'

/** Throws if nobody may create contracts, or make calls, as the transaction does. */
export function checkEnabled(context: Context, { to }: EvmTx): void {
  const { create, call } = getEvmParams(withFreeStores(context)).accessControl
  if ((to === undefined ? create : call).accessType !== accessType.restricted) return
  const [text, code] =
    to === undefined
      ? ['failed to create new contract: EVM create operation is disabled', 5]
      : ['failed to perform a call: EVM Call operation is disabled', 6]
  throw new TxError(text, { code, codespace: 'evm' })
}

/** Returns the result of a message whose sender may not send it in its environment (`evmEnv`); undefined if it may run. */
export function deniedResult({ access }: EvmEnv, tx: EvmTx): EvmResult | undefined {
  if (access === undefined) return undefined
  const { isClosed, except } = tx.to === undefined ? access.creations : access.calls
  if (isClosed === except.some((each) => equalBytes(each, tx.from))) return undefined
  const what = tx.to === undefined ? 'deploy contracts' : 'perform a call'
  const gas = intrinsicGas(tx)
  const text = `caller address ${checksumAddress(tx.from)} does not have permission to ${what}`
  return { ...refusedAs('PermissionDenied', text), status: 'halt', gasUsed: gas, gasPeak: gas }
}
