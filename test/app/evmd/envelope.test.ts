/** What the ante chain says of a fee that is missing and of odd envelopes of Ethereum transactions, as in v0.5.0's source. */
import test from 'ava'
import { MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import { MsgVote } from 'cosmjs-types/cosmos/gov/v1/tx'
import { AuthInfo, type Fee, TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { Any } from 'cosmjs-types/google/protobuf/any'
import { hexToBytes } from 'viem'
import { evmChainId } from '../../helpers/evmdChain.ts'
import { any, person, startMessages } from '../../helpers/messageChain.ts'
import { alice } from '../../helpers/precompiles.ts'

const [sender, receiver] = [person(0), person(1)]
const chain = startMessages()
const send = any(MsgSend, {
  fromAddress: sender.address,
  toAddress: receiver.address,
  amount: [{ denom: 'atest', amount: '5' }],
})
const raw = await alice.signTransaction({
  type: 'eip1559',
  chainId: evmChainId,
  to: `0x${'ab'.repeat(20)}`,
  gas: 21_000n,
  maxFeePerGas: 3_000_000_000n,
  nonce: 0,
})
const wrapped = TxRaw.decode(chain.ethereum.wrap(chain.state, chain.ethereum.decode(hexToBytes(raw))))
const atest = (amount: bigint) => ({ denom: 'atest', amount: amount.toString() })
const cost = 21_000n * 3_000_000_000n
const messageUrl = '/cosmos.evm.vm.v1.MsgEthereumTx'

type Changes = { readonly fee?: Partial<Fee> | null; readonly messages?: readonly Any[]; readonly signatures?: number }

/** Returns the transaction with other parts; a fee of null is none. */
function changed(tx: TxRaw, { fee, messages, signatures }: Changes): Uint8Array {
  const body = TxBody.decode(tx.bodyBytes)
  const { fee: own, ...rest } = AuthInfo.decode(tx.authInfoBytes)
  return TxRaw.encode({
    bodyBytes: messages === undefined ? tx.bodyBytes : TxBody.encode({ ...body, messages: [...messages] }).finish(),
    authInfoBytes: AuthInfo.encode(fee === null ? rest : { ...rest, fee: { ...(own as Fee), ...fee } }).finish(),
    signatures: signatures === undefined ? tx.signatures : Array<Uint8Array>(signatures).fill(new Uint8Array(65)),
  }).finish()
}

const message = (value: Uint8Array): readonly Any[] => [Any.fromPartial({ typeUrl: messageUrl, value })]
/** Field 5 of the message is who sends, field 6 the signed transaction. */
const packed = (from: Uint8Array, bytes: Uint8Array): Uint8Array =>
  Buffer.concat([Uint8Array.of(0x2a, from.length), from, Uint8Array.of(0x32, bytes.length), bytes])

const says = test.macro((t, changes: Changes, code: string, log: string, gas?: string) => {
  const result = chain.check(changed(wrapped, changes))
  t.is(`${result.codespace} ${result.code}`, code, result.log)
  t.is(result.log, log)
  if (gas !== undefined) t.is(`${result.gasWanted} ${result.gasUsed}`, gas)
})
const basic = 'tx basic validation failed'

test('an Ethereum transaction without a fee', says, { fee: null }, 'undefined 1', `${basic}: missing fee`, '-1 4476')
test(
  'an envelope with more gas than a number of 63 bits holds',
  says,
  { fee: { gasLimit: 1n << 63n } },
  'sdk 18',
  `${basic}: invalid gas supplied; 9223372036854775808 > 9223372036854775807: invalid request`,
)
test(
  'an envelope with a negative fee',
  says,
  { fee: { amount: [atest(-5n)] } },
  'sdk 13',
  `${basic}: invalid fee provided: -5atest: insufficient fee`,
)
test(
  'an envelope whose payer is no address',
  says,
  { fee: { payer: 'cosmos1xyz' } },
  'sdk 7',
  `${basic}: Invalid fee payer address (decoding bech32 failed: invalid separator index 6): invalid address`,
)
test(
  'an envelope with two signatures',
  says,
  { signatures: 2 },
  'sdk 4',
  `${basic}: wrong number of signers; expected 1, got 2: unauthorized`,
)
test(
  'an envelope with a signature',
  says,
  { signatures: 1 },
  'sdk 18',
  'for eth tx Signatures should be empty: invalid request',
)
test(
  'an envelope with another fee',
  says,
  { fee: { amount: [atest(cost + 1n)] } },
  'sdk 18',
  `invalid AuthInfo Fee Amount (${cost + 1n}atest != ${cost}): invalid request`,
  '-1 0',
)
test(
  'a message without a transaction',
  says,
  { messages: message(new Uint8Array(0)) },
  'sdk 18',
  'raw transaction is required: invalid request',
)
test(
  'a message without a sender',
  says,
  { messages: message(packed(new Uint8Array(0), hexToBytes(raw))) },
  'sdk 18',
  'sender address is missing: invalid request',
)
test(
  'a message that names another sender',
  says,
  { messages: message(packed(new Uint8Array(20).fill(1), hexToBytes(raw))) },
  'sdk 24',
  `signature verification failed: sender verification failed. got ${alice.address}, expected 0x${'01'.repeat(20)}: ` +
    'tx intended signer does not match the given signer',
)
test(
  'bytes that are no transaction',
  says,
  { messages: message(packed(new Uint8Array(20), Uint8Array.of(0xc0))) },
  'sdk 2',
  'rlp: too few elements for types.LegacyTx: tx parse error: tx parse error',
)
test(
  'a message of x/bank in the envelope of Ethereum',
  says,
  { messages: [send] },
  'sdk 6',
  'invalid message type *types.MsgSend, expected *types.MsgEthereumTx: unknown request',
)
test(
  'a message of x/gov in the envelope of Ethereum',
  says,
  { messages: [any(MsgVote, { proposalId: 1n, voter: sender.address, option: 1 })] },
  'sdk 6',
  'invalid message type *v1.MsgVote, expected *types.MsgEthereumTx: unknown request',
)

test('a Cosmos transaction without a fee makes the node panic', (t) => {
  const other = startMessages()
  const signed = TxRaw.decode(other.signed(sender, [send]))
  const { code, codespace, log, gasWanted } = other.check(changed(signed, { fee: null }))
  t.is(`${codespace} ${code}`, 'undefined 111222')
  t.is(log, 'recovered: runtime error: invalid memory address or nil pointer dereference\nstack:\n: panic')
  t.is(gasWanted, 0n)
  const [result] = other.block([changed(signed, { fee: null })]).txResults
  t.is(result?.code, 111222)
  t.deepEqual(other.incidents, [])
  t.is(other.account(sender.address).sequence, 0n)
})

test('a fee in another coin is refused before any gas is used', (t) => {
  const signed = TxRaw.decode(chain.signed(sender, [send]))
  const { log, gasUsed, gasWanted } = chain.check(changed(signed, { fee: { amount: [{ denom: 'foo', amount: '9' }] } }))
  t.is(log, 'expected only native token atest for fee, but got 9foo')
  t.deepEqual([gasUsed, gasWanted], [0n, 500_000n])
})
