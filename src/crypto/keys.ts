/** Ethereum and Cosmos addresses of keys, and the keys that a simulated chain generates. */
import { createRandom } from '../data/random.ts'
import { remembered } from '../data/remembered.ts'
import { assert } from '../errors.ts'
import { type Ed25519KeyPair, ed25519KeyPair } from './ed25519.ts'
import { keccak256, ripemd160, sha256 } from './hash.ts'
import { deriveHdKey, hdKeyFromMnemonic } from './hdKey.ts'
import { secp256k1 } from './secp256k1.ts'

/**
 * Returns the 32-byte private key of a mnemonic at a path, which must not be mutated. Throws
 * `InvalidMnemonic` or `InvalidKeyPath`.
 */
export function privateKeyFromMnemonic(mnemonic: string, path: string): Uint8Array {
  return deriveHdKey(hdKeyFromMnemonic(mnemonic), path).privateKey
}

/** Returns the path of a funded account as Ethereum wallets derive it. */
export function ethereumPath(index: number): string {
  return `m/44'/60'/0'/0/${index}`
}

/** Returns the path of a funded account as cosmjs derives it. */
export function cosmosPath(index: number): string {
  return `m/44'/118'/0'/0/${index}`
}

/**
 * Returns the 20-byte Ethereum address of an uncompressed public key (65 bytes). A Cosmos account
 * with this eth_secp256k1 key has the same address (cosmos/evm crypto/ethsecp256k1).
 */
export function ethAddress(publicKey: Uint8Array): Uint8Array {
  assert(publicKey.length === 65, 'an Ethereum address is made of an uncompressed public key')
  return keccak256(publicKey.subarray(1)).slice(12)
}

/** Returns the 20-byte Ethereum address of a private key. Neither may be mutated. */
export const ethAddressOfKey = remembered((privateKey: Uint8Array) =>
  ethAddress(secp256k1.publicKey(privateKey, false)),
)

/** Returns the 20-byte address of a Cosmos secp256k1 key, by its private key. Neither may be mutated. */
export const cosmosAddressOfKey = remembered((privateKey: Uint8Array) =>
  cosmosAddress(secp256k1.publicKey(privateKey, true)),
)

/** Returns the 20-byte address of a Cosmos secp256k1 key (33 bytes; comet-rpc.md §5.6). */
export function cosmosAddress(publicKey: Uint8Array): Uint8Array {
  assert(publicKey.length === 33, 'a Cosmos address is made of a compressed public key')
  return ripemd160(sha256(publicKey))
}

/**
 * Returns the key pair of validator (or node) number `index`, derived from the seed and the label.
 */
export function keyPairFromSeed(seed: Uint8Array, label: string, index: number): Ed25519KeyPair {
  return ed25519KeyPair(createRandom(seed, sha256).bytes(label, index, 32))
}

/** Returns the key pair seeded with the secret's sha256: a validator's after `init --recover`. */
export function keyPairFromSecret(secret: Uint8Array): Ed25519KeyPair {
  return ed25519KeyPair(sha256(secret))
}
