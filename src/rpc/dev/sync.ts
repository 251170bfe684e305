/** Sends a transaction and returns its receipt (EIP-7966; Anvil has both methods). */
import type { Outcome } from '../../chain/outcome.ts'
import { optional } from '../../codec/codec.ts'
import type { Plain } from '../../codec/goJsonWrite.ts'
import { hexOf } from '../../codec/hex.ts'
import { receiptJson } from '../../feed/ethShapes.ts'
import { RpcError } from '../errors.ts'
import { rawSubmission, submittedHash } from '../eth/broadcast.ts'
import { minedByHash } from '../eth/lookup.ts'
import { dataParam } from '../eth/params.ts'
import { shaped } from '../eth/results.ts'
import { sendAsNode } from '../eth/sendAsNode.ts'
import { txArgs } from '../../app/txArgs.ts'
import { owner, signedTx } from '../exampleCalls.ts'
import { action, param, WaitingReply, type Context, type Method } from '../method.ts'
import { milliseconds } from './integers.ts'

const timeout = param('timeout', optional(milliseconds), undefined)
const timeoutMs = 30_000n

/** Error code of EIP-7966: the transaction is still pending. */
const notYet = 4

const declared = {
  spec: 'EIP-7966',
  result: shaped({ type: 'object' }),
  traits: ['changesWorld', 'submits', 'ofMinedTx', 'showsTxs'] as const,
}

export const sync: readonly Method[] = [
  action({
    ...declared,
    name: 'eth_sendRawTransactionSync',
    summary: 'Submits a signed transaction and returns its receipt, waiting up to a timeout in milliseconds.',
    params: [dataParam, timeout],
    examples: [{ before: signedTx, params: ['$1'], result: '…' }],
    command: (context, [raw]) => rawSubmission(context, raw),
    reply: (context, outcome, [, most]) => receiptOf(context, outcome, most ?? timeoutMs),
  }),
  action({
    ...declared,
    name: 'eth_sendTransactionSync',
    summary: 'Signs and submits a transaction and returns its receipt, waiting up to a timeout in milliseconds.',
    params: [param('transaction', txArgs), timeout],
    examples: [{ params: [{ from: owner, to: owner, value: '0x1' }], result: '…' }],
    command: (context, [args]) => sendAsNode(context, args),
    reply: (context, outcome, [, most]) => receiptOf(context, outcome, most ?? timeoutMs),
  }),
]

function receiptOf(context: Context, outcome: Outcome, most: bigint): Plain | WaitingReply {
  const hash = submittedHash(outcome, '')
  const mined = minedByHash(context.node.chain, hash)
  if (mined !== undefined) return receiptJson(mined.record, mined.tx, mined.tx.receipt.cumulativeGasUsed)
  if (context.woken === undefined) return new WaitingReply({ for: 'ethTx', hash }, most)
  throw new RpcError(notYet, `transaction ${hexOf(hash)} was not mined within ${most} ms; it waits in the mempool`)
}
