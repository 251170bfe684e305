import test from 'ava'
import fc from 'fast-check'
import { fromBech32, toBech32 } from '@cosmjs/encoding'
import { Bech32Error, bech32Of, readBech32 } from '../../src/codec/bech32.ts'

// Valid and invalid strings of BIP-173 that hold whole bytes.
test('a string of BIP-173 is read', (t) => {
  t.is(readBech32('A12UEL5L').prefix, 'a')
  t.is(readBech32('split1checkupstagehandshakeupstreamerranterredcaperred2y9e3w').prefix, 'split')
})
for (const text of [
  'A1G7SGD8',
  'x1b4n0q5v',
  'pzry9x0s0muk',
  'de1lg7wt\xff',
  'split1checkupstagehandshakeupstreamerranterredcaperred2y9e3x',
]) {
  test(`${JSON.stringify(text)} is refused`, (t) => {
    t.throws(() => readBech32(text), { instanceOf: Bech32Error, code: 'BAD_BECH32' })
  })
}
test('the zero address is spelled as the node does', (t) => {
  t.is(bech32Of('cosmos', new Uint8Array(20)), 'cosmos1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqnrql8a')
})
test('addresses are those of cosmjs and read back', (t) => {
  fc.assert(fc.property(fc.uint8Array({ minLength: 1, maxLength: 32 }), (bytes) => {
    const text = bech32Of('cosmos', bytes)
    t.is(text, toBech32('cosmos', bytes))
    t.deepEqual(fromBech32(text, 200).data, bytes)
    t.deepEqual(readBech32(text), { prefix: 'cosmos', bytes })
  }), { seed: 11 })
})
