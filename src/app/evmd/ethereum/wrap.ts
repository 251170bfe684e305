/** Ethereum transactions as the Comet transactions that carry them (cosmos-evm-rpc.md §4.1). */
import { AuthInfo, TxBody, TxRaw } from '../../../codec/protobuf/cosmos.ts'
import { msgEthereumTx, typeUrls } from '../../../codec/protobuf/cosmosEvm.ts'
import type { RecoveredTx } from '../../ethereumView.ts'
import { decodeTx, ethereumMessages } from '../tx/decodeTx.ts'
import { TxError } from '../txError.ts'
import { recoverTx } from './recover.ts'

/** Returns the one encoding of a Comet transaction that carries an Ethereum one. */
export function wrapTx({ tx, from, raw }: RecoveredTx, denom: string): Uint8Array {
  const value = msgEthereumTx.encode({ from, raw })
  const body = TxBody.fromPartial({
    messages: [{ typeUrl: typeUrls.msgEthereumTx, value }],
    extensionOptions: [
      { typeUrl: typeUrls.extensionOptionsEthereumTx, value: new Uint8Array(0) },
    ],
  })
  const fee = tx.gasLimit * tx.gasPrice
  const amount = fee === 0n ? [] : [{ denom, amount: fee.toString() }]
  const authInfo = AuthInfo.fromPartial({ fee: { amount, gasLimit: tx.gasLimit } })
  return TxRaw.encode({
    bodyBytes: TxBody.encode(body).finish(),
    authInfoBytes: AuthInfo.encode(authInfo).finish(),
    signatures: [],
  }).finish()
}

/** Returns the Ethereum transactions inside Comet transaction bytes; of others and of garbage none. */
export function unwrapTx(bytes: Uint8Array): readonly RecoveredTx[] {
  try {
    return ethereumMessages(decodeTx(bytes).messages).map(({ raw }) => recoverTx(raw))
  } catch (error) {
    if (error instanceof TxError || isCodecError(error)) return []
    throw error
  }
}

function isCodecError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code !== 'ASSERTION_FAILED'
}
