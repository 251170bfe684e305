/**
 * Derives private keys from a mnemonic (BIP-39, BIP-32). No package is used: node:crypto and the
 * curve, which is loaded anyway, take a millisecond, and startup waits for it.
 */
import { createHmac, pbkdf2Sync } from 'node:crypto'
import { validateMnemonic } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'
import { concatBytes } from '../data/bytes.ts'
import { recentMap, remembered, rememberedBy } from '../data/remembered.ts'
import { assert, SimError } from '../errors.ts'
import { secp256k1 } from './secp256k1.ts'
import { bigOf, wordOf } from '../data/bigEndian.ts'

/** A node of the key tree, from which child keys are derived. */
export type HdKey = { readonly privateKey: Uint8Array; readonly chainCode: Uint8Array }

/**
 * Returns the root key of a mnemonic. Throws `InvalidMnemonic` for a wrong word, count or checksum.
 */
export function hdKeyFromMnemonic(mnemonic: string, passphrase = ''): HdKey {
  return rootOf({ mnemonic, passphrase })
}

// Every start of a chain derives the same dozens of keys, and most of the cost is the 2048 hash rounds for a root.
const rootOf = rememberedBy<{ readonly mnemonic: string; readonly passphrase: string }, HdKey>(
  ({ mnemonic, passphrase }) => JSON.stringify([mnemonic, passphrase]),
  ({ mnemonic, passphrase }) => rootKey(mnemonic, passphrase),
  64,
)

function rootKey(mnemonic: string, passphrase: string): HdKey {
  if (!validateMnemonic(mnemonic, wordlist)) throw new InvalidMnemonic()
  const salt = `mnemonic${passphrase}`.normalize('NFKD')
  const seed = pbkdf2Sync(mnemonic.normalize('NFKD'), salt, 2048, 64, 'sha512')
  return split(hmac(new TextEncoder().encode('Bitcoin seed'), seed))
}

/** Returns the key at a path such as `m/44'/60'/0'/0/0`, which must not be mutated. Throws `InvalidKeyPath`. */
export function deriveHdKey(root: HdKey, path: string): HdKey {
  const steps = path.split('/')
  if (steps[0] !== 'm') throw new InvalidKeyPath(path)
  return below(
    root,
    steps.slice(1).map((step) => indexOf(step, path)),
  )
}

function indexOf(step: string, path: string): number {
  const match = /^(\d{1,10})(['hH]?)$/.exec(step)
  const index = Number(match?.[1])
  if (match === null || index >= hardened) throw new InvalidKeyPath(path)
  return match[2] === '' ? index : index + hardened
}

const derived = remembered((_root: HdKey) => recentMap<string, HdKey>(10_000))

/** Returns the key below a root. The accounts of a chain differ in the last step only, so those above are kept too. */
function below(root: HdKey, indexes: readonly number[]): HdKey {
  const last = indexes.at(-1)
  if (last === undefined) return root
  const [keys, name] = [derived(root), indexes.join('/')]
  const known = keys.get(name)
  if (known !== undefined) return known
  const key = child(below(root, indexes.slice(0, -1)), last)
  keys.set(name, key)
  return key
}

const hardened = 2 ** 31
const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

function child({ privateKey, chainCode }: HdKey, index: number): HdKey {
  const parent = index >= hardened ? concatBytes([Uint8Array.of(0), privateKey]) : secp256k1.publicKey(privateKey, true)
  const number = new Uint8Array(4)
  new DataView(number.buffer).setUint32(0, index)
  const tweak = split(hmac(chainCode, concatBytes([parent, number])))
  const key = (bigOf(tweak.privateKey) + bigOf(privateKey)) % order
  // BIP-32 skips such an index; with SHA-512, none has ever been found.
  assert(bigOf(tweak.privateKey) < order && key !== 0n, `no key at index ${index}`)
  return { privateKey: wordOf(key), chainCode: tweak.chainCode }
}

function hmac(key: Uint8Array, message: Uint8Array): Uint8Array {
  return Uint8Array.from(createHmac('sha512', key).update(message).digest())
}

function split(bytes: Uint8Array): HdKey {
  return { privateKey: bytes.slice(0, 32), chainCode: bytes.slice(32) }
}

/** An invalid BIP-39 mnemonic; the message does not repeat the words. */
export class InvalidMnemonic extends SimError {
  constructor() {
    super('INVALID_MNEMONIC', 'this is not a BIP-39 mnemonic in English', {
      hint: '12, 15, 18, 21 or 24 words with one space between; the last one holds a checksum.',
    })
  }
}

/** An invalid key path: not `m` followed by numbers below 2³¹, each with or without `'`. */
export class InvalidKeyPath extends SimError {
  constructor(path: string) {
    super('INVALID_KEY_PATH', `"${path}" is not a key path`, {
      hint: "A path looks like m/44'/60'/0'/0/0.",
    })
  }
}
