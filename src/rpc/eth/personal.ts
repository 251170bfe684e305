/** Manages the node's keys, for operators (`cosmos-evm-rpc.md` §2.11). */
import { optional, text } from '../../codec/codec.ts'
import { bytesOfHex, data } from '../../codec/hex.ts'
import { sha256 } from '../../crypto/hash.ts'
import { ethAddress, ethAddressOfKey } from '../../crypto/keys.ts'
import { secp256k1 } from '../../crypto/secp256k1.ts'
import { equalBytes } from '../../data/bytes.ts'
import { createRandom } from '../../data/random.ts'
import { assert } from '../../errors.ts'
import type { NodeKey } from '../../node/world.ts'
import { owner } from '../exampleCalls.ts'
import { action, param, query, type Context, type Method } from '../method.ts'
import { submittedHash } from './broadcast.ts'
import { checkCrash, serverError } from './errors.ts'
import { checkUnlocked, signingKeyOf, keyring, messageDigest, prefixedDigest, signDigest } from './keys.ts'
import { addressParam, dataParam, goUint64, passwordParam, unusedPasswordParam } from './params.ts'
import { addressesResult, boolResult, bytesResult, nullResult } from './results.ts'
import { sendAsNode } from './sendAsNode.ts'
import { txArgs } from '../../app/txArgs.ts'

const declared = {
  spec: 'cosmos-evm-rpc.md §2.11',
  traits: ['changesWorld', 'carriesSecrets'] as const,
}

export const personalMethods: readonly Method[] = [
  query({
    ...declared,
    name: 'personal_ecRecover',
    summary: 'Returns the address that signed a message with Ethereum’s prefix.',
    params: [dataParam, param('signature', data())],
    result: bytesResult,
    examples: [
      { before: [['personal_sign', '0x68656c6c6f', owner, '']], params: ['0x68656c6c6f', '$1'], result: owner },
    ],
    read: (_context, [message, signature]) => {
      if (signature.length !== 65) throw serverError('signature must be 65 bytes long')
      const recovery = (signature[64] ?? 0) - 27
      if (recovery !== 0 && recovery !== 1) {
        throw serverError('invalid Ethereum signature (V is not 27 or 28)')
      }
      const key = secp256k1.recover(prefixedDigest(message), signature.subarray(0, 64), recovery)
      if (key === undefined) throw serverError('recovery failed')
      return ethAddress(key)
    },
  }),
  action({
    ...declared,
    name: 'personal_importRawKey',
    summary: 'Imports a private key (64 hex digits) into the node and returns its address.',
    params: [param('key', text()), passwordParam],
    result: bytesResult,
    examples: [{ params: ['11'.repeat(32), ''], result: '0x19e7e376e7c213b7e7e7e46cc70a5dd086daff2a' }],
    command: (context, [given]) => {
      const address = ethAddressOfKey(keyBytes(given))
      const all = keyring(context)
      if (all.some((each) => equalBytes(each.address, address))) return { type: 'none' }
      return {
        type: 'addKey',
        key: { name: `personal_${all.length}`, address, privateKey: keyBytes(given) },
      }
    },
    reply: (_context, _outcome, [given]) => ethAddressOfKey(keyBytes(given)),
  }),
  query({
    ...declared,
    name: 'personal_initializeWallet',
    summary: 'Always fails: smart cards are not supported.',
    params: [param('url', text())],
    result: nullResult,
    examples: [{ params: [''], error: 'smartcard wallet not supported yet' }],
    read: () => {
      throw serverError('smartcard wallet not supported yet')
    },
  }),
  query({
    ...declared,
    name: 'personal_listAccounts',
    summary: 'Returns the addresses of the keys held by the node.',
    params: [],
    result: addressesResult,
    examples: [{ params: [], result: '…' }],
    read: (context) => {
      checkUnlocked(context)
      return keyring(context).map((key) => key.address)
    },
  }),
  query({
    ...declared,
    name: 'personal_listWallets',
    summary: 'Returns null, because the keyring is the only wallet.',
    params: [],
    result: nullResult,
    examples: [{ params: [], result: null }],
    read: () => undefined,
  }),
  query({
    ...declared,
    name: 'personal_lockAccount',
    summary: 'Returns false, because keys are never locked.',
    params: [addressParam],
    result: boolResult,
    examples: [{ params: ['0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'], result: false }],
    read: () => false,
  }),
  action({
    ...declared,
    name: 'personal_newAccount',
    summary: 'Derives a new key from the seed and the number of keys, and returns its address.',
    params: [passwordParam],
    result: bytesResult,
    examples: [{ params: [''], result: '…' }],
    command: (context) => ({ type: 'addKey', key: newKey(context) }),
    reply: ({ node }) => {
      const key = node.keys?.at(-1)
      assert(key !== undefined, 'a key was added')
      return key.address
    },
  }),
  action({
    ...declared,
    name: 'personal_sendTransaction',
    summary: 'Signs a transaction with a key held by the node, submits it and returns its hash.',
    traits: [...declared.traits, 'submits'],
    params: [param('transaction', txArgs), passwordParam],
    result: bytesResult,
    examples: [{ params: [{ from: owner, to: owner, value: '0x1' }, ''], result: '…' }],
    command: (context, [args]) => {
      checkCrash(context, args.to === undefined)
      return sendAsNode(context, args)
    },
    reply: (_context, outcome) => submittedHash(outcome, ''),
  }),
  query({
    ...declared,
    name: 'personal_sign',
    summary: 'Signs a message with a key held by the node; v is 27 or 28.',
    params: [dataParam, addressParam, unusedPasswordParam],
    result: bytesResult,
    examples: [
      {
        params: ['0x68656c6c6f', '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266', ''],
        result: '…',
      },
    ],
    read: (context, [message, owner]) => signDigest(messageDigest(context, message), signingKeyOf(context, owner)),
  }),
  query({
    ...declared,
    name: 'personal_unlockAccount',
    summary: 'Returns false, because keys are never locked.',
    params: [addressParam, passwordParam, param('seconds', optional(goUint64), undefined)],
    result: boolResult,
    examples: [{ params: ['0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266', ''], result: false }],
    read: () => false,
  }),
  query({
    ...declared,
    name: 'personal_unpair',
    summary: 'Always fails: smart cards are not supported.',
    params: [param('url', text()), param('pin', text())],
    result: nullResult,
    examples: [{ params: ['', ''], error: 'smartcard wallet not supported yet' }],
    read: () => {
      throw serverError('smartcard wallet not supported yet')
    },
  }),
]

// go-ethereum crypto: HexToECDSA.
function keyBytes(given: string): Uint8Array {
  const wrong = [...given].find((character) => !/[0-9a-fA-F]/.test(character))
  if (wrong !== undefined) throw serverError(`invalid hex character '${wrong}' in private key`)
  if (given.length % 2 !== 0) throw serverError('invalid hex data for private key')
  if (given.length !== 64) throw serverError('invalid length, need 256 bits')
  return bytesOfHex(`0x${given}`)
}

function newKey(context: Context): NodeKey {
  const index = keyring(context).length
  const privateKey = createRandom(context.node.chain.genesis.seed, sha256).bytes('newAccount', index, 32)
  return { name: `key_${index}`, address: ethAddressOfKey(privateKey), privateKey }
}
