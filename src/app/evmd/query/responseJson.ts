/** What messages answered, as the JSON of /app/simulate spells it (gogoproto jsonpb). */
import { base64Of } from '../../../codec/base64.ts'
import type { Plain, PlainObject } from '../../../codec/goJsonWrite.ts'
import type { Any } from '../../../codec/protobuf/cosmos.ts'
import { timestamp } from '../../../codec/protobuf/comet.ts'
import {
  always, bool, bytes, type FieldType, text, uint64,
} from '../../../codec/protobuf/message.ts'
import { readFields, type WireField } from '../../../codec/protobuf/wire.ts'
import { formatTime } from '../../../codec/time.ts'

/** How a field is spelled, and what stands where it is absent. */
type Kind = {
  readonly zero: Plain
  readonly read: (field: WireField) => Plain
  readonly isList?: true
}
type Shape = Readonly<Record<number, readonly [name: string, kind: Kind]>>

function kind<Value>(type: FieldType<Value>, zero: Plain, spell: (value: Value) => Plain): Kind {
  return { zero, read: (field) => spell(type.read(field)) }
}

function list({ read }: Kind): Kind {
  return { zero: [], read, isList: true }
}

function inner(shape: Shape): Kind {
  return { zero: null, read: (field) => spelled(bytes.read(field), shape) }
}

const string = kind(text, '', (value) => value)
const whole = kind(uint64, '0', (value) => value.toString())
const flag = kind(bool, false, (value) => value)
const base64 = kind(bytes, null, base64Of)
const time = kind(always(timestamp), null, formatTime)
const coin = inner({ 1: ['denom', string], 2: ['amount', string] })

const evmLog = inner({
  1: ['address', string], 2: ['topics', list(string)], 3: ['data', base64],
  4: ['block_number', whole], 5: ['tx_hash', string], 6: ['tx_index', whole],
  7: ['block_hash', string], 8: ['index', whole], 9: ['removed', flag],
  10: ['block_timestamp', whole],
})
const staking = '/cosmos.staking.v1beta1.Msg'
const distribution = '/cosmos.distribution.v1beta1.Msg'

/** Responses that say something, by type; all others are empty. */
const shapes: Readonly<Record<string, Shape>> = {
  '/cosmos.evm.vm.v1.MsgEthereumTxResponse': {
    1: ['hash', string], 2: ['logs', list(evmLog)], 3: ['ret', base64], 4: ['vm_error', string],
    5: ['gas_used', whole], 6: ['max_used_gas', whole], 7: ['block_hash', base64],
    8: ['block_timestamp', whole],
  },
  [`${staking}UndelegateResponse`]: { 1: ['completion_time', time], 2: ['amount', coin] },
  [`${staking}BeginRedelegateResponse`]: { 1: ['completion_time', time] },
  [`${distribution}WithdrawDelegatorRewardResponse`]: { 1: ['amount', list(coin)] },
  [`${distribution}WithdrawValidatorCommissionResponse`]: { 1: ['amount', list(coin)] },
  '/cosmos.gov.v1.MsgSubmitProposalResponse': { 1: ['proposal_id', whole] },
  '/cosmos.gov.v1beta1.MsgSubmitProposalResponse': { 1: ['proposal_id', whole] },
  '/cosmos.gov.v1.MsgCancelProposalResponse': {
    1: ['proposal_id', whole], 2: ['canceled_time', time], 3: ['canceled_height', whole],
  },
  '/cosmos.authz.v1beta1.MsgExecResponse': { 1: ['results', list(base64)] },
  '/cosmos.evidence.v1beta1.MsgSubmitEvidenceResponse': { 4: ['hash', base64] },
}

/** Returns a response with its type and its members. */
export function responseJson({ typeUrl, value }: Any): PlainObject {
  return { '@type': typeUrl, ...spelled(value, shapes[typeUrl] ?? {}) }
}

function spelled(value: Uint8Array, shape: Shape): PlainObject {
  const members: Record<string, Plain> = {}
  for (const [name, { zero }] of Object.values(shape)) members[name] = zero
  for (const field of readFields(value)) {
    const known = shape[field.number]
    if (known === undefined) continue
    const [name, { read, isList }] = known
    const before = members[name]
    members[name] = isList && Array.isArray(before) ? [...before, read(field)] : read(field)
  }
  return members
}
