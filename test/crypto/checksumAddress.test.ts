import test from 'ava'
import fc from 'fast-check'
import { getAddress, toHex } from 'viem'
import { checksumAddress } from '../../src/crypto/checksumAddress.ts'

test('the checksum in an address is that of EIP-55', (t) => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 20, maxLength: 20 }), (bytes) => {
      t.is(checksumAddress(bytes), getAddress(toHex(bytes)))
    }),
    { seed: 6 },
  )
})
