import { GoPanic } from '../../codec/comet.ts'
import { ProtobufError } from '../../codec/protobuf/wire.ts'
import { isExpected, SimError } from '../../errors.ts'
import { OutOfGas } from '../gasMeter.ts'

/**
 * The SDK's registered errors by name: code in codespace `sdk` and description (`types/errors`).
 */
const registered = {
  txDecode: [2, 'tx parse error'],
  invalidSequence: [3, 'invalid sequence'],
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
  invalidSigner: [24, 'tx intended signer does not match the given signer'],
  invalidHeight: [26, 'invalid height'],
  invalidType: [29, 'invalid type'],
  txTimeoutHeight: [30, 'tx timeout height'],
  unknownExtensionOptions: [31, 'unknown extension options'],
  wrongSequence: [32, 'incorrect account sequence'],
  logic: [35, 'internal logic error'],
  notSupported: [37, 'feature not supported'],
  txTimeout: [42, 'tx timeout'],
  keyNotFound: [22, 'key not found'],
  notFound: [38, 'not found'],
  invalidGasLimit: [41, 'invalid gas limit'],
  panic: [111222, 'panic'],
} as const satisfies Record<string, readonly [number, string]>

export type SdkError = keyof typeof registered

/**
 * Returns the error `<text>: <description>` of codespace `sdk`, as Go's `errorsmod.Wrap` builds it.
 * Without a text, the error is unwrapped.
 */
export function sdkError(name: SdkError, text?: string): TxError {
  const [code, description] = registered[name]
  const parts = text === undefined ? [description] : [description, text]
  return new TxError(parts, { code, codespace: name === 'panic' ? 'undefined' : 'sdk' })
}

/** Returns a plain Go error: code 1 of codespace `undefined`. */
export function goError(text: string): TxError {
  return new TxError(text, { code: 1, codespace: 'undefined' })
}

/**
 * Returns the rejection for an error: a `TxError` itself, `tx parse error` for malformed bytes, and
 * a plain error for any other user error. Returns undefined for a bug, and for `OutOfGas` and
 * `GoPanic`, which always end the whole transaction.
 */
export function refusalOf(error: unknown): TxError | undefined {
  if (error instanceof TxError) return error
  if (error instanceof OutOfGas || error instanceof GoPanic) return undefined
  if (error instanceof ProtobufError) return sdkError('txDecode', error.message)
  return isExpected(error) ? goError(error.message) : undefined
}

/**
 * The application rejects a transaction or message. The error message is the `log` of the response.
 */
export class TxError extends SimError {
  readonly abciCode: number
  readonly codespace: string
  /** The registered description, then each wrapping text, innermost first. */
  readonly parts: readonly string[]

  /** A text is treated as at most one wrap around a description, which contains no colon. */
  constructor(log: string | readonly string[], { code, codespace }: { code: number; codespace: string }) {
    const parts = typeof log === 'string' ? partsOf(log) : log
    super('TX_REFUSED', parts.toReversed().join(': '))
    this.abciCode = code
    this.codespace = codespace
    this.parts = parts
  }

  /** Returns the same error wrapped once more, with a text in front. */
  inside(text: string): TxError {
    const { abciCode: code, codespace } = this
    return new TxError([...this.parts, text], { code, codespace })
  }
}

function partsOf(log: string): readonly string[] {
  const at = log.lastIndexOf(': ')
  return at < 0 ? [log] : [log.slice(at + 2), log.slice(0, at)]
}
