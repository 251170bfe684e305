import test from 'ava'
import { AuthInfo, TxBody } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import {
  plainShape,
  authInfoShape,
  txBodyShape,
  unknownFields,
  unknownFieldText,
} from '../../../src/codec/protobuf/unknownFields.ts'

const send = '/cosmos.bank.v1beta1.MsgSend'
const resolve = (typeUrl: string) => typeUrl === send ? plainShape(send, [1, 2, 3]) : undefined
const bodyWith = (value: Uint8Array) =>
  TxBody.encode(
    TxBody.fromPartial({ messages: [{ typeUrl: send, value }], memo: 'm', timeoutHeight: 5n }),
  ).finish()

test('a transaction without surprises has no unknown fields', (t) => {
  t.deepEqual(unknownFields(bodyWith(new Uint8Array(0)), txBodyShape, resolve), [])
  const auth = AuthInfo.fromPartial({
    signerInfos: [{ modeInfo: { multi: { modeInfos: [{ single: { mode: 1 } }] } }, sequence: 1n }],
    fee: { amount: [{ denom: 'a', amount: '1' }], gasLimit: 1n },
  })
  t.deepEqual(unknownFields(AuthInfo.encode(auth).finish(), authInfoShape, resolve), [])
})

test('an unknown field of a message inside an Any is found and is critical', (t) => {
  const [field] = unknownFields(bodyWith(Uint8Array.of(0x48, 1)), txBodyShape, resolve)
  t.is(field?.critical, true)
  t.is(
    field === undefined ? '' : unknownFieldText(field),
    `errUnknownField "${send}": {TagNum: 9, WireType:"varint"}`,
  )
})

test('a number with bit 11 set is not critical', (t) => {
  // Field 1031, length-delimited and empty.
  const body = Uint8Array.of(...bodyWith(new Uint8Array(0)), 0xba, 0x40, 0)
  t.deepEqual(unknownFields(body, txBodyShape, resolve), [
    { message: '/cosmos.tx.v1beta1.TxBody', number: 1031, wireType: 2, critical: false },
  ])
})
