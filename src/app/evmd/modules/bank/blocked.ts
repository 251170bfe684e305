/** Addresses that must not receive coins (evmd `config/evmd_config.go` BlockedAddresses). */
import { toBinaryString } from '../../../../data/binaryString.ts'
import { accountText, type Addressing, moduleAddress, modulePermissions } from '../../address.ts'
import { sdkError } from '../../txError.ts'

/**
 * The number of Ethereum's precompiles as of Prague (geth `PrecompiledAddressesPrague`), 0x01 to
 * 0x11.
 */
const pragueCount = 17
const staticPrecompiles = [0x100, 0x400, 0x800, 0x801, 0x802, 0x803, 0x804, 0x805, 0x806]
const precompiles = [...Array.from({ length: pragueCount }, (_, index) => index + 1), ...staticPrecompiles]

function lowAddress(number: number): Uint8Array {
  const address = new Uint8Array(20)
  new DataView(address.buffer).setUint16(18, number)
  return address
}

const blocked = new Set(
  [...Object.keys(modulePermissions).map(moduleAddress), ...precompiles.map(lowAddress)].map((address) =>
    toBinaryString(address),
  ),
)

/** Returns whether an address is one of Ethereum's precompiles. */
export function isEthereumPrecompile(address: Uint8Array): boolean {
  const number = address[19] ?? 0
  return number > 0 && number <= pragueCount && address.subarray(0, 19).every((byte) => byte === 0)
}

/**
 * Returns whether an address must not receive coins, which holds for module accounts and
 * precompiles.
 */
export function isBlocked(address: Uint8Array): boolean {
  return blocked.has(toBinaryString(address))
}

/** Throws the SDK's `unauthorized` for an address that must not receive coins. */
export function checkReceiver(at: Addressing, to: Uint8Array): void {
  if (!isBlocked(to)) return
  throw sdkError('unauthorized', `${accountText(at, to)} is not allowed to receive funds`)
}
