/** The signed bytes of a Cosmos transaction, by sign mode (cosmos-sdk x/tx/signing). */
import { aminoSignDoc, aminoSignText, type AminoSignDoc } from '../../../codec/aminoJson.ts'
import { AminoError } from '../../../codec/schema/amino.ts'
import { type Any, SignDoc, SignDocDirectAux, SignMode } from '../../../codec/messages/cosmos.ts'
import { equalBytes } from '../../../data/bytes.ts'
import { SimError } from '../../../errors.ts'
import { accountText, type Addressing, addressOf } from '../address.ts'
import type { Context } from '../context.ts'
import type { Account } from '../modules/auth/accounts.ts'
import { type DecodedTx, txSigners } from '../tx/decodeTx.ts'
import { eip712Bytes } from '../tx/eip712.ts'
import { legacyEip712Bytes } from '../tx/eip712Legacy.ts'

export type Signing = {
  readonly tx: DecodedTx
  readonly account: Account
  readonly publicKey: Any
  readonly sequence: bigint
}

/**
 * Returns the bytes to sign in a mode; undefined if amino JSON cannot express them. Throws
 * `CannotSign` if the transaction cannot be signed in that mode, with the SDK's text for all modes
 * but textual, which the node verifies and chainstage does not.
 */
export function signPayload(context: Context, mode: SignMode | undefined, signing: Signing): Uint8Array | undefined {
  const {
    tx: { bodyBytes, authInfoBytes },
    account: { number: accountNumber },
    sequence,
  } = signing
  const { chainId } = context.block
  switch (mode) {
    case SignMode.SIGN_MODE_DIRECT:
      return SignDoc.encode({ bodyBytes, authInfoBytes, chainId, accountNumber })
    case SignMode.SIGN_MODE_DIRECT_AUX: {
      if (paysFee(context, signing)) {
        const payer = accountText(context, signing.account.address)
        throw new CannotSign(`fee payer ${payer} cannot sign with SIGN_MODE_DIRECT_AUX: unauthorized`)
      }
      const { publicKey } = signing
      return SignDocDirectAux.encode({
        bodyBytes,
        publicKey,
        chainId,
        accountNumber,
        sequence,
      })
    }
    case SignMode.SIGN_MODE_LEGACY_AMINO_JSON:
      return aminoPayload(context, signing)
    case SignMode.SIGN_MODE_TEXTUAL:
      throw new CannotSign('chainstage cannot verify SIGN_MODE_TEXTUAL; sign with another mode')
    default:
      throw new CannotSign(`unsupported sign mode ${modeName(mode)}`)
  }
}

function modeName(mode: SignMode | undefined): string {
  const value = mode ?? SignMode.SIGN_MODE_UNSPECIFIED
  return Object.entries(SignMode).find(([, each]) => each === value)?.[0] ?? String(value)
}

/**
 * Returns whether the signer pays the fee. A fee payer must sign the fee, which a signature over
 * the body alone does not cover.
 */
function paysFee(at: Addressing, { tx, account }: Signing): boolean {
  const payer = tx.fee.payer === '' ? txSigners(at, tx)[0] : addressOf(at, tx.fee.payer)
  return payer !== undefined && equalBytes(payer, account.address)
}

function aminoPayload(context: Context, signing: Signing): Uint8Array | undefined {
  // Amino JSON omits unknown fields and extension options, so anybody could add some to a signed
  // transaction.
  const { hasUnknownFields, body } = signing.tx
  if (hasUnknownFields) {
    throw new CannotSign('unknown fields cannot be signed with SIGN_MODE_LEGACY_AMINO_JSON')
  }
  if (hasExtensions(body)) {
    const text = 'SIGN_MODE_LEGACY_AMINO_JSON does not support protobuf extension options: invalid request'
    throw new CannotSign(text)
  }
  return orUndefined(() => new TextEncoder().encode(aminoSignText(docOf(context, signing))))
}

function hasExtensions({ extensionOptions, nonCriticalExtensionOptions }: DecodedTx['body']): boolean {
  return extensionOptions.length + nonCriticalExtensionOptions.length > 0
}

function docOf(context: Context, { tx: { body, fee, messages, timeout }, account, sequence }: Signing): AminoSignDoc {
  return {
    chainId: context.block.chainId,
    accountNumber: account.number,
    sequence,
    fee,
    memo: body.memo,
    timeoutHeight: body.timeoutHeight,
    timeout,
    messages,
  }
}

/**
 * Returns the EIP-712 typed data that a wallet may sign instead, in the newer and the older form.
 * Returns none for a transaction with several signers, a timeout height or extension options
 * (cosmos/evm eip712 encoding.go, encoding_legacy.go).
 */
export function typedDataPayloads(
  context: Context,
  mode: SignMode | undefined,
  signing: Signing,
): readonly Uint8Array[] {
  const { tx, account } = signing
  const { body } = tx
  if (tx.signers.length !== 1 || txSigners(context, tx).length !== 1) return []
  const isAmino = mode === SignMode.SIGN_MODE_LEGACY_AMINO_JSON
  if (!isAmino && (body.timeoutHeight !== 0n || hasExtensions(body))) return []
  const { amount, gasLimit } = tx.fee
  // A direct document gives typed data only some of its parts.
  const rest = isAmino ? {} : { fee: { amount, gasLimit, payer: '', granter: '' }, timeout: undefined }
  const { evmChainId } = context.fixed
  const forms = [
    () => eip712Bytes(aminoSignDoc({ ...docOf(context, signing), ...rest }), evmChainId),
    () =>
      legacyEip712Bytes({
        doc: aminoSignDoc({ ...docOf(context, signing), ...rest }),
        evmChainId,
        typeUrls: tx.messages.map(({ typeUrl }) => typeUrl),
        feePayer: accountText(context, account.address),
        isAmino,
      }),
  ]
  return forms.map(orUndefined).filter((each) => each !== undefined)
}

function orUndefined(make: () => Uint8Array | undefined): Uint8Array | undefined {
  try {
    return make()
  } catch (error) {
    if (error instanceof AminoError) return undefined
    throw error
  }
}

/** The transaction cannot be signed in the mode of its signature; `message` says why. */
export class CannotSign extends SimError {
  constructor(text: string) {
    super('CANNOT_SIGN', text)
  }
}
