/** Ethereum transactions as the Comet transactions that carry them (cosmos-evm-rpc.md §4.1). */
import { msgEthereumTx, typeUrls } from '../../../codec/protobuf/cosmosEvm.ts'
import { always, bytes, message, repeated, uint64 } from '../../../codec/protobuf/message.ts'
import { remembered } from '../../../data/remembered.ts'
import type { RecoveredTx } from '../../ethereumView.ts'
import type { Coin } from '../modules/bank/coins.ts'
import { decodeTx, ethereumMessages } from '../tx/decodeTx.ts'
import { TxError } from '../txError.ts'
import { anyMessage, coinField, type StoredAny } from '../wire.ts'
import { recoverTx } from './recover.ts'

type Body = { messages: readonly StoredAny[]; extensions: readonly StoredAny[] }
type Fee = { amount: readonly Coin[]; gasLimit: bigint }

// A few fields of the SDK's Tx, in its order: the generated code takes five times as long.
const bodyMessage = message<Body>({
  1: ['messages', repeated(always(anyMessage))], 1023: ['extensions', repeated(always(anyMessage))],
})
const authMessage = message<{ fee: Fee }>({
  2: ['fee', always(message<Fee>({ 1: ['amount', repeated(coinField)], 2: ['gasLimit', uint64] }))],
})
const rawMessage = message<{
  body: Uint8Array; auth: Uint8Array
}>({ 1: ['body', bytes], 2: ['auth', bytes] })
const extension: StoredAny = {
  typeUrl: typeUrls.extensionOptionsEthereumTx, value: new Uint8Array(0),
}

/** Returns the one encoding of a Comet transaction that carries an Ethereum one. */
export function wrapTx({ tx, from, raw }: RecoveredTx, denom: string): Uint8Array {
  const value = msgEthereumTx.encode({ from, raw })
  const fee = tx.gasLimit * tx.gasPrice
  return rawMessage.encode({
    body: bodyMessage.encode(
      { messages: [{ typeUrl: typeUrls.msgEthereumTx, value }], extensions: [extension] }
    ),
    auth: authMessage.encode({
      fee: { amount: fee === 0n ? [] : [{ denom, amount: fee }], gasLimit: tx.gasLimit },
    }),
  })
}

/**
 * Returns the Ethereum transactions inside Comet transaction bytes; of others and of garbage none.
 */
export const unwrapTx: (bytes: Uint8Array) => readonly RecoveredTx[] = remembered((bytes) => {
  try {
    return ethereumMessages(decodeTx(bytes).messages).map(({ raw }) => recoverTx(raw))
  } catch (error) {
    if (error instanceof TxError || isCodecError(error)) return []
    throw error
  }
})

function isCodecError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code !== 'ASSERTION_FAILED'
}
