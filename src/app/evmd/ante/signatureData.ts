/**
 * Decodes a transaction's signatures as the SDK does, before it checks any key (x/auth/tx sigs.go).
 */
import { GoPanic, outOfRange } from '../../../codec/comet.ts'
import { type ModeInfo, MultiSignature } from '../../../codec/messages/cosmos.ts'
import { ProtobufError, readFields } from '../../../codec/protobuf/wire.ts'
import { goError } from '../txError.ts'

/** A signature in a transaction: its bytes, and the mode that says how to decode them. */
export type Signature = { readonly bytes: Uint8Array; readonly modeInfo: ModeInfo | undefined }

/**
 * Checks that signatures can be decoded. One without a mode is left to `signatureParts`. Throws
 * `TxError`, or `GoPanic` for an empty mode and for more modes than signatures.
 */
export function checkSignatures(signatures: readonly Signature[]): void {
  for (const { bytes, modeInfo } of signatures) {
    if (modeInfo !== undefined) checkSignature(bytes, modeInfo)
  }
}

function checkSignature(bytes: Uint8Array, { single, multi }: ModeInfo): void {
  if (multi !== undefined) {
    const inner = innerSignatures(bytes)
    for (const [index, modeInfo] of multi.modeInfos.entries()) {
      const each = inner[index]
      if (each === undefined) throw new GoPanic(outOfRange(index, inner))
      checkSignature(each, modeInfo)
    }
  } else if (single === undefined) throw new GoPanic('unexpected ModeInfo data type <nil>')
}

function innerSignatures(bytes: Uint8Array): readonly Uint8Array[] {
  try {
    const { signatures } = MultiSignature.decode(bytes)
    if (readFields(bytes).every(({ number }) => number === 1)) return signatures
  } catch (error) {
    if (!(error instanceof ProtobufError)) throw error
    throw goError(error.message.replace(/^proto: illegal tag/, 'proto: MultiSignature: illegal tag'))
  }
  throw goError('rejecting unrecognized fields found in MultiSignature')
}

/**
 * Returns the signatures in a signature as events show them: the nested ones, then the whole.
 * Throws `TxError` for a signature without a mode.
 */
export function signatureParts({ bytes, modeInfo }: Signature): readonly Uint8Array[] {
  if (modeInfo === undefined) throw goError('got empty SignatureData')
  if (modeInfo.multi === undefined) return [bytes]
  const { modeInfos } = modeInfo.multi
  const inner = MultiSignature.decode(bytes).signatures.flatMap((each, index) =>
    signatureParts({ bytes: each, modeInfo: modeInfos[index] }),
  )
  return [...inner, MultiSignature.encode({ signatures: inner })]
}

/** Returns whether a signature, or one nested in it, is missing. */
export function isIncomplete({ bytes, modeInfo }: Signature): boolean {
  if (modeInfo === undefined) return true
  if (modeInfo.multi === undefined) return bytes.length === 0
  const { modeInfos } = modeInfo.multi
  const { signatures } = MultiSignature.decode(bytes)
  return (
    signatures.length === 0 ||
    signatures.some((each, index) => isIncomplete({ bytes: each, modeInfo: modeInfos[index] }))
  )
}
