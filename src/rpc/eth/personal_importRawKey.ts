import { text } from '../../codec/codec.ts'
import { bytesOfHex } from '../../codec/hex.ts'
import { ethAddressOfKey } from '../../crypto/keys.ts'
import { equalBytes } from '../../data/bytes.ts'
import { action, param } from '../method.ts'
import { serverError } from './errors.ts'
import { keyring } from './keys.ts'
import { passwordParam } from './params.ts'
import { bytesResult } from './results.ts'

export const personal_importRawKey = action({
  name: 'personal_importRawKey',
  summary: 'Adds a private key (64 hex digits) to the node and returns its address.',
  spec: 'cosmos-evm-rpc.md §2.11',
  params: [param('key', text()), passwordParam],
  result: bytesResult,
  traits: ['changesWorld'],
  examples: [],
  command: (context, [given]) => {
    const address = ethAddressOfKey(keyBytes(given))
    const all = keyring(context)
    if (all.some((each) => equalBytes(each.address, address))) return { type: 'none' }
    return {
      type: 'addKey', key: { name: `personal_${all.length}`, address, privateKey: keyBytes(given) },
    }
  },
  reply: (_context, _outcome, [given]) => ethAddressOfKey(keyBytes(given)),
})

// go-ethereum crypto: HexToECDSA.
function keyBytes(given: string): Uint8Array {
  const wrong = [...given].find((character) => !/[0-9a-fA-F]/.test(character))
  if (wrong !== undefined) throw serverError(`invalid hex character '${wrong}' in private key`)
  if (given.length !== 64) throw serverError('invalid length, need 256 bits')
  return bytesOfHex(`0x${given}`)
}
