/** What the ante chain says of odd Cosmos transactions, as evmd v0.5.0 was seen to say it. */
import { cosmosAddressing } from '../../helpers/addressing.ts'
import test from 'ava'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { GenericAuthorization } from 'cosmjs-types/cosmos/authz/v1beta1/authz'
import { MsgExec, MsgGrant } from 'cosmjs-types/cosmos/authz/v1beta1/tx'
import { MsgMultiSend, MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import { PubKey } from 'cosmjs-types/cosmos/crypto/secp256k1/keys'
import { MsgSetWithdrawAddress } from 'cosmjs-types/cosmos/distribution/v1beta1/tx'
import { SimulateRequest } from 'cosmjs-types/cosmos/tx/v1beta1/service'
import { AuthInfo, SignDoc, SignerInfo, TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { Any } from 'cosmjs-types/google/protobuf/any'
import { fromBech32, toBech32 } from '@cosmjs/encoding'
import { accountText, govModule } from '../../../src/app/evmd/address.ts'
import type { AbciEvent } from '../../../src/app/abci.ts'
import { goText } from '../../../src/codec/goText.ts'
import { chainId } from '../../helpers/evmdChain.ts'
import {
  any,
  ethereumPerson,
  type MessageChain,
  person,
  type Person,
  startMessages,
} from '../../helpers/messageChain.ts'

const [alice, bob, carol] = [person(0), person(1), person(2)]
const coins = (amount: string, denom = 'atest') => [{ denom, amount }]
const sendOf = (given: Partial<MsgSend> = {}): Any =>
  any(MsgSend, {
    fromAddress: alice.address,
    toAddress: bob.address,
    amount: coins('5'),
    ...given,
  })
const chain = startMessages()

type Parts = {
  readonly body?: Partial<TxBody>
  readonly bodyTail?: Uint8Array
  readonly auth?: Partial<AuthInfo>
}

/** Returns a transaction whose parts are changed after it was signed. */
function changed(made: MessageChain, parts: Parts, messages: readonly Any[] = [sendOf()]): Uint8Array {
  const { bodyBytes, authInfoBytes, signatures } = TxRaw.decode(made.signed(alice, messages))
  const body = TxBody.encode({ ...TxBody.decode(bodyBytes), ...parts.body }).finish()
  return TxRaw.encode({
    bodyBytes: Buffer.concat([body, parts.bodyTail ?? new Uint8Array(0)]),
    authInfoBytes: AuthInfo.encode({ ...AuthInfo.decode(authInfoBytes), ...parts.auth }).finish(),
    signatures,
  }).finish()
}

const keyless = (sequence: bigint): SignerInfo =>
  SignerInfo.fromPartial({
    sequence,
    modeInfo: { single: { mode: 1 } },
  })
const unordered = Uint8Array.of(0x20, 1)
/** A timeout timestamp of 1,000,000 seconds. */
const longPast = Uint8Array.of(0x2a, 4, 8, 0xc0, 0x84, 0x3d)
const feeOf = (amount: readonly { denom: string; amount: string }[], payer = '') => ({
  fee: { amount: [...amount], gasLimit: 500_000n, payer, granter: '' },
})
const option = (typeUrl: string, value = new Uint8Array(0)) => ({
  extensionOptions: [Any.fromPartial({ typeUrl, value })],
})
const dynamicFee = '/cosmos.evm.ante.v1.ExtensionOptionDynamicFeeTx'
const granted = (granter: string) => ({
  fee: { amount: coins('1000000000000000'), gasLimit: 500_000n, payer: '', granter },
})
const oneToTwenty = toBech32(
  'cosmos',
  Uint8Array.from({ length: 20 }, (_, index) => index + 1),
)
/** The node writes the bytes of these addresses into its texts. */
const raw = (address: string): string => goText(fromBech32(address).data)
const { number } = chain.account(alice.address)
const signerOf = (mode: number): SignerInfo =>
  SignerInfo.fromPartial({
    publicKey: keyOf(alice),
    modeInfo: { single: { mode } },
    sequence: 0n,
  })
/** Field 1031, whose bit 11 says that it may be unknown. */
const unknownField = Uint8Array.of(0xba, 0x40, 0)
const undecodable = Any.fromPartial({
  typeUrl: '/cosmos.evm.vm.v1.MsgEthereumTx',
  value: Uint8Array.of(0x32, 3, 1, 2, 3),
})
const lateGrant = any(MsgGrant, {
  granter: alice.address,
  grantee: oneToTwenty,
  grant: {
    authorization: any(GenericAuthorization, { msg: '/cosmos.bank.v1beta1.MsgSend' }),
    expiration: { seconds: 300_000_000_000n, nanos: 0 },
  },
})
const undecoded = 'tx parse error: tx parse error'
const priced = (price: string) => option(dynamicFee, Uint8Array.of(10, price.length, ...Buffer.from(price)))

const rows: readonly (readonly [string, () => Uint8Array, string, string])[] = [
  [
    'an unordered transaction',
    () => changed(chain, { bodyTail: unordered }),
    'sdk 37',
    'unordered transactions are not enabled: feature not supported',
  ],
  [
    'a transaction that is too late',
    () => changed(chain, { bodyTail: longPast }),
    'sdk 42',
    'block time: 2025-01-01 00:00:01 +0000 UTC, timeout timestamp: 1970-01-12 13:46:40 +0000 UTC: tx timeout',
  ],
  [
    'a time limit after the year 9999',
    () => changed(chain, { bodyTail: Uint8Array.of(0x2a, 7, 8, 0x80, 0x83, 0xd1, 0xff, 0xaf, 0x7) }),
    'sdk 2',
    `timestamp: &timestamppb.Timestamp{Seconds: 253402300800,\nNanos: 0,\n} after 10000-01-01: ${undecoded}`,
  ],
  [
    'a time limit with a whole second of nanoseconds',
    () => changed(chain, { bodyTail: Uint8Array.of(0x2a, 8, 8, 5, 16, 0x80, 0x94, 0xeb, 0xdc, 3) }),
    'sdk 2',
    `timestamp: &timestamppb.Timestamp{Seconds: 5,\nNanos: 1000000000,\n}: nanos not in range [0, 1e9): ${undecoded}`,
  ],
  [
    'a fee without an amount',
    () => changed(chain, { auth: feeOf(coins('')) }),
    'sdk 13',
    'invalid fee provided: null: insufficient fee',
  ],
  [
    'a tip cap that is no number of any base',
    () => changed(chain, { body: priced('08') }),
    'sdk 2',
    `math/big: cannot unmarshal "08" into a *big.Int: ${undecoded}`,
  ],
  [
    'a tip cap below zero in another base',
    () => changed(chain, { body: priced('-0x_1') }),
    'sdk 13',
    'max priority price cannot be negative: insufficient fee',
  ],
  [
    'an Ethereum transaction that cannot be decoded, within an execution',
    () => changed(chain, { body: { messages: [any(MsgExec, { grantee: alice.address, msgs: [undecodable] })] } }),
    'sdk 2',
    `rlp: expected input list for types.AccessListTx: ${undecoded}`,
  ],
  [
    'a grant that expires after the year 9999',
    () => changed(chain, { body: { messages: [lateGrant] } }),
    'sdk 2',
    `timestamp: &timestamppb.Timestamp{Seconds: 300000000000,\nNanos: 0,\n} after 10000-01-01: ${undecoded}`,
  ],
  [
    'a memo of more bytes than characters',
    () => changed(chain, { body: { memo: 'é'.repeat(200) } }),
    'sdk 12',
    'maximum number of characters is 256 but received 400 characters: memo too large',
  ],
  [
    'a fee in another coin',
    () => changed(chain, { auth: feeOf(coins('9', 'foo')) }),
    'undefined 1',
    'expected only native token atest for fee, but got 9foo',
  ],
  [
    'a fee payer that is no address',
    () => changed(chain, { auth: feeOf(coins('9'), 'cosmos1xyz') }),
    'sdk 7',
    'Invalid fee payer address (decoding bech32 failed: invalid separator index 6): invalid address',
  ],
  [
    'a sender that is no address',
    () =>
      changed(chain, {
        body: { messages: [sendOf({ fromAddress: 'cosmos1xyz' })] },
      }),
    'sdk 9',
    'unknown address format: cosmos1xyz: unknown address',
  ],
  [
    'an empty sender',
    () => changed(chain, { body: { messages: [sendOf({ fromAddress: '' })] } }),
    'sdk 7',
    'empty address string is not allowed: invalid address',
  ],
  [
    'an unknown extension option',
    () => changed(chain, { body: option('/foo.Bar') }),
    'sdk 2',
    'unable to resolve type URL /foo.Bar: tx parse error: tx parse error',
  ],
  [
    'a message as an extension option',
    () => changed(chain, { body: option(MsgSend.typeUrl) }),
    'sdk 2',
    'no concrete type registered for type URL /cosmos.bank.v1beta1.MsgSend against interface *tx.TxExtensionOptionI: tx parse error: tx parse error',
  ],
  [
    'the extension option of EIP-712',
    () =>
      changed(chain, {
        body: option('/cosmos.evm.eip712.v1.ExtensionOptionsWeb3Tx'),
      }),
    'sdk 31',
    'rejecting tx with unsupported extension option: /cosmos.evm.eip712.v1.ExtensionOptionsWeb3Tx: unknown extension options',
  ],
  [
    'the extension option of Ethereum transactions',
    () =>
      changed(chain, {
        body: option('/cosmos.evm.vm.v1.ExtensionOptionsEthereumTx'),
      }),
    'sdk 18',
    'for eth tx AuthInfo SignerInfos should be empty: invalid request',
  ],
  [
    'a tip that is no number',
    () => changed(chain, { body: priced('ab') }),
    'sdk 2',
    'math/big: cannot unmarshal "ab" into a *big.Int: tx parse error: tx parse error',
  ],
  [
    'a tip below zero',
    () => changed(chain, { body: priced('-5') }),
    'sdk 13',
    'max priority price cannot be negative: insufficient fee',
  ],
  [
    'a tip that is no message',
    () => changed(chain, { body: option(dynamicFee, Uint8Array.of(1)) }),
    'sdk 2',
    'invalid length: tx parse error: tx parse error',
  ],
  [
    'a tip that is cut short',
    () => changed(chain, { body: option(dynamicFee, Uint8Array.of(10)) }),
    'sdk 2',
    'could not consume field value for tagNum: 1, wireType: "bytes"; unexpected EOF: tx parse error: tx parse error',
  ],
  [
    'a body that is cut short',
    () => changed(chain, { bodyTail: Uint8Array.of(0x18, 255) }),
    'sdk 2',
    'could not consume field value for tagNum: 3, wireType: "varint"; unexpected EOF: tx parse error: tx parse error',
  ],
  [
    'a group in a body',
    () => changed(chain, { bodyTail: Uint8Array.of(0x9b, 6, 0x9c, 6) }),
    'sdk 2',
    'errUnknownField "*tx.TxBody": {TagNum: 99, WireType:"start_group"}: tx parse error: tx parse error',
  ],
  [
    'a transaction whose parts are in another order',
    () => Buffer.concat([chain.signed(alice, [sendOf()]), Uint8Array.of(10, 0)]),
    'sdk 2',
    'txRaw must follow ADR-027, got tagNum 1 after tagNum 3: tx parse error: tx parse error',
  ],
  [
    'a fee granter that is no address',
    () => changed(chain, { auth: granted('cosmos1xyz') }),
    'undefined 111222',
    'recovered: unknown address format: cosmos1xyz: unknown address\nstack:\n: panic',
  ],
  [
    'a fee granter who granted nothing',
    () => changed(chain, { auth: granted(oneToTwenty) }),
    'sdk 38',
    `${raw(oneToTwenty)} does not allow to pay fees for ${raw(alice.address)}: fee-grant not found: not found`,
  ],
  [
    'a fee payer without an account',
    () => changed(chain, {}, [sendOf({ fromAddress: oneToTwenty })]),
    'sdk 9',
    `fee payer address: ${raw(oneToTwenty)} does not exist: unknown address`,
  ],
  ...(
    [
      [0, 'unsupported sign mode SIGN_MODE_UNSPECIFIED'],
      [5, 'unsupported sign mode 5'],
      [2, 'chainstage cannot verify SIGN_MODE_TEXTUAL; sign with another mode'],
      [3, `fee payer ${alice.address} cannot sign with SIGN_MODE_DIRECT_AUX: unauthorized`],
    ] as const
  ).map(
    ([mode, why]) =>
      [
        `a signature of mode ${mode}`,
        () => changed(chain, { auth: { signerInfos: [signerOf(mode)] } }),
        'sdk 4',
        `signature verification failed; please verify account number (${number}) and chain-id (${chainId}): (${why}): unauthorized`,
      ] as const,
  ),
  [
    'an amino signature over a body with an unknown field',
    () =>
      changed(chain, {
        bodyTail: unknownField,
        auth: { signerInfos: [signerOf(127)] },
      }),
    'sdk 4',
    `signature verification failed; please verify account number (${number}), sequence (0) and chain-id (${chainId}): unauthorized`,
  ],
  [
    'a signer that shows no key and has none yet',
    () =>
      changed(chain, {
        auth: {
          signerInfos: [keyless(0n)],
        },
      }),
    'sdk 8',
    'unrecognized/unsupported public key type: <nil>: invalid pubkey',
  ],
]

for (const [name, make, code, log] of rows) {
  test.serial(`${name} is refused with ${code}`, (t) => {
    const result = chain.check(make())
    t.is(`${result.codespace} ${result.code}`, code, result.log)
    t.is(result.log, log)
  })
}

test.serial('a signature that no signer is listed for is refused, though the key of the account is known', (t) => {
  const other = startMessages()
  t.is(other.send(alice, sendOf()).code, 0)
  const result = other.check(changed(other, { auth: { signerInfos: [] } }))
  t.is(`${result.codespace} ${result.code}`, 'sdk 4')
  t.is(result.log, 'invalid number of signer;  expected: 1, got 0: unauthorized')
})

test.serial('more listed signers than the messages have make the node panic', (t) => {
  const result = chain.check(changed(chain, { auth: { signerInfos: [signerOf(1), signerOf(1)] } }))
  t.is(`${result.codespace} ${result.code}`, 'undefined 111222')
  t.is(result.log, 'recovered: runtime error: index out of range [1] with length 1\nstack:\n: panic')
})

test.serial('a signer whose key is known must show it: the node panics', (t) => {
  const other = startMessages()
  t.is(other.send(alice, sendOf()).code, 0)
  const signerInfos = [keyless(1n)]
  const result = other.check(changed(other, { auth: { signerInfos } }))
  t.is(`${result.codespace} ${result.code}`, 'undefined 111222')
  t.is(result.log, 'recovered: runtime error: invalid memory address or nil pointer dereference\nstack:\n: panic')
  t.deepEqual(other.incidents, [])
})

test.serial('a panic of the ante chain loses the limit and what was used of it', (t) => {
  const other = startMessages()
  const { gasWanted, gasUsed } = other.send(alice, sendOf(), { granter: 'cosmos1xyz' })
  const plain = other.send(alice, sendOf(), { granter: oneToTwenty })
  t.is(gasWanted, 0n)
  t.is(plain.gasWanted, 500_000n)
  t.true(gasUsed > 0n && gasUsed < plain.gasUsed)
})

test.serial('an unknown field that may be unknown is no obstacle to a direct signature', (t) => {
  const other = startMessages()
  for (const bodyTail of [unknownField, Uint8Array.of(0xbb, 0x40, 0x08, 1, 0xbc, 0x40)]) {
    const { bodyBytes, authInfoBytes } = TxRaw.decode(other.signed(alice, [sendOf()]))
    const body = Buffer.concat([bodyBytes, bodyTail])
    const doc = SignDoc.encode({
      bodyBytes: body,
      authInfoBytes,
      chainId,
      accountNumber: number,
    }).finish()
    const signatures = [secp256k1.sign(doc, alice.key)]
    const tx = TxRaw.encode({ bodyBytes: body, authInfoBytes, signatures }).finish()
    const [result] = other.block([tx]).txResults
    t.is(result?.code, 0, result?.log)
  }
})

test.serial('an envelope that is none of Ethereum costs what the parameters cost to read', (t) => {
  const tx = changed(chain, { body: option('/cosmos.evm.vm.v1.ExtensionOptionsEthereumTx') })
  const { gasUsed, gasWanted } = chain.check(tx)
  t.is(gasWanted, -1n)
  t.is(gasUsed, 4476n)
})

test.serial('a simulation keeps to the gas limit of the block', (t) => {
  const other = startMessages()
  const tx = other.signed(alice, [sendOf()], { gas: 1n << 62n, fee: '10' })
  const error = t.throws(() =>
    other.query(
      '/cosmos.tx.v1beta1.Service/Simulate',
      SimulateRequest.encode(SimulateRequest.fromPartial({ txBytes: tx })).finish(),
    ),
  )
  t.regex(
    error?.message ?? '',
    /tx gas limit 4611686018427387904 exceeds block max gas \d+: invalid gas limit with gas used: '0'/,
  )
})

const run = test.macro((t, message: Any, code: string, log: string) => {
  const result = chain.send(alice, message)
  t.is(`${result.codespace} ${result.code}`, code, result.log)
  t.is(result.log, `failed to execute message; message index: 0: ${log}`)
})
const gov = accountText(cosmosAddressing, govModule)
const valoper = toBech32('cosmosvaloper', govModule)

test.serial(
  'a receiver that is no address is refused',
  run,
  sendOf({ toAddress: 'cosmos1xyz' }),
  'sdk 7',
  'invalid to address: unknown address format: cosmos1xyz: unknown address: invalid address',
)
test.serial(
  'an empty receiver is refused',
  run,
  sendOf({ toAddress: '' }),
  'sdk 7',
  'invalid to address: empty address string is not allowed: invalid address: invalid address',
)
test.serial(
  'a receiver of another prefix is refused',
  run,
  sendOf({ toAddress: valoper }),
  'sdk 7',
  "invalid to address: hrp does not match bech32 prefix: expected 'cosmos' got 'cosmosvaloper': internal logic error: invalid address",
)
test.serial(
  'an output that is no address is refused',
  run,
  any(MsgMultiSend, {
    inputs: [{ address: alice.address, coins: coins('5') }],
    outputs: [{ address: 'cosmos1xyz', coins: coins('5') }],
  }),
  'sdk 7',
  'invalid output address: decoding bech32 failed: invalid separator index 6: invalid address',
)
test.serial('no coins are refused', run, sendOf({ amount: [] }), 'sdk 10', ': invalid coins')
test.serial(
  'the account of x/gov takes no coins',
  run,
  sendOf({ toAddress: gov }),
  'sdk 4',
  `${gov} is not allowed to receive funds: unauthorized`,
)
test.serial(
  'a precompile of BLS12-381 takes no coins',
  run,
  sendOf({ toAddress: 'cosmos1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqtry39hl' }),
  'sdk 4',
  'cosmos1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqtry39hl is not allowed to receive funds: unauthorized',
)
test.serial(
  'the account of x/gov takes no rewards',
  run,
  any(MsgSetWithdrawAddress, {
    delegatorAddress: alice.address,
    withdrawAddress: gov,
  }),
  'sdk 4',
  `${gov} is not allowed to receive external funds: unauthorized`,
)

test.serial('gas beyond the limit of a transaction is none of the block', (t) => {
  const other = startMessages()
  const result = other.send(alice, sendOf(), { gas: 75_000n })
  t.is(result.code, 11)
  t.true(result.gasUsed > 75_000n)
  t.is(other.state.transient.gasUsed, 75_000n)
})

test.serial('a message run by another one has no event of its own', (t) => {
  const other = startMessages()
  const authorization = {
    typeUrl: GenericAuthorization.typeUrl,
    value: GenericAuthorization.encode({ msg: MsgSend.typeUrl }).finish(),
  }
  t.is(
    other.send(
      alice,
      any(MsgGrant, {
        granter: alice.address,
        grantee: bob.address,
        grant: { authorization },
      }),
    ).code,
    0,
  )
  const { code, events } = other.send(
    bob,
    any(MsgExec, {
      grantee: bob.address,
      msgs: [sendOf(), sendOf({ toAddress: carol.address })],
    }),
  )
  t.is(code, 0)
  t.deepEqual(attributesOf(events, 'message').slice(1), [
    `action=${MsgExec.typeUrl} sender=${bob.address} module=authz msg_index=0`,
    `sender=${alice.address} authz_msg_index=0 msg_index=0`,
    `sender=${alice.address} authz_msg_index=1 msg_index=0`,
  ])
})

test.serial('events of several signers come signer by signer', (t) => {
  const other = startMessages()
  const tx = signedByBoth(other, [
    sendOf(),
    sendOf({
      fromAddress: bob.address,
      toAddress: carol.address,
    }),
  ])
  const [result] = other.block([tx]).txResults
  t.is(result?.code, 0, result?.log)
  const names = attributesOf(result?.events ?? [], 'tx').map((text) => text.replace(/^signature=.*/, 'signature'))
  t.deepEqual(names.slice(1), [`acc_seq=${alice.address}/0`, 'signature', `acc_seq=${bob.address}/0`, 'signature'])
})

function attributesOf(events: readonly AbciEvent[], type: string): readonly string[] {
  return events
    .filter((event) => event.type === type)
    .map(({ attributes }) => attributes.map(({ key, value }) => `${key}=${value}`).join(' '))
}

function signedByBoth(made: MessageChain, messages: readonly Any[]): Uint8Array {
  const { bodyBytes, authInfoBytes } = TxRaw.decode(made.signed(alice, messages))
  const auth = AuthInfo.decode(authInfoBytes)
  const signers = [alice, bob]
  const signerInfos = signers.map((one) =>
    SignerInfo.fromPartial({
      ...auth.signerInfos[0],
      publicKey: keyOf(one),
      sequence: made.account(one.address).sequence,
    }),
  )
  const both = AuthInfo.encode({ ...auth, signerInfos }).finish()
  const signatures = signers.map((one) => {
    const doc = SignDoc.encode({
      bodyBytes,
      authInfoBytes: both,
      chainId,
      accountNumber: made.account(one.address).number,
    }).finish()
    return secp256k1.sign(doc, one.key)
  })
  return TxRaw.encode({ bodyBytes, authInfoBytes: both, signatures }).finish()
}

function keyOf({ publicKey }: Person): Any {
  return Any.fromPartial({
    typeUrl: '/cosmos.crypto.secp256k1.PubKey',
    value: PubKey.encode({ key: publicKey }).finish(),
  })
}

test.serial('an Ethereum key that is no point belongs to nobody', (t) => {
  const eth = ethereumPerson(0)
  const bad = { ...eth, publicKey: new Uint8Array(5) }
  const message = sendOf({ fromAddress: eth.address })
  const result = chain.check(chain.signed(bad, [message]))
  t.is(`${result.codespace} ${result.code}`, 'sdk 8')
  t.is(result.log, `pubKey does not match signer address ${eth.address} with signer index: 0: invalid pubkey`)
})

const otherKeys: readonly (readonly [what: string, key: Any, want: string])[] = [
  [
    'a Cosmos key of the wrong size',
    Any.fromPartial({ typeUrl: '/cosmos.crypto.secp256k1.PubKey', value: Uint8Array.of(10, 1, 2) }),
    'undefined 111222 recovered: length of pubkey is incorrect',
  ],
  [
    'an Ed25519 key of the wrong size',
    Any.fromPartial({ typeUrl: '/cosmos.crypto.ed25519.PubKey', value: Uint8Array.of(10, 1, 2) }),
    'undefined 111222 recovered: pubkey is incorrect size',
  ],
  [
    'a message as a key',
    sendOf({}),
    `sdk 2 no concrete type registered for type URL ${MsgSend.typeUrl} against interface *types.PubKey: ${undecoded}`,
  ],
]
for (const [what, key, want] of otherKeys) {
  test.serial(`${what} is answered as by the node`, (t) => {
    const { bodyBytes, authInfoBytes, signatures } = TxRaw.decode(chain.signed(alice, [sendOf({})]))
    const info = AuthInfo.decode(authInfoBytes)
    const signerInfos = info.signerInfos.map((each) => ({ ...each, publicKey: key }))
    const changedInfo = AuthInfo.encode({ ...info, signerInfos }).finish()
    const result = chain.check(TxRaw.encode({ bodyBytes, authInfoBytes: changedInfo, signatures }).finish())
    t.is(`${result.codespace} ${result.code} ${result.log.split('\nstack')[0]}`, want)
  })
}
