/** What a signature of a Cosmos transaction is over, by sign mode (cosmos-sdk x/tx/signing). */
import { aminoSignDoc, aminoSignText, type AminoSignDoc } from '../../../codec/aminoJson.ts'
import { AminoError } from '../../../codec/aminoValue.ts'
import { Any, Fee, SignDoc, SignDocDirectAux, SignMode } from '../../../codec/protobuf/cosmos.ts'
import { equalBytes } from '../../../data/bytes.ts'
import { accountText, addressOf } from '../address.ts'
import type { Context } from '../context.ts'
import type { Account } from '../modules/auth/accounts.ts'
import type { DecodedTx } from '../tx/decodeTx.ts'
import { eip712Bytes } from '../tx/eip712.ts'
import { legacyEip712Bytes } from '../tx/eip712Legacy.ts'
import { txSigners } from '../tx/messages.ts'

export type Signing = {
  readonly tx: DecodedTx
  readonly account: Account
  readonly publicKey: Any
  readonly sequence: bigint
}

/** Returns what is signed in a mode; undefined when the transaction cannot be signed in it. */
export function signPayload(
  context: Context, mode: SignMode | undefined, signing: Signing,
): Uint8Array | undefined {
  const { tx: { bodyBytes, authInfoBytes }, account: { number: accountNumber }, sequence } = signing
  const { chainId } = context.block
  switch (mode) {
    case SignMode.SIGN_MODE_DIRECT:
      return SignDoc.encode({ bodyBytes, authInfoBytes, chainId, accountNumber }).finish()
    case SignMode.SIGN_MODE_DIRECT_AUX: {
      if (paysFee(signing)) return undefined
      const { publicKey } = signing
      return SignDocDirectAux.encode(SignDocDirectAux.fromPartial({
        bodyBytes, publicKey, chainId, accountNumber, sequence,
      })).finish()
    }
    case SignMode.SIGN_MODE_LEGACY_AMINO_JSON: return aminoPayload(context, signing)
    default: return undefined
  }
}

/** Who pays the fee must sign for it, which a signature over the body alone does not. */
function paysFee({ tx, account }: Signing): boolean {
  const payer = tx.fee.payer === '' ? txSigners(tx)[0] : addressOf(tx.fee.payer)
  return payer !== undefined && equalBytes(payer, account.address)
}

function aminoPayload(context: Context, signing: Signing): Uint8Array | undefined {
  return orUndefined(() => new TextEncoder().encode(aminoSignText(docOf(context, signing))))
}

function docOf(
  context: Context, { tx: { body, fee, messages }, account, sequence }: Signing,
): AminoSignDoc {
  return {
    chainId: context.block.chainId, accountNumber: account.number, sequence, fee, memo: body.memo,
    timeoutHeight: body.timeoutHeight, messages,
  }
}

/**
 * Returns what a wallet that signs typed data signs instead, in the newer form and the older; none
 * for a transaction that has no such form: one with several signers, a height or extension options
 * (cosmos/evm eip712 encoding.go, encoding_legacy.go).
 */
export function typedDataPayloads(
  context: Context, mode: SignMode | undefined, signing: Signing,
): readonly Uint8Array[] {
  const { tx, account } = signing
  const { body } = tx
  if (tx.signers.length !== 1 || txSigners(tx).length !== 1) return []
  const isAmino = mode === SignMode.SIGN_MODE_LEGACY_AMINO_JSON
  const hasMore = body.extensionOptions.length + body.nonCriticalExtensionOptions.length > 0
  if (!isAmino && (body.timeoutHeight !== 0n || hasMore)) return []
  const { amount, gasLimit } = tx.fee
  const fee = isAmino ? tx.fee : Fee.fromPartial({ amount, gasLimit })
  const { evmChainId } = context.fixed
  const forms = [
    () => eip712Bytes(aminoSignDoc({ ...docOf(context, signing), fee }), evmChainId),
    () => legacyEip712Bytes({
      doc: aminoSignDoc({ ...docOf(context, signing), fee }), evmChainId,
      typeUrls: tx.messages.map(({ typeUrl }) => typeUrl), feePayer: accountText(account.address),
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
