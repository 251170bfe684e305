/** Field types and messages shared by the modules' protobufs, in gogoproto's encoding. */
import { readBech32 } from '../../codec/bech32.ts'
import { bigIntegerOf } from '../../codec/goIntegers.ts'
import { contentOf, putText } from '../../codec/protobuf/output.ts'
import { always, bytes, type FieldType, int64, message, nested, text } from '../../codec/protobuf/message.ts'
import { timestamp } from '../../codec/protobuf/timestamp.ts'
import { ProtobufError } from '../../codec/protobuf/wire.ts'
import { namedCodec } from '../../codec/schema/codecs.ts'
import type { Time } from '../../data/time.ts'
import { remembered, rememberedBy } from '../../data/remembered.ts'
import type { Addressing, AddressTexts } from './address.ts'
import type { Coin } from './coins.ts'

/**
 * An integer or an 18-place decimal, encoded as digits. Always written, even if 0 (math.Int,
 * LegacyDec).
 */
export const digits: FieldType<bigint> = {
  wireType: 2,
  zero: () => 0n,
  isZero: () => false,
  content: contentOf((value) => putText(value.toString())),
  read: (field) => integerOf(text.read(field)),
}

/** Returns the integer that a text spells; 0 for an empty text. Throws `ProtobufError`. */
export function integerOf(spelled: string): bigint {
  const value = spelled === '' ? 0n : bigIntegerOf(spelled)
  if (value !== undefined) return value
  throw new ProtobufError(`math/big: cannot unmarshal ${JSON.stringify(spelled)} into a *big.Int`)
}

const mostBits = 256

/** An amount of coins: an integer of at most 256 bits (math.Int). */
const amountField: FieldType<bigint> = {
  ...digits,
  read: (field) => amountOf(text.read(field)),
}

/** Returns the amount that a text spells. Throws `ProtobufError`. */
export function amountOf(spelled: string): bigint {
  return fitting(integerOf(spelled))
}

function fitting(value: bigint): bigint {
  const bits = (value < 0n ? -value : value).toString(2).length
  if (bits <= mostBits) return value
  throw new ProtobufError(`integer out of range; got: ${bits}, max: ${mostBits}`)
}

const decoded = rememberedBy(
  (spelled: string) => spelled,
  (spelled) => readBech32(spelled).bytes,
)

function addressField(spell: (address: Uint8Array) => string): FieldType<Uint8Array> {
  return {
    ...bytes,
    content: contentOf((value) => putText(spell(value))),
    read: (field) => decoded(text.read(field)),
  }
}

/** The addresses of accounts and of validators' operators, in bech32 on the wire. */
type AddressFields = { readonly account: FieldType<Uint8Array>; readonly operator: FieldType<Uint8Array> }

/** Returns the codecs of messages with addresses: a function that returns those of a chain, with its prefix. */
export function addressed<Codec extends object>(make: (fields: AddressFields) => Codec): (at: Addressing) => Codec {
  const codecOfTexts = remembered(({ account, operator }: AddressTexts) =>
    make({ account: addressField(account), operator: addressField(operator) }),
  )
  return ({ fixed }) => codecOfTexts(fixed.addressTexts)
}

/** A timestamp; always written. */
export const timeField: FieldType<Time> = always(timestamp)

type Duration = { seconds: bigint; nanos: bigint }
const durationMessage = message<Duration>({ 1: ['seconds', int64], 2: ['nanos', int64] })
const second = 1_000_000_000n

/** A duration in nanoseconds; always written. */
export const durationField: FieldType<bigint> = {
  wireType: 2,
  zero: () => 0n,
  isZero: () => false,
  content: (value) => durationMessage.encode({ seconds: value / second, nanos: value % second }),
  read: (field) => nanosOf(nested(durationMessage).read(field)),
}

function nanosOf(duration: Duration | undefined): bigint {
  return duration === undefined ? 0n : duration.seconds * second + duration.nanos
}

/** A Coin, or a DecCoin whose amount is an 18-place decimal. Both have the same encoding. */
export const coinMessage = message<Coin>({ 1: ['denom', text], 2: ['amount', amountField] })
export const coinField: FieldType<Coin> = always(coinMessage)

/** A stored Any: a type URL and the bytes of the message. */
export type StoredAny = { readonly typeUrl: string; readonly value: Uint8Array }
export const anyMessage = message<StoredAny>({ 1: ['typeUrl', text], 2: ['value', bytes] })

/**
 * Returns a packed message in the node's own encoding, which is stored whatever the sender's encoding.
 */
export function rewritten({ typeUrl, value }: StoredAny): StoredAny {
  const codec = namedCodec(typeUrl.slice(1))
  return { typeUrl, value: codec.encode(codec.decode(value)) }
}
