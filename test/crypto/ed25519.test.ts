import test from 'ava'
import fc from 'fast-check'
import { ed25519 as noble } from '@noble/curves/ed25519.js'
import { ed25519Address, ed25519KeyPair, ed25519Sign, ed25519Verify } from '../../src/crypto/ed25519.ts'

const fromHex = (text: string) => Uint8Array.from(Buffer.from(text, 'hex'))

// RFC 8032, section 7.1, tests 1 and 3.
const rfc = test.macro((t, vector: [string, string, string, string]) => {
  const [seed, publicKey, message, signature] = vector
  const pair = ed25519KeyPair(fromHex(seed))
  t.deepEqual(pair.publicKey, fromHex(publicKey))
  t.deepEqual(ed25519Sign(fromHex(message), pair.seed), fromHex(signature))
  t.true(ed25519Verify(fromHex(message), fromHex(signature), pair.publicKey))
})
test('RFC 8032 test 1', rfc, [
  '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60',
  'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
  '',
  'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155' +
    '5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b',
])
test('RFC 8032 test 3', rfc, [
  'c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7',
  'fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025',
  'af82',
  '6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac' +
    '18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a',
])

test('keys and signatures are those of other code', (t) => {
  const seed = fc.uint8Array({ minLength: 32, maxLength: 32 })
  fc.assert(
    fc.property(seed, fc.uint8Array({ maxLength: 300 }), (bytes, message) => {
      const { publicKey } = ed25519KeyPair(bytes)
      const signature = ed25519Sign(message, bytes)
      t.deepEqual(publicKey, noble.getPublicKey(bytes))
      t.deepEqual(signature, noble.sign(message, bytes))
      t.true(ed25519Verify(message, signature, publicKey))
      t.false(ed25519Verify(Uint8Array.of(...message, 1), signature, publicKey))
      t.false(
        ed25519Verify(
          message,
          signature.map((b, i) => (i === 40 ? b ^ 1 : b)),
          publicKey,
        ),
      )
    }),
    { seed: 1, numRuns: 50 },
  )
})

test('what has a wrong length did not sign', (t) => {
  const { seed, publicKey } = ed25519KeyPair(new Uint8Array(32))
  const message = new Uint8Array(1)
  const signature = ed25519Sign(message, seed)
  t.true(ed25519Verify(message, signature, publicKey))
  t.false(ed25519Verify(message, signature.slice(1), publicKey))
  t.false(ed25519Verify(message, signature, publicKey.slice(1)))
  t.throws(() => ed25519KeyPair(new Uint8Array(31)), { code: 'ASSERTION_FAILED' })
})

test('more keys than the cache holds still sign', (t) => {
  const seedOf = (i: number) => new Uint8Array(32).fill(i & 255, 0, 16).fill(i >> 8, 16)
  const seeds = Array.from({ length: 1100 }, (_, i) => seedOf(i))
  const message = Uint8Array.of(1)
  const signatures = seeds.map((seed) => ed25519Sign(message, seed))
  t.deepEqual(ed25519Sign(message, seeds[0] ?? message), signatures[0])
})

test('the address of the recorded validator', (t) => {
  const text = 'DsS4h53SOQ7NIx2VGT8lvnHOoVOFqIPc+VE+uBPYBXw='
  const publicKey = Uint8Array.from(Buffer.from(text, 'base64'))
  t.deepEqual(ed25519Address(publicKey), fromHex('2E1CA93285D58942BA2E22FD893CCAC7C924C3A1'))
})
