/** Keys in a genesis document: `{"@type": …, "key": base64}`, or a threshold and a list of keys. */
import { readBase64 } from '../../../codec/base64.ts'
import { type Any, Ed25519PubKey, LegacyAminoPubKey } from '../../../codec/messages/cosmos.ts'
import { InvalidGenesis, integer, list, type Section, text } from './read.ts'

/** Returns the key as an Any. All key types but that of a multisig hold their bytes in field 1. */
export function publicKeyOf(section: Section): Any {
  const typeUrl = text(section, '@type')
  if (typeUrl !== '/cosmos.crypto.multisig.LegacyAminoPubKey') {
    return { typeUrl, value: Ed25519PubKey.encode({ key: publicKeyBytes(section) }) }
  }
  const threshold = Number(integer(section, 'threshold'))
  const publicKeys = list(section, 'public_keys').map(publicKeyOf)
  return { typeUrl, value: LegacyAminoPubKey.encode({ threshold, publicKeys }) }
}

/** Returns the key's bytes. */
export function publicKeyBytes(section: Section): Uint8Array {
  const bytes = readBase64(text(section, 'key'))
  if (typeof bytes === 'string') throw new InvalidGenesis(`${section.path}.key`, 'base64')
  return bytes
}
