import { data } from '../../codec/hex.ts'
import { ethAddress } from '../../crypto/keys.ts'
import { secp256k1 } from '../../crypto/secp256k1.ts'
import { param, query } from '../method.ts'
import { serverError } from './errors.ts'
import { prefixedDigest } from './keys.ts'
import { dataParam } from './params.ts'
import { bytesResult } from './results.ts'

export const personal_ecRecover = query({
  name: 'personal_ecRecover',
  summary: 'Returns who signed a message under Ethereum’s prefix.',
  spec: 'cosmos-evm-rpc.md §2.11',
  params: [dataParam, param('signature', data())],
  result: bytesResult,
  traits: ['changesWorld'],
  examples: [],
  read: (_context, [message, signature]) => {
    if (signature.length !== 65) throw serverError('signature must be 65 bytes long')
    const recovery = (signature[64] ?? 0) - 27
    if (recovery !== 0 && recovery !== 1) {
      throw serverError('invalid Ethereum signature (V is not 27 or 28)')
    }
    const key = secp256k1.recover(prefixedDigest(message), signature.subarray(0, 64), recovery)
    if (key === undefined) throw serverError('recovery failed')
    return ethAddress(key)
  },
})
