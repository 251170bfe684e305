/** The keys of development accounts, which everybody knows, for people who import them elsewhere. */
import { equalBytes } from '../../data/bytes.ts'
import { hexOf } from '../../codec/hex.ts'
import { ethereumPath, privateKeyFromMnemonic } from '../../crypto/keys.ts'
import { SimError } from '../../errors.ts'
import { stageSettings } from '../../settings/stageSettings.ts'
import { recordedMnemonics } from '../world.ts'
import { NotThere } from './route.ts'
import { keysOf } from '../../node/world.ts'
import type { Instance } from '../ports.ts'

/**
 * Returns the private key of an account by name, with its mnemonic and derivation path. Throws
 * `NotThere` for an unknown account, and `PrivateKey` for a key that chainstage does not publish.
 */
export function accountSecrets({ world, simulation }: Instance, name: string) {
  const keys = keysOf(world, simulation().node)
  const index = keys.findIndex((one) => one.name === name)
  const found = keys[index]
  if (found === undefined) throw new NotThere(`account ${name}`)
  const source = sources(name, index).find(({ mnemonic, path }) =>
    equalBytes(privateKeyFromMnemonic(mnemonic, path), found.privateKey),
  )
  if (source === undefined) throw new PrivateKey(name)
  return { name, privateKey: hexOf(found.privateKey), ...source }
}

/** Returns the published mnemonics that an account may come from. */
function sources(name: string, index: number) {
  const recorded = recordedMnemonics()[name]
  return [
    { mnemonic: stageSettings.mnemonic.value, path: ethereumPath(index) },
    ...(recorded === undefined ? [] : [{ mnemonic: recorded, path: ethereumPath(0) }]),
  ]
}

/** Thrown for an account whose key does not come from a published mnemonic. */
export class PrivateKey extends SimError {
  constructor(name: string) {
    super('PRIVATE_KEY', `the key of ${name} is your own, so this port does not show it`, {
      hint: 'Only keys of the default mnemonic are shown. `chainstage accounts` prints the keys of other mnemonics.',
    })
  }
}
