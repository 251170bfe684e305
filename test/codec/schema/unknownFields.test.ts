import test from 'ava'
import { AuthInfo, TxBody } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { MsgExec } from 'cosmjs-types/cosmos/authz/v1beta1/tx'
import { refuseUnknownFields } from '../../../src/codec/schema/unknownFields.ts'
import { ProtobufError } from '../../../src/codec/protobuf/wire.ts'

const send = '/cosmos.bank.v1beta1.MsgSend'
/** Field 99, length-delimited and empty. */
const field99 = Uint8Array.of(0x9a, 0x06, 0)
/** Field 1031, whose bit 11 is set. */
const field1031 = Uint8Array.of(0xba, 0x40, 0)
const empty = new Uint8Array(0)
const bodyWith = (typeUrl: string, value: Uint8Array): Uint8Array =>
  TxBody.encode(TxBody.fromPartial({ messages: [{ typeUrl, value }], memo: 'm' })).finish()
const exec = (value: Uint8Array): Uint8Array =>
  MsgExec.encode(MsgExec.fromPartial({ msgs: [{ typeUrl: send, value }] })).finish()
const body = 'cosmos.tx.v1beta1.TxBody'
const authInfo = 'cosmos.tx.v1beta1.AuthInfo'
const auth = AuthInfo.encode(
  AuthInfo.fromPartial({
    signerInfos: [{ modeInfo: { multi: { modeInfos: [{ single: { mode: 1 } }] } }, sequence: 1n }],
    fee: { amount: [{ denom: 'a', amount: '1' }], gasLimit: 1n },
  }),
).finish()
const joined = (...parts: readonly Uint8Array[]): Uint8Array => Uint8Array.from(Buffer.concat(parts))

const accepted: Readonly<Record<string, readonly [string, Uint8Array]>> = {
  'a body without surprises': [body, bodyWith(send, empty)],
  'an AuthInfo without surprises': [authInfo, auth],
  'a field with bit 11 in a body': [body, joined(bodyWith(send, empty), field1031)],
  'a group with bit 11 in a body': [body, Uint8Array.of(0xbb, 0x40, 0x08, 1, 0x13, 0x14, 0xbc, 0x40)],
  'a number beyond those that protobuf knows': [body, Uint8Array.of(0xfa, 0xff, 0xff, 0xff, 0x1f, 0)],
  'a field with bit 11 in a message of a body': [body, bodyWith(send, field1031)],
}
for (const [title, [name, bytes]] of Object.entries(accepted)) {
  test(`${title} is accepted`, (t) => {
    const hasUnknown = refuseUnknownFields(name, bytes, { allowsNonCritical: name === body })
    t.is(hasUnknown, !title.endsWith('without surprises'))
  })
}

const refused: Readonly<Record<string, readonly [string, Uint8Array, string]>> = {
  'a field of a message': [
    body,
    bodyWith(send, field99),
    'errUnknownField "*types.MsgSend": {TagNum: 99, WireType:"bytes"}',
  ],
  'a field of the body itself': [
    body,
    joined(bodyWith(send, empty), field99),
    'errUnknownField "*tx.TxBody": {TagNum: 99, WireType:"bytes"}',
  ],
  'a field of a message inside a message': [
    body,
    bodyWith('/cosmos.authz.v1beta1.MsgExec', exec(field99)),
    'errUnknownField "*types.MsgSend": {TagNum: 99, WireType:"bytes"}',
  ],
  'a field of a nested type': [
    authInfo,
    Uint8Array.of(0x0a, 6, 0x12, 4, 0x0a, 2, 0x48, 1),
    'errUnknownField "*tx.ModeInfo_Single": {TagNum: 9, WireType:"varint"}',
  ],
  'a field with bit 11 where none may be': [
    authInfo,
    joined(auth, field1031),
    'errUnknownField "*tx.AuthInfo": {TagNum: 1031, WireType:"bytes"}',
  ],
  'a type that is not registered': [body, bodyWith('/x.Y', empty), 'unable to resolve type URL /x.Y'],
  'a tag that is cut': [body, Uint8Array.of(0xff), 'invalid length'],
  'a field number of zero': [body, Uint8Array.of(0), 'invalid length'],
  'bytes that are cut': [
    body,
    Uint8Array.of(0x12, 5, 1),
    'could not consume field value for tagNum: 2, wireType: "bytes"; unexpected EOF',
  ],
  'a number of more than 64 bits': [
    body,
    Uint8Array.of(0x18, ...Array<number>(9).fill(255), 2),
    'could not consume field value for tagNum: 3, wireType: "varint"; proto:\u00a0variable length integer overflow',
  ],
  'a group for a known field': [
    body,
    Uint8Array.of(0x13),
    'Mismatched "*tx.TxBody": {TagNum: 2, GotWireType: "start_group" != WantWireType: "bytes"}',
  ],
  'a group that nobody ends': [
    body,
    Uint8Array.of(0xbb, 0x40),
    'could not consume field value for tagNum: 1031, wireType: "start_group"; unexpected EOF',
  ],
  'a group that another one ends': [
    body,
    Uint8Array.of(0xbb, 0x40, 0x14),
    'could not consume field value for tagNum: 1031, wireType: "start_group"; proto:\u00a0mismatching end group marker',
  ],
  'the end of no group': [
    body,
    Uint8Array.of(0xbc, 0x40),
    'could not consume field value for tagNum: 1031, wireType: "end_group"; proto:\u00a0mismatching end group marker',
  ],
  'a wire type that nobody uses': [
    body,
    Uint8Array.of(0xbe, 0x40),
    'could not consume field value for tagNum: 1031, wireType: "unknown type: 6"; proto:\u00a0cannot parse reserved wire type',
  ],
  'a wire type that is another one': [
    body,
    Uint8Array.of(0x10, 1),
    'Mismatched "*tx.TxBody": {TagNum: 2, GotWireType: "varint" != WantWireType: "bytes"}',
  ],
}
for (const [title, [name, bytes, message]] of Object.entries(refused)) {
  test(`${title} is refused with the text of the SDK`, (t) => {
    t.throws(() => refuseUnknownFields(name, bytes, { allowsNonCritical: name === body }), {
      instanceOf: ProtobufError,
      message,
    })
  })
}

test('messages that are nested without end are refused', (t) => {
  let bytes: Uint8Array = empty
  for (let i = 0; i < 600; i += 1) {
    // A ModeInfo of several holds one ModeInfo.

    const inner = field(2, bytes)
    bytes = field(2, inner)
  }
  t.throws(() => refuseUnknownFields('cosmos.tx.v1beta1.ModeInfo', bytes), {
    instanceOf: ProtobufError,
    message: 'recursion limit reached',
  })
})

/** A field of bytes whose length takes one to three bytes. */
function field(number: number, value: Uint8Array): Uint8Array {
  const length: number[] = []
  let rest = value.length
  for (; rest >= 0x80; rest >>= 7) length.push((rest & 0x7f) | 0x80)
  return Uint8Array.of(number * 8 + 2, ...length, rest, ...value)
}
