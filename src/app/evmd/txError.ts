import { SimError } from '../../errors.ts'

/**
 * The SDK's registered errors by name: code in codespace `sdk` and description (`types/errors`).
 */
const registered = {
  txDecode: [2, 'tx parse error'],
  unauthorized: [4, 'unauthorized'],
  insufficientFunds: [5, 'insufficient funds'],
  unknownRequest: [6, 'unknown request'],
  invalidAddress: [7, 'invalid address'],
  invalidPubKey: [8, 'invalid pubkey'],
  unknownAddress: [9, 'unknown address'],
  invalidCoins: [10, 'invalid coins'],
  outOfGas: [11, 'out of gas'],
  memoTooLarge: [12, 'memo too large'],
  insufficientFee: [13, 'insufficient fee'],
  tooManySignatures: [14, 'maximum number of signatures exceeded'],
  noSignatures: [15, 'no signatures supplied'],
  invalidRequest: [18, 'invalid request'],
  invalidHeight: [26, 'invalid height'],
  invalidType: [29, 'invalid type'],
  txTimeoutHeight: [30, 'tx timeout height'],
  unknownExtensionOptions: [31, 'unknown extension options'],
  wrongSequence: [32, 'incorrect account sequence'],
  keyNotFound: [22, 'key not found'],
  notFound: [38, 'not found'],
  invalidGasLimit: [41, 'invalid gas limit'],
  panic: [111222, 'panic'],
} as const satisfies Record<string, readonly [number, string]>

export type SdkError = keyof typeof registered

/**
 * Returns the error `<text>: <description>` of codespace `sdk`, as Go's `errorsmod.Wrap` makes it.
 */
export function sdkError(name: SdkError, text: string): TxError {
  const [code, description] = registered[name]
  const message = text === '' ? description : `${text}: ${description}`
  return new TxError(message, { code, codespace: name === 'panic' ? 'undefined' : 'sdk' })
}

/** Returns a plain Go error: code 1 of codespace `undefined`. */
export function goError(text: string): TxError {
  return new TxError(text, { code: 1, codespace: 'undefined' })
}

/**
 * Returns the refusal that an error is: itself, or `tx parse error` when generated decoders have
 * found bytes that are no such message; undefined for what nobody expected.
 */
export function refusalOf(error: unknown): TxError | undefined {
  if (error instanceof TxError) return error
  if (!(error instanceof Error)) return undefined
  if (error.message === 'premature EOF') return sdkError('txDecode', 'unexpected EOF')
  const isOfDecoder =
    /^(invalid wire type|invalid varint|illegal tag|index out of range)/.test(error.message)
  const isOfCodec = 'code' in error && error.code === 'BAD_PROTOBUF'
  return isOfDecoder || isOfCodec ? sdkError('txDecode', error.message) : undefined
}

/**
 * A transaction or message that the application refuses; the message is the `log` of the answer.
 */
export class TxError extends SimError {
  readonly abciCode: number
  readonly codespace: string

  constructor(log: string, { code, codespace }: { code: number; codespace: string }) {
    super('TX_REFUSED', log)
    this.abciCode = code
    this.codespace = codespace
  }

  /** Returns the same error with a text in front, as wrapping it once more would make it. */
  inside(text: string): TxError {
    const { abciCode: code, codespace } = this
    return new TxError(`${text}: ${this.message}`, { code, codespace })
  }
}
