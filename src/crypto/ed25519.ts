/** Ed25519 (RFC 8032), the signature scheme of CometBFT validators and nodes. */
import { createPrivateKey, createPublicKey, type KeyObject, sign as signWith, verify as verifyWith } from 'node:crypto'
import { toBinaryString } from '../data/binaryString.ts'
import { concatBytes } from '../data/bytes.ts'
import { rememberedBy } from '../data/remembered.ts'
import { assert } from '../errors.ts'
import { sha256 } from './hash.ts'

/** An Ed25519 key pair, 32 bytes each; CometBFT's 64-byte private key is seed ‖ public key. */
export type Ed25519KeyPair = { readonly seed: Uint8Array; readonly publicKey: Uint8Array }

/** Returns the key pair of a 32-byte seed. */
export function ed25519KeyPair(seed: Uint8Array): Ed25519KeyPair {
  const spki = createPublicKey(privateKeyObject(seed)).export({ format: 'der', type: 'spki' })
  return { seed, publicKey: Uint8Array.from(spki.subarray(spkiPrefix.length)) }
}

/** Returns the 64-byte signature of a message. */
export function ed25519Sign(message: Uint8Array, seed: Uint8Array): Uint8Array {
  return Uint8Array.from(signWith(null, message, privateKeyObject(seed)))
}

/** Returns whether the signature is valid; keys and signatures of a wrong length are not. */
export function ed25519Verify(message: Uint8Array, signature: Uint8Array, publicKey: Uint8Array): boolean {
  if (publicKey.length !== 32 || signature.length !== 64) return false
  return verifyWith(null, message, publicKeyObject(publicKey), signature)
}

/** Returns the 20-byte address: the first bytes of the key's sha256 (comet-rpc.md §5.6). */
export function ed25519Address(publicKey: Uint8Array): Uint8Array {
  return sha256(publicKey).slice(0, 20)
}

// The DER prefix of a raw key (RFC 8410), needed because node:crypto does not accept raw keys.
const pkcs8Prefix = Uint8Array.from([
  0x30, 0x2e, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20,
])
const spkiPrefix = Uint8Array.from([0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00])

// Creating a key object costs more than signing, and validators reuse the same few keys.
const keysMost = 2048

const privateKeyObject = rememberedBy(
  toBinaryString,
  (seed): KeyObject => {
    assert(seed.length === 32, 'an Ed25519 seed has 32 bytes')
    return createPrivateKey({ key: Buffer.from(concatBytes([pkcs8Prefix, seed])), format: 'der', type: 'pkcs8' })
  },
  keysMost,
)

const publicKeyObject = rememberedBy(
  toBinaryString,
  (publicKey): KeyObject =>
    createPublicKey({ key: Buffer.from(concatBytes([spkiPrefix, publicKey])), format: 'der', type: 'spki' }),
  keysMost,
)
