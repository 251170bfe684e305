/** Who may create and call contracts, as x/gov decides (x/vm types/permissions.go). */
import { checksumAddress, isChecksummed } from '../../../../crypto/checksumAddress.ts'
import { bytesOfHex } from '../../../../codec/hex.ts'
import type { VmParams } from '../../../../codec/messages/cosmosEvm.ts'
import type { EvmAccess, EvmAccessRule } from '../../../../evm/access.ts'
import { type Context, withFreeStores } from '../../context.ts'
import { getEvmParams } from './store.ts'

type Listed = VmParams['accessControl']['create']

export const accessType = { permissionless: 0, restricted: 1 } as const

/** Returns the rules in a transaction of a signer; undefined if all contracts may create and call others. */
export function accessFor(context: Context, signer: Uint8Array): EvmAccess | undefined {
  const { create, call } = getEvmParams(withFreeStores(context)).accessControl
  if (isOpen(create) && isOpen(call)) return undefined
  const text = checksumAddress(signer)
  return { calls: ruleOf(call, text), creations: ruleOf(create, text) }
}

function isOpen({ accessType: type, accessControlList }: Listed): boolean {
  return type === accessType.permissionless && accessControlList.length === 0
}

/** The list names those who are excluded or those who are allowed; the signer's entry is for all contracts that it runs. */
function ruleOf({ accessType: type, accessControlList }: Listed, signer: string): EvmAccessRule {
  const isListed = accessControlList.includes(signer)
  const isClosed = type === accessType.permissionless ? isListed : type === accessType.restricted || !isListed
  if (type === accessType.restricted || isListed) return { isClosed, except: [] }
  // The node compares checksummed text, so that another spelling is nobody's.
  return { isClosed, except: accessControlList.filter(isChecksummed).map((each) => bytesOfHex(each)) }
}
