/**
 * Shows addresses as hex and as bech32, and finds the labels that the scenario and the node
 * give them.
 */
import { bytesOfHex, hexOf } from '../../codec/hex.ts'
import { addressText, moduleAddress, modulePermissions } from '../../app/evmd/address.ts'
import { precompileAbis } from './precompileAbis.ts'
import { operatorsOf } from './validators.ts'
import { keysOf } from '../../node/world.ts'
import type { Instance } from '../ports.ts'
import { checksumAddress } from '../../crypto/checksumAddress.ts'

/** Returns an address as hex and as bech32. */
export function bothForms(
  { simulation }: Pick<Instance, 'simulation'>,
  address: Uint8Array,
): { readonly ethereum: string; readonly cosmos: string } {
  return { ethereum: checksumAddress(address), cosmos: addressText(simulation().node.settings, address) }
}

const builtIn: readonly (readonly [string, string])[] = [
  ...[...precompileAbis].map(([address, { name }]) => [address, name] as const),
  ...Object.keys(modulePermissions).map((name) => [hexOf(moduleAddress(name)), `${name} module`] as const),
]

/**
 * Returns the labels keyed by each address as hex, as an account and as a validator (bech32).
 * Validators are labeled with their moniker.
 */
export function labelsInAllForms(instance: Instance): Readonly<Record<string, string>> {
  const { settings } = instance.simulation().node
  const own = [...labelsOf(instance)].flatMap(([hex, label]) => {
    const bytes = bytesOfHex(hex)
    return [hex, addressText(settings, bytes), addressText(settings, bytes, 'operator')].map(
      (form) => [form, label] as const,
    )
  })
  const validators = [...operatorsOf(instance).values()].map(({ operator, moniker }) => [operator, moniker] as const)
  return Object.fromEntries([...own, ...validators])
}

/**
 * Returns labels keyed by lower-case hex address. They name the node's accounts, accounts and
 * contracts of the scenario (including contracts that its steps deployed), precompiles and module
 * accounts.
 */
export function labelsOf({ simulation, world }: Instance): ReadonlyMap<string, string> {
  const { node, plan, progress } = simulation()
  const { accounts, txs } = plan.fixtures
  return new Map([
    ...(world.ethereum === undefined ? [] : builtIn),
    ...Object.entries(progress.facts.accounts).map(([name, address]) => [address.toLowerCase(), name] as const),
    ...keysOf(world, node).map(({ name, address }) => [hexOf(address), name] as const),
    ...accounts.map(({ name, address }) => [hexOf(address), name] as const),
    ...txs.flatMap(({ what, makes }) => (makes === undefined ? [] : [[hexOf(makes), what] as const])),
  ])
}
