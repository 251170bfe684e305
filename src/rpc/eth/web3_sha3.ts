import { text } from '../../codec/codec.ts'
import { DecodeError } from '../../codec/decodeError.ts'
import { bytesOfHex } from '../../codec/hex.ts'
import { keccak256 } from '../../crypto/hash.ts'
import { isExpected } from '../../errors.ts'
import { hasQuirk } from '../../settings/quirks.ts'
import { param, query } from '../method.ts'
import { invalidParams } from './errors.ts'
import { bytesResult } from './results.ts'

export const web3_sha3 = query({
  name: 'web3_sha3',
  summary: 'Returns the Keccak-256 hash of the given data.',
  spec: 'cosmos-evm-rpc.md §2.1',
  params: [param('data', text())],
  result: bytesResult,
  traits: ['varies'],
  examples: [
    {
      params: ['0x68656c6c6f'],
      result: '0x1c8aff950685c2ed4bc3174f3472287b56d9517b9c948127319a09a7a36deac8',
    },
  ],
  read: ({ node }, [given]) =>
    keccak256(hasQuirk(node.settings, 'sha3-of-text') ? new TextEncoder().encode(given) : bytesOf(given)),
})

function bytesOf(given: string): Uint8Array {
  try {
    return given === '' ? new Uint8Array(0) : bytesOfHex(given)
  } catch (error) {
    if (!isExpected(error)) throw error
    throw invalidParams(error instanceof DecodeError ? `invalid argument 0: ${error.text}` : 'invalid argument 0')
  }
}
