/** Keys that sign Cosmos transactions: their addresses and signature checks. */
import { GoPanic } from '../../../codec/comet.ts'
import { type Any, Ed25519PubKey, LegacyAminoPubKey, Secp256k1PubKey } from '../../../codec/messages/cosmos.ts'
import { ethSecp256k1PubKey, typeUrls } from '../../../codec/messages/cosmosEvm.ts'
import { varint } from '../../../codec/protobuf/wire.ts'
import { ed25519Address } from '../../../crypto/ed25519.ts'
import { keccak256, sha256 } from '../../../crypto/hash.ts'
import { cosmosAddress, ethAddress } from '../../../crypto/keys.ts'
import { secp256k1 } from '../../../crypto/secp256k1.ts'
import { uncompressed } from '../../../crypto/uncompressed.ts'
import { concatBytes } from '../../../data/bytes.ts'
import { sdkError } from '../txError.ts'

export const keyUrls = {
  cosmos: '/cosmos.crypto.secp256k1.PubKey',
  ethereum: typeUrls.ethSecp256k1,
  ed25519: '/cosmos.crypto.ed25519.PubKey',
  multisig: '/cosmos.crypto.multisig.LegacyAminoPubKey',
  r1: '/cosmos.crypto.secp256r1.PubKey',
} as const

/**
 * Returns the address of a key; empty for an Ethereum key that is not a curve point. Throws the
 * SDK's `invalid pubkey`, or `GoPanic` for a key of the wrong size.
 */
export function addressOfKey(key: Any): Uint8Array {
  if (key.typeUrl === keyUrls.multisig) return sha256(aminoBytes(key, multisigNames)).slice(0, 20)
  const bytes = keyBytes(key)
  if (key.typeUrl === keyUrls.ed25519) {
    if (bytes.length !== 32) throw new GoPanic('pubkey is incorrect size')
    return ed25519Address(bytes)
  }
  if (key.typeUrl === keyUrls.cosmos) {
    if (bytes.length !== 33) throw new GoPanic('length of pubkey is incorrect')
    return cosmosAddress(bytes)
  }
  if (key.typeUrl === keyUrls.r1) {
    return sha256(concatBytes([sha256(new TextEncoder().encode(keyUrls.r1.slice(1))), bytes]))
  }
  const point = uncompressed(bytes)
  return point === undefined ? new Uint8Array(0) : ethAddress(point)
}

/** Returns whether the signature was made by a key that is not a multisig. */
export function isSignedBy(key: Any, payload: Uint8Array, signature: Uint8Array): boolean {
  const bytes = keyBytes(key)
  if (key.typeUrl === keyUrls.cosmos) {
    return signature.length === 64 && secp256k1.verify(sha256(payload), signature, bytes)
  }
  if (key.typeUrl !== keyUrls.ethereum) return false
  // A trailing recovery ID, which Ethereum signers append, is cut off (ethsecp256k1
  // VerifySignature).
  const plain = signature.length === 65 ? signature.subarray(0, 64) : signature
  return plain.length === 64 && secp256k1.verify(keccak256(payload), plain, bytes)
}

/**
 * Returns the number of keys in a key, at any depth; 1 if it is not a multisig (x/auth
 * CountSubKeys).
 */
export function countKeys(key: Any | undefined): number {
  if (key?.typeUrl !== keyUrls.multisig) return key === undefined ? 0 : 1
  return LegacyAminoPubKey.decode(key.value).publicKeys.reduce((sum, each) => sum + countKeys(each), 0)
}

function keyBytes(key: Any): Uint8Array {
  // The messages of these two have the same field.
  if (key.typeUrl === keyUrls.cosmos || key.typeUrl === keyUrls.r1) return Secp256k1PubKey.decode(key.value).key
  if (key.typeUrl === keyUrls.ed25519) return Ed25519PubKey.decode(key.value).key
  if (key.typeUrl === keyUrls.ethereum) return ethSecp256k1PubKey.decode(key.value).key
  throw unsupportedKey(key)
}

/** Returns the error for a key type that cannot sign transactions. */
export function unsupportedKey(key: Any | undefined): Error {
  return key?.typeUrl === keyUrls.ed25519
    ? sdkError('invalidPubKey', 'ED25519 public keys are unsupported')
    : sdkError('invalidPubKey', `unrecognized/unsupported public key type: ${key?.typeUrl ?? '<nil>'}`)
}

const aminoNames: Readonly<Record<string, string>> = {
  [keyUrls.cosmos]: 'tendermint/PubKeySecp256k1',
  [keyUrls.ed25519]: 'tendermint/PubKeyEd25519',
  [keyUrls.ethereum]: 'os/PubKeyEthSecp256k1',
  [keyUrls.multisig]: 'tendermint/PubKeyMultisigThreshold',
}

/**
 * The names that the SDK's own codec for multisigs knows. Ethereum's keys are not registered there,
 * so that they have no prefix in the bytes of which a multisig's address is the hash.
 */
const multisigNames: typeof aminoNames = { ...aminoNames, [keyUrls.ethereum]: '' }

/** Returns the amino encoding of a key. A key whose name is empty has no prefix. */
export function aminoBytes(key: Any, names = aminoNames): Uint8Array {
  const name = names[key.typeUrl]
  if (name === undefined) throw unsupportedKey(key)
  const prefix = name === '' ? new Uint8Array(0) : aminoPrefix(name)
  if (key.typeUrl !== keyUrls.multisig) {
    const bytes = keyBytes(key)
    return concatBytes([prefix, varint(BigInt(bytes.length)), bytes])
  }
  const { threshold, publicKeys } = LegacyAminoPubKey.decode(key.value)
  const parts = publicKeys
    .map((each) => aminoBytes(each, names))
    .flatMap((part) => [Uint8Array.of(0x12), varint(BigInt(part.length)), part])
  const needed = threshold === 0 ? [] : [Uint8Array.of(0x08), varint(BigInt(threshold))]
  return concatBytes([prefix, ...needed, ...parts])
}

/**
 * Returns a name's amino prefix, taken from its hash: skip leading zeros, skip three bytes, skip
 * zeros, then take four bytes (go-amino).
 */
function aminoPrefix(name: string): Uint8Array {
  const hash = sha256(new TextEncoder().encode(name))
  const first = hash.findIndex((byte) => byte !== 0) + 3
  const start = first + hash.subarray(first).findIndex((byte) => byte !== 0)
  return hash.slice(start, start + 4)
}
