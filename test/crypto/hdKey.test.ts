import test from 'ava'
import fc from 'fast-check'
import { HDKey } from '@scure/bip32'
import { entropyToMnemonic, mnemonicToSeedSync } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'
import { deriveHdKey, hdKeyFromMnemonic } from '../../src/crypto/hdKey.ts'

const junk = 'test test test test test test test test test test test junk'

test('keys are those of another implementation of BIP-39 and BIP-32', (t) => {
  const step = fc.tuple(fc.nat(2 ** 31 - 1), fc.constantFrom('', "'")).map((parts) => parts.join(''))
  const path = fc.array(step, { maxLength: 5 }).map((steps) => ['m', ...steps].join('/'))
  const entropy = fc.uint8Array({ minLength: 16, maxLength: 16 })
  fc.assert(
    fc.property(entropy, path, fc.string({ maxLength: 5 }), (bytes, at, passphrase) => {
      const mnemonic = entropyToMnemonic(bytes, wordlist)
      const expected = HDKey.fromMasterSeed(mnemonicToSeedSync(mnemonic, passphrase)).derive(at)
      const { privateKey, chainCode } = deriveHdKey(hdKeyFromMnemonic(mnemonic, passphrase), at)
      t.deepEqual(privateKey, expected.privateKey)
      t.deepEqual(chainCode, expected.chainCode)
    }),
    { seed: 1, numRuns: 25 },
  )
})

const refusesPath = test.macro((t, path: string) => {
  t.throws(() => deriveHdKey(hdKeyFromMnemonic(junk), path), { code: 'INVALID_KEY_PATH' })
})
test('a path must start at m', refusesPath, "44'/60'")
test('a path must have numbers', refusesPath, 'm/x')
test('a path must not have empty steps', refusesPath, 'm/0//1')
test('a number must be below 2³¹', refusesPath, 'm/2147483648')

const refusesMnemonic = test.macro((t, mnemonic: string) => {
  const error = t.throws(() => hdKeyFromMnemonic(mnemonic), { code: 'INVALID_MNEMONIC' })
  t.false(error.message.includes('junk'))
})
test('a wrong checksum is refused', refusesMnemonic, junk.replace('junk', 'test'))
test('a missing word is refused', refusesMnemonic, junk.replace('test ', ''))
test('an unknown word is refused', refusesMnemonic, junk.replace('test', 'junkyard'))
