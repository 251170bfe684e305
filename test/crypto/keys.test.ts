import { createHash } from 'node:crypto'
import test from 'ava'
import { Secp256k1HdWallet } from '@cosmjs/amino'
import { ed25519 } from '@noble/curves/ed25519.js'
import { bech32 } from '@scure/base'
import { mnemonicToAccount } from 'viem/accounts'
import { ed25519Address } from '../../src/crypto/ed25519.ts'
import {
  cosmosAddress,
  ethAddress,
  ethAddressOfKey,
  keyPairFromSecret,
  keyPairFromSeed,
  privateKeyFromMnemonic,
} from '../../src/crypto/keys.ts'
import { secp256k1 } from '../../src/crypto/secp256k1.ts'
import { golden } from '../golden.ts'

type Recorded = {
  accounts: Record<string, { mnemonic: string; private_key: string; bech32: string }>
  validator: { address: string; pub_key: { value: string } }
}

const junk = 'test test test test test test test test test test test junk'
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
const addressBytes = (text: string) => hex(bech32.decodeToBytes(text).bytes)
const recorded = golden<Recorded>('keys.json')

test('the accounts of the recorded chain have their keys and addresses', (t) => {
  for (const account of Object.values(recorded.accounts)) {
    const { mnemonic, private_key } = account
    const key = privateKeyFromMnemonic(mnemonic, "m/44'/60'/0'/0/0")
    t.is(`0x${hex(key)}`, private_key)
    t.is(hex(ethAddressOfKey(key)), addressBytes(account.bech32))
  }
})

test('the validator key comes from the mnemonic as in the recorded chain', (t) => {
  const secret = new TextEncoder().encode(recorded.accounts['mykey']?.mnemonic)
  const { publicKey } = keyPairFromSecret(secret)
  t.is(Buffer.from(publicKey).toString('base64'), recorded.validator.pub_key.value)
  t.is(hex(ed25519Address(publicKey)), recorded.validator.address.toLowerCase())
})

test('Ethereum accounts are those viem derives', (t) => {
  for (let i = 0; i < 3; i++) {
    const key = privateKeyFromMnemonic(junk, `m/44'/60'/0'/0/${i}`)
    const expected = mnemonicToAccount(junk, { addressIndex: i }).address.toLowerCase()
    t.is(`0x${hex(ethAddress(secp256k1.publicKey(key, false)))}`, expected)
  }
})

test('Cosmos accounts are those cosmjs derives', async (t) => {
  const [account] = await (await Secp256k1HdWallet.fromMnemonic(junk)).getAccounts()
  const publicKey = secp256k1.publicKey(privateKeyFromMnemonic(junk, "m/44'/118'/0'/0/0"), true)
  t.is(hex(publicKey), hex(account?.pubkey ?? new Uint8Array()))
  t.is(hex(cosmosAddress(publicKey)), addressBytes(account?.address ?? ''))
})

test('drawn key pairs differ by seed, label and index, and stay the same', (t) => {
  const seed = new TextEncoder().encode('seed')
  const block = createHash('sha256')
    .update(createHash('sha256').update(seed).digest())
    .update(Buffer.alloc(16))
    .update('validator')
    .digest()
  const { publicKey } = keyPairFromSeed(seed, 'validator', 0)
  t.is(hex(publicKey), hex(ed25519.getPublicKey(Uint8Array.from(block))))
  const others = [
    keyPairFromSeed(seed, 'validator', 1),
    keyPairFromSeed(seed, 'node', 0),
    keyPairFromSeed(block, 'validator', 0),
  ]
  t.is(new Set([publicKey, ...others.map((pair) => pair.publicKey)].map(hex)).size, 4)
})
