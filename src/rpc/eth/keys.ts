/** The node's keys and their signatures (`cosmos-evm-rpc.md` §2.6). */
import { addressText } from '../../app/evmd/address.ts'
import { signingPayload, type EthTx } from '../../codec/ethTx.ts'
import { keccak256 } from '../../crypto/hash.ts'
import { secp256k1 } from '../../crypto/secp256k1.ts'
import { concatBytes, equalBytes } from '../../data/bytes.ts'
import { type NodeKey, keysOf } from '../../node/world.ts'
import { hasQuirk } from '../../settings/quirks.ts'
import type { Context } from '../method.ts'
import { serverError } from './errors.ts'
import { bigOf } from '../../data/bigEndian.ts'

/** Throws unless methods may use the node's keys (`allow-insecure-unlock`). */
export function checkUnlocked({ node }: Context): void {
  if (!node.settings.allowInsecureUnlock) throw serverError('account unlock with HTTP access is forbidden')
}

/** Returns all keys that the node signs with, sorted by name as in its keyring. */
export function keyring({ world, node }: Context): readonly NodeKey[] {
  if (node.keys === undefined || node.keys.length === 0) return world.keyring
  return keysOf(world, node).toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

/** Returns the addresses of the node's keys. Throws unless methods may use them. */
export function keyAddresses(context: Context): readonly Uint8Array[] {
  checkUnlocked(context)
  return keyring(context).map((key) => key.address)
}

/**
 * Returns the node's key for an address. If there is none, throws an error whose text starts with
 * `prefix`.
 */
export function signingKeyOf(context: Context, owner: Uint8Array, prefix = ''): NodeKey {
  const key = keyring(context).find((each) => equalBytes(each.address, owner))
  if (key !== undefined) return key
  const shown = addressText(context.node.settings, owner)
  throw serverError(`${prefix}no key for given address or file; key with address ${shown} not found: key not found`)
}

/** Returns the signed transaction; a legacy transaction is signed for this chain only (EIP-155). */
export function signTx(tx: EthTx, key: NodeKey, chainId: bigint): EthTx {
  const digest = keccak256(signingPayload(tx, chainId))
  const { r, s, recovery } = secp256k1.sign(digest, key.privateKey)
  const v = tx.type === 0 ? chainId * 2n + 35n + BigInt(recovery) : BigInt(recovery)
  return { ...tx, v, r: bigOf(r), s: bigOf(s) }
}

/** Returns the 65-byte signature of a digest; v is 27 or 28. */
export function signDigest(digest: Uint8Array, key: NodeKey): Uint8Array {
  const { r, s, recovery } = secp256k1.sign(digest, key.privateKey)
  return concatBytes([r, s, Uint8Array.of(27 + recovery)])
}

/**
 * Returns the digest of a message to sign: with Ethereum's prefix (EIP-191), or without it as on
 * the node. The node hashes the data, or signs data of 32 bytes directly (`cosmos-evm-rpc.md`
 * §2.6).
 */
export function messageDigest({ node }: Context, message: Uint8Array): Uint8Array {
  if (!hasQuirk(node.settings, 'sign-without-prefix')) return prefixedDigest(message)
  return message.length === 32 ? message : keccak256(message)
}

/** Returns the digest of a message with Ethereum's prefix (EIP-191). */
export function prefixedDigest(message: Uint8Array): Uint8Array {
  const prefix = new TextEncoder().encode(`\x19Ethereum Signed Message:\n${message.length}`)
  return keccak256(concatBytes([prefix, message]))
}
