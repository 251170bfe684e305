/** Who may create and call contracts, as x/gov decides (x/vm types/permissions.go). */
import type { VmParams } from '../../../codec/messages/cosmosEvm.ts'
import { refusedAs } from '../../../evm/refusal.ts'
import type { EvmResult, EvmTx } from '../../../evm/types.ts'
import { type Context, withFreeStores } from '../context.ts'
import { intrinsicGas } from './intrinsicGas.ts'
import { TxError } from '../txError.ts'
import { getEvmParams } from '../modules/evm/store.ts'
import { checksumAddress } from '../../../crypto/checksumAddress.ts'

type Access = VmParams['accessControl']['create']

const accessType = { permissionless: 0, restricted: 1 } as const

/** Throws if nobody may create contracts, or make calls, as the transaction does. */
export function checkEnabled(context: Context, { to }: EvmTx): void {
  if (accessOf(context, to).accessType !== accessType.restricted) return
  const [text, code] =
    to === undefined
      ? ['failed to create new contract: EVM create operation is disabled', 5]
      : ['failed to perform a call: EVM Call operation is disabled', 6]
  throw new TxError(text, { code, codespace: 'evm' })
}

/**
 * Returns the result of a message whose sender may not send it; undefined if it may run. Calls and
 * creations by contracts are not checked: the engine does not know the lists.
 */
export function deniedResult(context: Context, tx: EvmTx): EvmResult | undefined {
  const access = accessOf(context, tx.to)
  if (access.accessType === accessType.permissionless && access.accessControlList.length === 0) return undefined
  const sender = checksumAddress(tx.from)
  if (isAllowed(access, sender)) return undefined
  const what = tx.to === undefined ? 'deploy contracts' : 'perform a call'
  const gas = intrinsicGas(tx)
  const refused = refusedAs('PermissionDenied', `caller address ${sender} does not have permission to ${what}`)
  return { ...refused, status: 'halt', gasUsed: gas, gasPeak: gas }
}

function accessOf(context: Context, to: Uint8Array | undefined): Access {
  const { accessControl } = getEvmParams(withFreeStores(context))
  return to === undefined ? accessControl.create : accessControl.call
}

/** Without restriction, the list names those who are excluded; otherwise, those who are allowed. */
function isAllowed(access: Access, sender: string): boolean {
  const isListed = access.accessControlList.includes(sender)
  if (access.accessType === accessType.permissionless) return !isListed
  return access.accessType !== accessType.restricted && isListed
}
