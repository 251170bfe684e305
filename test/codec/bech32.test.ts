import test from 'ava'
import fc from 'fast-check'
import { fromBech32, toBech32 } from '@cosmjs/encoding'
import { anyBech32Of, Bech32Error, bech32Of, readBech32 } from '../../src/codec/bech32.ts'

const dev0 = Buffer.from('963ebdf2e1f8db8707d05fc75bfeffba1b5bac17', 'hex')

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
for (const [prefix, text] of [
  ['ab c', 'ab c1jcltmuhplrdcwp7stlr4hlhlhgd4htqhywf53p'],
  ['Ab c', 'ab c1jcltmuhplrdcwp7stlr4hlhlhgd4htqhywf53p'],
  ['é', 'é1jcltmuhplrdcwp7stlr4hlhlhgd4htqhg4v8st'],
  ['\u0000', '\u00001jcltmuhplrdcwp7stlr4hlhlhgd4htqh8t50p2'],
  ['İ', 'i1jcltmuhplrdcwp7stlr4hlhlhgd4htqhesx3l4'],
  ['ΑΣ', 'ασ1jcltmuhplrdcwp7stlr4hlhlhgd4htqheqyc55'],
  ['x1y', 'x1y1jcltmuhplrdcwp7stlr4hlhlhgd4htqh95j47l'],
] as const) {
  test(`the prefix ${JSON.stringify(prefix)} is spelled as the node does`, (t) => {
    t.is(anyBech32Of(prefix, dev0), text)
  })
}
test('a prefix that BIP-173 allows is spelled alike by both functions', (t) => {
  t.is(anyBech32Of('cosmos', dev0), bech32Of('cosmos', dev0))
})
test('addresses are those of cosmjs and read back', (t) => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 32 }), (bytes) => {
      const text = bech32Of('cosmos', bytes)
      t.is(text, toBech32('cosmos', bytes))
      t.deepEqual(fromBech32(text, 200).data, bytes)
      t.deepEqual(readBech32(text), { prefix: 'cosmos', bytes })
    }),
    { seed: 11 },
  )
})
