/** Keys in a genesis document: `{"@type": …, "key": base64}`. */
import { readBase64 } from '../../../codec/base64.ts'
import { type Any, Ed25519PubKey } from '../../../codec/messages/cosmos.ts'
import { InvalidGenesis, type Section, text } from './read.ts'

/** Returns the key as an Any. All key types hold their bytes in field 1. */
export function publicKeyOf(section: Section): Any {
  const value = Ed25519PubKey.encode({ key: publicKeyBytes(section) })
  return { typeUrl: text(section, '@type'), value }
}

/** Returns the key's bytes. */
export function publicKeyBytes(section: Section): Uint8Array {
  const bytes = readBase64(text(section, 'key'))
  if (typeof bytes === 'string') throw new InvalidGenesis(`${section.path}.key`, 'base64')
  return bytes
}
