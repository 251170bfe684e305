/** Ways to sign a Cosmos transaction: several keys, typed data, without the fee, within limits. */
import {
  createMultisigThresholdPubkey,
  makeSignDoc,
  pubkeyToAddress,
  Secp256k1HdWallet,
  serializeSignDoc,
  type StdFee,
} from '@cosmjs/amino'
import { stringToPath } from '@cosmjs/crypto'
import {
  AminoTypes,
  createDefaultAminoConverters,
  makeMultisignedTxBytes,
  SigningStargateClient,
} from '@cosmjs/stargate'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import test from 'ava'
import { MsgExec } from 'cosmjs-types/cosmos/authz/v1beta1/tx'
import { MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import { MultiSignature } from 'cosmjs-types/cosmos/crypto/multisig/v1beta1/multisig'
import { MsgVote } from 'cosmjs-types/cosmos/gov/v1/tx'
import { SignMode } from 'cosmjs-types/cosmos/tx/signing/v1beta1/signing'
import { AuthInfo, SignDoc, SignDocDirectAux, TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { Any } from 'cosmjs-types/google/protobuf/any'
import { Timestamp } from 'cosmjs-types/google/protobuf/timestamp'
import { concat, type Hex, keccak256, pad, stringToHex, toHex } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { chainId } from '../../helpers/evmdChain.ts'
import { any, feeOf, person, startMessages, type MessageChain, type Person } from '../../helpers/messageChain.ts'
import { toBech32 } from '@cosmjs/encoding'

const phrase = 'test test test test test test test test test test test junk'
const [alice, bob, carol] = [person(0), person(1), person(2)]
const amount = [{ denom: 'atest', amount: '5' }]
const fee: StdFee = { amount: [{ denom: 'atest', amount: feeOf(300_000n) }], gas: '300000' }
const send = (from: string, to: string): Any => any(MsgSend, { fromAddress: from, toAddress: to, amount })

async function signers(): Promise<Secp256k1HdWallet> {
  return Secp256k1HdWallet.fromMnemonic(phrase, {
    prefix: 'cosmos',
    hdPaths: [0, 1, 2].map((index) => stringToPath(`m/44'/118'/0'/0/${index}`)),
  })
}

async function multisigTx(chain: MessageChain, from: readonly Person[]): Promise<Uint8Array> {
  const wallet = await signers()
  const keys = (await wallet.getAccounts()).map(({ pubkey }) => ({
    type: 'tendermint/PubKeySecp256k1',
    value: Buffer.from(pubkey).toString('base64'),
  }))
  const key = createMultisigThresholdPubkey(keys, 2)
  const address = pubkeyToAddress(key, 'cosmos')
  chain.send(
    alice,
    any(MsgSend, {
      fromAddress: alice.address,
      toAddress: address,
      amount: [{ denom: 'atest', amount: `1${'0'.repeat(18)}` }],
    }),
  )
  const { number, sequence } = chain.account(address)
  const message = {
    typeUrl: MsgSend.typeUrl,
    value: { fromAddress: address, toAddress: carol.address, amount },
  }
  const client = await SigningStargateClient.offline(wallet, {
    aminoTypes: new AminoTypes(createDefaultAminoConverters()),
  })
  const data = { accountNumber: number, sequence: Number(sequence), chainId }
  const signed = await Promise.all(
    from.map(async (each) => [each.address, await client.sign(each.address, [message], fee, '', data)] as const),
  )
  const [first] = signed
  return makeMultisignedTxBytes(
    key,
    Number(sequence),
    fee,
    first?.[1].bodyBytes ?? new Uint8Array(0),
    new Map(signed.map(([name, { signatures }]) => [name, signatures[0] ?? new Uint8Array(0)])),
  )
}

test('two of three keys sign for a multisig account', async (t) => {
  const chain = startMessages()
  const [result] = chain.block([await multisigTx(chain, [alice, carol])]).txResults
  t.is(result?.code, 0, result?.log)
})

for (const timeoutHeight of [undefined, { revisionNumber: 1n, revisionHeight: 900n }]) {
  test(`a transfer over IBC with ${timeoutHeight ? 'a' : 'no'} timeout height is signed in amino's JSON`, async (t) => {
    const chain = startMessages()
    const client = await SigningStargateClient.offline(await signers(), {
      aminoTypes: new AminoTypes(createDefaultAminoConverters()),
    })
    const value = {
      sourcePort: 'transfer',
      sourceChannel: 'channel-9',
      token: amount[0],
      sender: alice.address,
      receiver: bob.address,
      timeoutHeight,
      timeoutTimestamp: 2_000_000_000_000_000_000n,
      memo: '',
    }
    const { number, sequence } = chain.account(alice.address)
    const signed = async (sequenceSigned: number) =>
      TxRaw.encode(
        await client.sign(alice.address, [{ typeUrl: '/ibc.applications.transfer.v1.MsgTransfer', value }], fee, '', {
          accountNumber: number,
          sequence: sequenceSigned,
          chainId,
        }),
      ).finish()
    const [wrong] = chain.block([await signed(Number(sequence) + 1)]).txResults
    t.is(`${wrong?.codespace} ${wrong?.code}`, 'sdk 32', 'of another sequence')
    const [result] = chain.block([await signed(Number(sequence))]).txResults
    t.not(result?.codespace, 'sdk', result?.log)
    t.regex(result?.log ?? '', /transfers from this chain are disabled/, 'the signature is good')
  })
}

const option = Any.fromPartial({ typeUrl: '/cosmos.evm.ante.v1.ExtensionOptionDynamicFeeTx' })

const additions: readonly (readonly [what: string, more: Partial<TxBody>, code: number])[] = [
  ['the signed body', {}, 0],
  ['an added extension option', { extensionOptions: [option] }, 4],
  ['an added non-critical extension option', { nonCriticalExtensionOptions: [option] }, 4],
]
for (const [what, more, code] of additions) {
  test(`an amino signature over ${what} is ${code === 0 ? 'accepted' : 'refused'}`, async (t) => {
    const chain = startMessages()
    const aminoTypes = new AminoTypes(createDefaultAminoConverters())
    const client = await SigningStargateClient.offline(await signers(), { aminoTypes })
    const { number, sequence } = chain.account(alice.address)
    const message = { typeUrl: MsgSend.typeUrl, value: { fromAddress: alice.address, toAddress: bob.address, amount } }
    const data = { accountNumber: number, sequence: Number(sequence), chainId }
    const { bodyBytes, authInfoBytes, signatures } = await client.sign(alice.address, [message], fee, '', data)
    const body = TxBody.encode({ ...TxBody.decode(bodyBytes), ...more }).finish()
    const result = chain.check(TxRaw.encode({ bodyBytes: body, authInfoBytes, signatures }).finish())
    t.is(result.code, code, result.log)
    // Of amino signatures the node names the sequence, not the fault.
    if (code !== 0) t.regex(result.log, /^signature verification failed; .*, sequence \(0\) and chain-id/)
  })
}

const year = 31_536_000n
const timeOf = (seconds: bigint): string => new Date(Number(seconds) * 1000).toISOString().replace('.000Z', 'Z')

for (const [what, seconds, signed, code] of [
  ['a time limit', 1_900_000_000n, timeOf(1_900_000_000n), 0],
  ['no time limit, but has one', 1_900_000_000n, undefined, 4],
  ['another time limit', 1_900_000_000n, timeOf(1_900_000_000n + year), 4],
  ['a time limit of 0', 0n, timeOf(0n), 0],
] as const) {
  test(`an amino signature ${code === 0 ? 'covers' : 'must not cover'} ${what}`, (t) => {
    const chain = startMessages()
    const { number, sequence } = chain.account(alice.address)
    const msgs = [
      { type: 'cosmos-sdk/MsgSend', value: { from_address: alice.address, to_address: bob.address, amount } },
    ]
    const doc = makeSignDoc(msgs, fee, chainId, '', Number(number), Number(sequence))
    const text = serializeSignDoc({ ...doc, ...(signed !== undefined && { timeout_timestamp: signed }) } as typeof doc)
    const time = Timestamp.encode({ seconds, nanos: 0 }).finish()
    const body = TxBody.encode(TxBody.fromPartial({ messages: [send(alice.address, bob.address)] })).finish()
    const publicKey = Any.fromPartial({
      typeUrl: '/cosmos.crypto.secp256k1.PubKey',
      value: Uint8Array.of(10, 33, ...alice.publicKey),
    })
    const modeInfo = { single: { mode: SignMode.SIGN_MODE_LEGACY_AMINO_JSON } }
    const signerInfos = [{ publicKey, modeInfo, sequence }]
    const info = AuthInfo.fromPartial({ signerInfos, fee: { amount: [...fee.amount], gasLimit: 300_000n } })
    const tx = TxRaw.encode({
      bodyBytes: Uint8Array.of(...body, 0x2a, time.length, ...time),
      authInfoBytes: AuthInfo.encode(info).finish(),
      signatures: [secp256k1.sign(text, alice.key)],
    }).finish()
    const result = chain.check(tx)
    t.is(result.code, code, result.log)
  })
}

test('one of three keys is not enough for a multisig account', async (t) => {
  const chain = startMessages()
  const { code, log } = chain.check(await multisigTx(chain, [bob]))
  t.is(code, 4)
  // Of amino signatures the node names the sequence, not the fault.
  t.regex(log, /account number \(\d+\), sequence \(0\) and chain-id \(chainstage-1\): unauthorized$/)
})

test('a flipped bit in the second of two signatures is found', async (t) => {
  const chain = startMessages()
  const tx = await multisigTx(chain, [alice, carol])
  tx[tx.length - 1] = (tx[tx.length - 1] ?? 0) ^ 1
  t.regex(chain.check(tx).log, /sequence \(0\) and chain-id \(chainstage-1\): unauthorized$/)
})

const account = mnemonicToAccount(phrase)
const ethereumAddress = toBech32('cosmos', Buffer.from(account.address.slice(2), 'hex'))

/** What MetaMask is asked to sign for a MsgSend: put together by hand after the node's rules. */
const typedSend = (number: bigint) => ({
  domain: {
    name: 'Cosmos Web3',
    version: '1.0.0',
    chainId: 31337n,
    verifyingContract: 'cosmos',
    salt: '0',
  },
  types: {
    EIP712Domain: [
      { name: 'name', type: 'string' },
      { name: 'version', type: 'string' },
      { name: 'chainId', type: 'uint256' },
      { name: 'verifyingContract', type: 'string' },
      { name: 'salt', type: 'string' },
    ],
    Tx: [
      { name: 'account_number', type: 'string' },
      { name: 'chain_id', type: 'string' },
      { name: 'fee', type: 'Fee' },
      { name: 'memo', type: 'string' },
      { name: 'sequence', type: 'string' },
      { name: 'msg0', type: 'TypeMsgSend0' },
    ],
    Fee: [
      { name: 'amount', type: 'Coin[]' },
      { name: 'gas', type: 'string' },
    ],
    Coin: [
      { name: 'denom', type: 'string' },
      { name: 'amount', type: 'string' },
    ],
    TypeMsgSend0: [
      { name: 'value', type: 'TypeValue0' },
      { name: 'type', type: 'string' },
    ],
    TypeValue0: [
      { name: 'to_address', type: 'string' },
      { name: 'from_address', type: 'string' },
      { name: 'amount', type: 'TypeValueAmount0[]' },
    ],
    TypeValueAmount0: [
      { name: 'denom', type: 'string' },
      { name: 'amount', type: 'string' },
    ],
  },
  primaryType: 'Tx',
  message: {
    account_number: String(number),
    chain_id: chainId,
    memo: '',
    sequence: '0',
    fee: { amount: fee.amount, gas: fee.gas },
    msg0: {
      type: 'cosmos-sdk/MsgSend',
      value: { from_address: ethereumAddress, to_address: bob.address, amount },
    },
  },
})

/** The same in the older form: one type for all messages, and the fee names who pays it. */
const olderTyped =
  (message: object, value: readonly (readonly [string, string])[], more = {}) =>
  (number: bigint) => {
    const {
      domain,
      types: { EIP712Domain, Coin },
    } = typedSend(number)
    const of = (...pairs: readonly (readonly [string, string])[]) => pairs.map(([name, type]) => ({ name, type }))
    return {
      domain,
      primaryType: 'Tx',
      types: {
        EIP712Domain,
        Coin,
        TypeAmount: Coin,
        ...more,
        MsgValue: of(...value),
        Tx: of(
          ['account_number', 'string'],
          ['chain_id', 'string'],
          ['fee', 'Fee'],
          ['memo', 'string'],
          ['msgs', 'Msg[]'],
          ['sequence', 'string'],
        ),
        Fee: of(['feePayer', 'string'], ['amount', 'Coin[]'], ['gas', 'string']),
        Msg: of(['type', 'string'], ['value', 'MsgValue']),
      },
      message: {
        account_number: String(number),
        chain_id: chainId,
        memo: '',
        sequence: '0',
        msgs: [message],
        fee: { feePayer: ethereumAddress, amount: fee.amount, gas: fee.gas },
      },
    }
  }
const olderSend = olderTyped(
  {
    type: 'cosmos-sdk/MsgSend',
    value: { from_address: ethereumAddress, to_address: bob.address, amount },
  },
  [
    ['from_address', 'string'],
    ['to_address', 'string'],
    ['amount', 'TypeAmount[]'],
  ],
)
const olderVote = olderTyped(
  { type: 'cosmos-sdk/v1/MsgVote', value: { proposal_id: '7', voter: ethereumAddress, option: 3 } },
  [
    ['proposal_id', 'uint64'],
    ['voter', 'string'],
    ['option', 'int32'],
  ],
)

const strings = (...names: readonly string[]) => names.map((name) => ({ name, type: 'string' }))
const olderExec = olderTyped(
  {
    type: 'cosmos-sdk/MsgExec',
    value: {
      grantee: ethereumAddress,
      msgs: [
        {
          type: 'cosmos-sdk/MsgSend',
          value: { from_address: ethereumAddress, to_address: bob.address, amount },
        },
      ],
    },
  },
  [
    ['grantee', 'string'],
    ['msgs', 'TypeMsgs[]'],
  ],
  {
    TypeMsgs: [...strings('type'), { name: 'value', type: 'TypeMsgsValue' }],
    TypeMsgsValue: [...strings('from_address', 'to_address'), { name: 'amount', type: 'TypeMsgsValueAmount[]' }],
    TypeMsgsValueAmount: strings('denom', 'amount'),
  },
)

/** A transfer that only a time ends: its height is an object without members. */
const typedTransfer = (number: bigint) => {
  const { message, types, ...rest } = typedSend(number)
  const { Coin, EIP712Domain, Fee, Tx } = types
  const value = {
    source_port: 'transfer',
    source_channel: 'channel-0',
    token: amount[0],
    sender: ethereumAddress,
    receiver: bob.address,
    timeout_height: {},
    timeout_timestamp: '1999999999000000000',
  }
  return {
    ...rest,
    types: {
      Coin,
      EIP712Domain,
      Fee,
      Tx: [...Tx.slice(0, -1), { name: 'msg0', type: 'TypeMsgTransfer0' }],
      TypeMsgTransfer0: [{ name: 'value', type: 'TypeValue0' }, ...strings('type')],
      TypeValue0: [
        { name: 'token', type: 'TypeValueToken0' },
        ...strings('timeout_timestamp'),
        { name: 'timeout_height', type: 'TypeValueTimeoutHeight0' },
        ...strings('source_port', 'source_channel', 'sender', 'receiver'),
      ],
      TypeValueToken0: strings('denom', 'amount'),
      TypeValueTimeoutHeight0: [],
    },
    message: { ...message, msg0: { type: 'cosmos-sdk/MsgTransfer', value } },
  }
}

type Asked = {
  readonly types: Readonly<Record<string, readonly { readonly name: string; readonly type: string }[]>>
  readonly domain: object
  readonly message: object
}

/** The hash to sign as go-ethereum has it, which spells a type without members `Name)`. */
function hashAsGo({ types, domain, message }: Asked): Hex {
  const hashOf = (name: string, value: Readonly<Record<string, unknown>>): Hex => {
    const found = new Set<string>()
    const find = (type: string): unknown =>
      types[type]?.forEach((one) => {
        const own = one.type.replace('[]', '')
        if (types[own] !== undefined && !found.has(own)) find(found.add(own) && own)
      })
    find(name)
    const spelled = [name, ...[...found].sort()].map((type) => {
      const list = (types[type] ?? []).map((one) => `${one.type} ${one.name}`).join(',')
      return list === '' ? `${type})` : `${type}(${list})`
    })
    const words = (types[name] ?? []).map((one) => wordOf(one.type, value[one.name]))
    return keccak256(concat([keccak256(stringToHex(spelled.join(''))), ...words]))
  }
  const wordOf = (type: string, value: unknown): Hex => {
    if (type.endsWith('[]')) return keccak256(concat((value as []).map((each) => wordOf(type.slice(0, -2), each))))
    if (types[type] !== undefined) return hashOf(type, value as Record<string, unknown>)
    return type === 'string' ? keccak256(stringToHex(value as string)) : pad(toHex(value as bigint))
  }
  return keccak256(concat(['0x1901', hashOf('EIP712Domain', { ...domain }), hashOf('Tx', { ...message })]))
}

type Typed = {
  readonly mode: SignMode
  readonly flaw?: boolean
  readonly make?: (number: bigint) => object
  readonly message?: Any
  /** Whether the hash is go-ethereum's. */
  readonly asGo?: boolean
  readonly refused?: boolean
}

const typed = test.macro(async (t, typing: Typed) => {
  const { mode, flaw = false, make = typedSend, message, asGo = false, refused = flaw } = typing
  const chain = startMessages()
  const { number } = chain.account(ethereumAddress)
  const asked = make(flaw ? number + 1n : number)
  const signature = await (asGo
    ? account.sign({ hash: hashAsGo(asked as Asked) })
    : account.signTypedData(asked as never))
  const key = secp256k1.getPublicKey(account.getHdKey().privateKey ?? new Uint8Array(32), true)
  const tx = TxRaw.encode({
    bodyBytes: TxBody.encode(
      TxBody.fromPartial({
        messages: [message ?? send(ethereumAddress, bob.address)],
      }),
    ).finish(),
    authInfoBytes: AuthInfo.encode(
      AuthInfo.fromPartial({
        signerInfos: [
          {
            publicKey: {
              typeUrl: '/cosmos.evm.crypto.v1.ethsecp256k1.PubKey',
              value: Uint8Array.of(10, 33, ...key),
            },
            modeInfo: { single: { mode } },
            sequence: 0n,
          },
        ],
        fee: { amount: [...fee.amount], gasLimit: 300_000n },
      }),
    ).finish(),
    signatures: [Buffer.from(signature.slice(2), 'hex')],
  }).finish()
  const result = chain.check(tx)
  t.is(result.code, refused ? 4 : 0, result.log)
})

const [amino, direct] = [SignMode.SIGN_MODE_LEGACY_AMINO_JSON, SignMode.SIGN_MODE_DIRECT]
const vote = any(MsgVote, { proposalId: 7n, voter: ethereumAddress, option: 3 })
test('typed data is signed in place of amino JSON', typed, { mode: amino })
test('typed data is signed in place of a direct document', typed, { mode: direct })
test('typed data for another account is refused', typed, { mode: amino, flaw: true })
test('older typed data is signed in place of amino JSON', typed, { mode: amino, make: olderSend })
test('older typed data is signed in place of a direct document', typed, { mode: direct, make: olderSend })
test('older typed data knows whole numbers', typed, { mode: amino, make: olderVote, message: vote })
test('older typed data for another account is refused', typed, { mode: amino, make: olderSend, flaw: true })

const exec = any(MsgExec, { grantee: ethereumAddress, msgs: [send(ethereumAddress, bob.address)] })
test('older typed data opens messages in a direct document', typed, { mode: direct, make: olderExec, message: exec })
test('older typed data opens no messages in amino JSON', typed, {
  mode: amino,
  make: olderExec,
  message: exec,
  refused: true,
})

// Fields 1 to 7, without 6: a height of zeros is an empty message.
const transfer = Any.fromPartial({
  typeUrl: '/ibc.applications.transfer.v1.MsgTransfer',
  value: Buffer.concat([
    ...['transfer', 'channel-0'].map((text, at) =>
      Buffer.concat([Buffer.of((at + 1) * 8 + 2, text.length), Buffer.from(text)]),
    ),
    Buffer.of(26, 10, 10, 5, ...Buffer.from('atest'), 18, 1, 53),
    ...[ethereumAddress, bob.address].map((text, at) =>
      Buffer.concat([Buffer.of((at + 4) * 8 + 2, text.length), Buffer.from(text)]),
    ),
    Buffer.of(50, 0, 56, ...varint(1_999_999_999_000_000_000n)),
  ]),
})

function varint(value: bigint): number[] {
  return value < 128n ? [Number(value)] : [Number(value & 127n) | 128, ...varint(value >> 7n)]
}
test('a type without members is spelled as in go-ethereum', typed, {
  mode: amino,
  make: typedTransfer,
  message: transfer,
  asGo: true,
})
test('go-ethereum’s spelling changes no other hash', typed, { mode: amino, asGo: true })
test('a type without members is refused as EIP-712 spells it', typed, {
  mode: amino,
  make: typedTransfer,
  message: transfer,
  refused: true,
})

test('who does not pay may sign the body alone, and who pays may not', (t) => {
  const chain = startMessages()
  const tx = (payer: string): Uint8Array => {
    const bodyBytes = TxBody.encode(TxBody.fromPartial({ messages: [send(alice.address, carol.address)] })).finish()
    const keyOf = (one: Person) =>
      Any.fromPartial({
        typeUrl: '/cosmos.crypto.secp256k1.PubKey',
        value: Uint8Array.of(10, 33, ...one.publicKey),
      })
    const one = chain.account(alice.address)
    const two = chain.account(bob.address)
    const paying = payer === bob.address
    const authInfoBytes = AuthInfo.encode(
      AuthInfo.fromPartial({
        signerInfos: [
          {
            publicKey: keyOf(alice),
            modeInfo: { single: { mode: SignMode.SIGN_MODE_DIRECT_AUX } },
            sequence: one.sequence,
          },
          ...(paying
            ? [
                {
                  publicKey: keyOf(bob),
                  modeInfo: { single: { mode: SignMode.SIGN_MODE_DIRECT } },
                  sequence: two.sequence,
                },
              ]
            : []),
        ],
        fee: { amount: [...fee.amount], gasLimit: 300_000n, payer },
      }),
    ).finish()
    const aux = SignDocDirectAux.encode(
      SignDocDirectAux.fromPartial({
        bodyBytes,
        publicKey: keyOf(alice),
        chainId,
        accountNumber: one.number,
        sequence: one.sequence,
      }),
    ).finish()
    const direct = directDoc({ bodyBytes, authInfoBytes, accountNumber: two.number })
    return TxRaw.encode({
      bodyBytes,
      authInfoBytes,
      signatures: [secp256k1.sign(aux, alice.key), ...(paying ? [secp256k1.sign(direct, bob.key)] : [])],
    }).finish()
  }
  const paid = chain.block([tx(bob.address)]).txResults[0]
  t.is(paid?.code, 0, paid?.log)
  t.is(chain.account(bob.address).sequence, 1n)
  t.is(chain.check(tx('')).code, 4)
})

function directDoc({
  bodyBytes,
  authInfoBytes,
  accountNumber,
}: {
  bodyBytes: Uint8Array
  authInfoBytes: Uint8Array
  accountNumber: bigint
}): Uint8Array {
  return SignDoc.encode({ bodyBytes, authInfoBytes, chainId, accountNumber }).finish()
}

const single = { single: { mode: SignMode.SIGN_MODE_DIRECT } }
const multi = (...modeInfos: object[]) => ({
  multi: { bitarray: { extraBitsStored: 2, elems: Uint8Array.of(0xff) }, modeInfos },
})
const bytes = Uint8Array.of(1, 2, 3)
const several = (...signatures: Uint8Array[]) => MultiSignature.encode({ signatures }).finish()

type Unreadable = { readonly modeInfo?: object; readonly signature?: Uint8Array }

/** Answers of evmd v0.5.0 to `check_tx`: what is refused before any key is looked at. */
const unreadable = test.macro((t, { modeInfo, signature = bytes }: Unreadable, code: string, log: string) => {
  const chain = startMessages()
  const publicKey = Any.fromPartial({
    typeUrl: '/cosmos.crypto.secp256k1.PubKey',
    value: Uint8Array.of(10, 33, ...alice.publicKey),
  })
  const signerInfos = [{ publicKey, sequence: chain.account(alice.address).sequence, ...(modeInfo && { modeInfo }) }]
  const info = AuthInfo.fromPartial({ signerInfos, fee: { amount: [...fee.amount], gasLimit: 300_000n } })
  const body = TxBody.fromPartial({ messages: [send(alice.address, carol.address)] })
  const tx = TxRaw.encode({
    bodyBytes: TxBody.encode(body).finish(),
    authInfoBytes: AuthInfo.encode(info).finish(),
    signatures: [signature],
  }).finish()
  const result = chain.check(tx)
  t.is(`${result.codespace} ${result.code}`, code)
  t.is(result.log.split('\nstack')[0], log)
})
const plain = 'undefined 1'
const panic = 'undefined 111222'
const noMode = 'recovered: unexpected ModeInfo data type <nil>'
const short = (index: number) => `recovered: runtime error: index out of range [${index}] with length ${index}`

test('a signature without mode is refused', unreadable, {}, plain, 'got empty SignatureData')
test('a mode that says nothing makes the node panic', unreadable, { modeInfo: {} }, panic, noMode)
test(
  'several signatures that are no message are refused',
  unreadable,
  { modeInfo: multi(single, single), signature: Uint8Array.of(0xff, 0xff, 1) },
  plain,
  'proto: illegal wireType 7',
)
test(
  'several signatures with an illegal tag are refused',
  unreadable,
  { modeInfo: multi(multi(single)), signature: several(bytes) },
  plain,
  'proto: MultiSignature: illegal tag 0 (wire type 1)',
)
test(
  'several signatures that are cut off are refused',
  unreadable,
  { modeInfo: multi(single), signature: Uint8Array.of(10, 9, 1) },
  plain,
  'unexpected EOF',
)
test(
  'unknown fields beside signatures are refused',
  unreadable,
  { modeInfo: multi(single), signature: Uint8Array.of(10, 1, 1, 0x18, 1) },
  plain,
  'rejecting unrecognized fields found in MultiSignature',
)
test(
  'more signatures than modes are refused',
  unreadable,
  { modeInfo: multi(single), signature: several(bytes, bytes) },
  plain,
  'got empty SignatureData',
)
test(
  'fewer signatures than modes make the node panic',
  unreadable,
  { modeInfo: multi(single, single), signature: several(bytes) },
  panic,
  short(1),
)
test(
  'several signatures of one key are refused',
  unreadable,
  { modeInfo: multi(single, single), signature: several(bytes, bytes) },
  'sdk 4',
  `signature verification failed; please verify account number (${startMessages().account(alice.address).number}) and chain-id (${chainId}): ` +
    '(expected <nil>, got *secp256k1.PubKey): unauthorized',
)
