/** Multisig accounts. What the node says was recorded from evmd v0.5.0. */
import test from 'ava'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { toBech32 } from '@cosmjs/encoding'
import { MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import { LegacyAminoPubKey } from 'cosmjs-types/cosmos/crypto/multisig/keys'
import { MultiSignature } from 'cosmjs-types/cosmos/crypto/multisig/v1beta1/multisig'
import { SimulateRequest } from 'cosmjs-types/cosmos/tx/v1beta1/service'
import { SignMode } from 'cosmjs-types/cosmos/tx/signing/v1beta1/signing'
import { AuthInfo, SignDoc, TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { Any } from 'cosmjs-types/google/protobuf/any'
import { createHash } from 'node:crypto'
import { chainId } from '../../helpers/evmdChain.ts'
import {
  any,
  ethereumPerson,
  feeOf,
  type MessageChain,
  person,
  type Person,
  startMessages,
} from '../../helpers/messageChain.ts'

const [alice, bob] = [person(0), person(1)]
const [first, second] = [ethereumPerson(0), ethereumPerson(1)]

type Group = { readonly key: Any; readonly bytes: Uint8Array; readonly address: string }

const keyOf = ({ publicKey, isEthereum }: Person): Any =>
  Any.fromPartial({
    typeUrl: isEthereum === true ? '/cosmos.evm.crypto.v1.ethsecp256k1.PubKey' : '/cosmos.crypto.secp256k1.PubKey',
    value: Uint8Array.of(10, 33, ...publicKey),
  })

/** Amino's bytes of a key, in which Ethereum's keys have no prefix. */
const aminoOf = ({ publicKey, isEthereum }: Person): readonly number[] => [
  ...(isEthereum === true ? [] : [0xeb, 0x5a, 0xe9, 0x87]),
  33,
  ...publicKey,
]

function group(threshold: number, people: readonly Person[]): Group {
  const keys = people.map(aminoOf).flatMap((bytes) => [0x12, bytes.length, ...bytes])
  const bytes = Uint8Array.of(0x22, 0xc1, 0xf7, 0xe2, ...(threshold === 0 ? [] : [8, threshold]), ...keys)
  const value = LegacyAminoPubKey.encode({ threshold, publicKeys: people.map(keyOf) }).finish()
  const key = Any.fromPartial({ typeUrl: '/cosmos.crypto.multisig.LegacyAminoPubKey', value })
  const address = toBech32('cosmos', createHash('sha256').update(bytes).digest().subarray(0, 20))
  return { key, bytes, address }
}

function signed(doc: Uint8Array, { key, isEthereum }: Person): Uint8Array {
  const hash = isEthereum === true ? keccak_256(doc) : createHash('sha256').update(doc).digest()
  return secp256k1.sign(hash, key, { prehash: false })
}

type Form = { readonly bits?: readonly [size: number, bits: number]; readonly modeInfo?: object }

/** Returns a transaction of a group that has coins, signed directly by some of its members. */
function groupTx(chain: MessageChain, from: Group, by: readonly Person[], { bits, modeInfo }: Form): Uint8Array {
  const gift = { fromAddress: alice.address, toAddress: from.address }
  chain.send(alice, any(MsgSend, { ...gift, amount: [{ denom: 'atest', amount: '1000000000000000000' }] }))
  const { number, sequence } = chain.account(from.address)
  const single = { single: { mode: SignMode.SIGN_MODE_DIRECT } }
  const bitarray = bits && { extraBitsStored: bits[0] % 8, elems: Uint8Array.of(bits[1]) }
  const multi = { multi: { ...(bitarray && { bitarray }), modeInfos: by.map(() => single) } }
  const back = { fromAddress: from.address, toAddress: bob.address, amount: [{ denom: 'atest', amount: '5' }] }
  const bodyBytes = TxBody.encode(TxBody.fromPartial({ messages: [any(MsgSend, back)] })).finish()
  const authInfoBytes = AuthInfo.encode(
    AuthInfo.fromPartial({
      signerInfos: [{ publicKey: from.key, modeInfo: modeInfo ?? multi, sequence }],
      fee: { amount: [{ denom: 'atest', amount: feeOf(300_000n) }], gasLimit: 300_000n },
    }),
  ).finish()
  const doc = SignDoc.encode({ bodyBytes, authInfoBytes, chainId, accountNumber: number }).finish()
  const signatures = by.map((each) => signed(doc, each))
  return TxRaw.encode({
    bodyBytes,
    authInfoBytes,
    signatures: [MultiSignature.encode({ signatures }).finish()],
  }).finish()
}

test('the address of a group with an Ethereum key is the one that the node gives it', (t) => {
  t.is(group(1, [first]).address, 'cosmos16whmm28a45pdtmmf8pmlrgup3rdxmdyg8w9jhf')
})

const both: Form = { bits: [3, 0b1010_0000] }
for (const [what, people, threshold, by] of [
  ['with Ethereum keys', [first, alice, second], 2, [first, second]],
  ['with keys of both kinds', [alice, bob, second], 2, [alice, second]],
  ['that needs nobody', [alice, first, bob], 0, [alice, bob]],
] as const) {
  test(`members sign for a group ${what}`, (t) => {
    const chain = startMessages()
    const [result] = chain.block([groupTx(chain, group(threshold, people), by, both)]).txResults
    t.is(result?.code, 0, result?.log)
  })
}

const panic = (text: string) => `111222 recovered: runtime error: ${text}`
const single = { single: { mode: SignMode.SIGN_MODE_DIRECT } }
const cases: readonly (readonly [what: string, form: Form, want: string])[] = [
  ['more bits than signatures', { bits: [3, 0b1110_0000] }, panic('index out of range [2] with length 2')],
  ['a bit for no key', { bits: [4, 0b1001_0000] }, panic('index out of range [3] with length 3')],
  ['no bits', {}, panic('invalid memory address or nil pointer dereference')],
  ['a plain mode', { modeInfo: single }, '1 expected *signing.MultiSignatureData, got, *signing.SingleSignatureData'],
]
for (const [what, form, want] of cases) {
  test(`signatures of a group with ${what} are answered as by the node`, (t) => {
    const chain = startMessages()
    const tx = groupTx(chain, group(2, [alice, bob, first]), [alice, bob], form)
    const { code, log } = chain.check(tx)
    t.is(`${code} ${log.split('\nstack')[0]}`, want)
    const request = SimulateRequest.encode(SimulateRequest.fromPartial({ txBytes: tx })).finish()
    const simulate = () => chain.query('/cosmos.tx.v1beta1.Service/Simulate', request)
    if (what === 'no bits') t.notThrows(simulate, 'only a signature that is checked needs bits')
    else t.throws(simulate, { message: (text) => text.includes(want.replace(/^\d+ /, '')) })
  })
}
