/**
 * Transactions in the legacy formats that preceded protobuf: amino JSON and amino binary
 * (cosmos-sdk x/auth/migrations/legacytx StdTx).
 */
import { maxUint64 } from '../../../codec/goIntegers.ts'
import { base64Of, readBase64 } from '../../../codec/base64.ts'
import { JsonSyntaxError, parseJson } from '../../../codec/goJson.ts'
import { type Plain, writeJson } from '../../../codec/goJsonWrite.ts'
import { bytes, message, nested, repeated, text, uint64 } from '../../../codec/protobuf/message.ts'
import { AminoError, aminoOf } from '../../../codec/schema/amino.ts'
import { packedOfAmino, typedOf } from '../../../codec/schema/aminoRead.ts'
import { concatBytes, equalBytes } from '../../../data/bytes.ts'
import { aminoPrefix, ofAminoBytes, toAminoBytes } from './aminoBinary.ts'

type Coin = { denom: string; amount: string }
type Fee = { amount: readonly (Coin | undefined)[]; gas: bigint; payer: string; granter: string }
type Signature = { publicKey: Uint8Array; signature: Uint8Array }
type StdTx = {
  messages: readonly Uint8Array[]
  fee: Fee | undefined
  signatures: readonly (Signature | undefined)[]
  memo: string
  timeoutHeight: bigint
}

const coin = message<Coin>({ 1: ['denom', text], 2: ['amount', text] })
const fee = message<Fee>({
  1: ['amount', repeated(nested(coin))],
  2: ['gas', uint64],
  3: ['payer', text],
  4: ['granter', text],
})
const signature = message<Signature>({ 1: ['publicKey', bytes], 2: ['signature', bytes] })
const stdTx = message<StdTx>({
  1: ['messages', repeated(bytes)],
  2: ['fee', nested(fee)],
  3: ['signatures', repeated(nested(signature))],
  4: ['memo', text],
  5: ['timeoutHeight', uint64],
})

const name = 'cosmos-sdk/StdTx'
const prefix = aminoPrefix(name)

/** Throws Go's error for invalid JSON. */
function checkJson(json: string): void {
  try {
    parseJson(json)
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error
    throw new AminoError(`cannot parse disfix JSON wrapper: ${error.message}`)
  }
}

/** Returns the binary form of a transaction in amino JSON. Throws `AminoError`. */
export function aminoBinaryOf(json: string): Uint8Array {
  checkJson(json)
  const { type, value } = typedOf(JSON.parse(json))
  if (type !== name) throw new AminoError(`expected the type ${name}, got ${type}`)
  const tx = membersOf(value)
  const paid = membersOf(tx['fee'] ?? {})
  return concatBytes([
    prefix,
    stdTx.encode({
      messages: aminoList(tx['msg']).map((each) => toAminoBytes(packedOfAmino(each))),
      fee: {
        amount: aminoList(paid['amount']).map((each) => {
          const { denom, amount } = membersOf(each)
          return { denom: aminoText(denom), amount: aminoText(amount) }
        }),
        gas: numberOf(paid['gas']),
        payer: aminoText(paid['payer']),
        granter: aminoText(paid['granter']),
      },
      signatures: aminoList(tx['signatures']).map(signatureOf),
      memo: aminoText(tx['memo']),
      timeoutHeight: numberOf(tx['timeout_height']),
    }),
  ])
}

/**
 * Returns the amino JSON of a transaction in binary form. Throws `AminoError` and `ProtobufError`.
 */
export function aminoJsonOf(binary: Uint8Array): string {
  const begin = binary.subarray(0, prefix.length)
  if (!equalBytes(begin, prefix)) {
    throw new AminoError(
      `UnmarshalBinaryBare expected to read prefix bytes ${upperHex(prefix)} ` +
        `(since it is registered concrete) but got ${upperHex(begin)}${begin.length < prefix.length ? '' : '...'}`,
    )
  }
  const { messages, fee: paid, signatures, memo, timeoutHeight } = stdTx.decode(binary.subarray(prefix.length))
  const { amount, gas, payer, granter } = paid ?? fee.decode(new Uint8Array(0))
  return writeJson({
    type: name,
    value: {
      msg: messages.length === 0 ? null : messages.map((each) => aminoOf(ofAminoBytes(each))),
      fee: {
        amount: amount.map((each) => ({ denom: each?.denom ?? '', amount: each?.amount ?? '' })),
        gas: gas.toString(),
        ...(payer !== '' && { payer }),
        ...(granter !== '' && { granter }),
      },
      signatures: signatures.length === 0 ? null : signatures.map(signatureJson),
      memo,
      timeout_height: timeoutHeight.toString(),
    },
  })
}

function signatureOf(json: unknown): Signature {
  const { pub_key: key, signature: signed } = membersOf(json)
  const decoded = readBase64(aminoText(signed))
  if (typeof decoded === 'string') throw new AminoError(decoded)
  return { publicKey: key == null ? new Uint8Array(0) : toAminoBytes(packedOfAmino(key)), signature: decoded }
}

function signatureJson(signed: Signature | undefined): Plain {
  const { publicKey, signature: of } = signed ?? signature.decode(new Uint8Array(0))
  return { pub_key: publicKey.length === 0 ? null : aminoOf(ofAminoBytes(publicKey)), signature: base64Of(of) }
}

function membersOf(json: unknown): Readonly<Record<string, unknown>> {
  if (typeof json === 'object' && json !== null && !Array.isArray(json)) return { ...json }
  throw new AminoError('expected an object in the transaction')
}

function aminoList(json: unknown): readonly unknown[] {
  if (json === undefined || json === null) return []
  if (Array.isArray(json)) return json
  throw new AminoError('expected a list in the transaction')
}

function aminoText(json: unknown): string {
  if (json === undefined || json === null) return ''
  if (typeof json === 'string') return json
  throw new AminoError('expected a text in the transaction')
}

function numberOf(json: unknown): bigint {
  const digits = json === undefined || json === null ? '0' : json
  const value = typeof digits === 'string' && /^\d{1,20}$/.test(digits) ? BigInt(digits) : undefined
  if (value !== undefined && value <= maxUint64) return value
  throw new AminoError(
    'invalid 64-bit integer encoding: Amino:JSON int/int64/uint/uint64 expects quoted values for javascript numeric support',
  )
}

function upperHex(part: Uint8Array): string {
  return Buffer.from(part).toString('hex').toUpperCase()
}
