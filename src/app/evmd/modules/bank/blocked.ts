/** Addresses that may not receive coins by messages (evmd BlockedAddresses). */
import { accountText, moduleAddress, modulePermissions } from '../../address.ts'

const blocked = new Set(
  Object.keys(modulePermissions).filter((name) => name !== 'gov')
    .map((name) => accountText(moduleAddress(name))),
)

/** Returns whether an address may not receive coins: module accounts but that of x/gov. */
export function isBlocked(address: Uint8Array): boolean {
  return blocked.has(accountText(address))
}
