/** Submits transactions and reports the results (`cosmos-evm-rpc.md` §2.7). */
import type { TxResult } from '../../app/abci.ts'
import type { RecoveredTx } from '../../app/ethereumView.ts'
import type { Outcome, Submitted } from '../../chain/outcome.ts'
import { decodeEthTx, encodeEthTx, legacyChainId, type EthTx } from '../../codec/ethTx.ts'
import { assert, isExpected } from '../../errors.ts'
import type { NodeCommand } from '../../node/command.ts'
import type { Context } from '../method.ts'
import { checkCrash, serverError } from './errors.ts'
import { chainIdOf, ethereumOf } from './lookup.ts'
import { checkStateless } from './stateless.ts'

// Texts that ABCIError appends to the log of a registered code: cosmos-sdk types/errors, and x/vm's
// errors of the ante chain.
const sdkDescriptions: Readonly<Record<number, string>> = {
  2: 'tx parse error',
  3: 'invalid sequence',
  4: 'unauthorized',
  5: 'insufficient funds',
  6: 'unknown request',
  7: 'invalid address',
  8: 'invalid pubkey',
  9: 'unknown address',
  10: 'invalid coins',
  11: 'out of gas',
  12: 'memo too large',
  13: 'insufficient fee',
  14: 'maximum number of signatures exceeded',
  15: 'no signatures supplied',
  18: 'invalid request',
  19: 'tx already in mempool',
  20: 'mempool is full',
  21: 'tx too large',
  26: 'invalid height',
  28: 'invalid chain-id',
  29: 'invalid type',
  30: 'tx timeout height',
  31: 'unknown extension options',
  32: 'incorrect account sequence',
  35: 'internal logic error',
  37: 'feature not supported',
  38: 'not found',
  41: 'invalid gas limit',
}

const descriptions: Readonly<Record<string, typeof sdkDescriptions>> = {
  sdk: sdkDescriptions,
  evm: { 5: 'EVM create operation is disabled', 6: 'EVM Call operation is disabled' },
}

/** Returns the command that submits signed bytes, after the checks of §2.7 in their order. */
export function rawSubmission(context: Context, raw: Uint8Array): NodeCommand {
  const tx = decodeEthTx(raw)
  checkChainId(context, tx)
  const recovered = recover(context, raw)
  checkStateless(tx, 'failed to validate transaction: ')
  const price = 'gasPrice' in tx ? tx.gasPrice : tx.maxFeePerGas
  checkCrash(context, price * tx.gas >= 1n << 256n)
  return { type: 'submitTx', tx: ethereumOf(context).wrap(context.node.chain.app, recovered), mode: 'admit' }
}

/** Returns the command that submits a transaction signed by this node. */
export function submission(context: Context, tx: EthTx): NodeCommand {
  const view = ethereumOf(context)
  checkStateless(tx, '')
  return { type: 'submitTx', tx: view.wrap(context.node.chain.app, view.decode(encodeEthTx(tx))), mode: 'admit' }
}

/**
 * Returns the Ethereum hash of an admitted transaction. If it was refused, throws the reason after
 * `prefix`.
 */
export function submittedHash(outcome: Outcome, prefix: string): Uint8Array {
  assert(outcome.type === 'submitted', `submitting gave ${outcome.type}`)
  const refusal = refusalOf(outcome)
  if (refusal !== undefined) throw serverError(`${prefix}${refusal}`)
  assert(outcome.ethHash !== undefined, 'an Ethereum transaction has an Ethereum hash')
  return outcome.ethHash
}

function refusalOf({ refusal, check, admitted }: Submitted): string | undefined {
  if (refusal !== undefined) return `: ${mempoolText(refusal)}`
  return admitted || check === undefined || check.code === 0 ? undefined : abciError(check)
}

// The SDK client recognizes CometBFT's refusals by their texts and replaces them
// (client/broadcast.go).
function mempoolText(refusal: string): string {
  const text = refusal.toLowerCase()
  if (text.includes('already exists in cache')) return 'tx already in mempool'
  if (text.includes('mempool is full')) return 'mempool is full'
  return text.includes('too large') ? 'tx too large' : refusal
}

function abciError({ code, codespace, log }: TxResult): string {
  return `${log}: ${descriptions[codespace]?.[code] ?? 'internal'}`
}

function checkChainId(context: Context, tx: EthTx): void {
  const { allowUnprotectedTxs } = context.node.settings
  if (allowUnprotectedTxs) return
  const chainId = tx.type === 0 ? legacyChainId(tx) : tx.chainId
  if (chainId === undefined) throw serverError('only replay-protected (EIP-155) transactions allowed over RPC')
  const expected = chainIdOf(context)
  if (chainId !== expected) throw serverError(`incorrect chain-id; expected ${expected}, got ${chainId}`)
}

function recover(context: Context, raw: Uint8Array): RecoveredTx {
  try {
    return ethereumOf(context).decode(raw)
  } catch (error) {
    if (!isExpected(error)) throw error
    throw serverError(`failed to convert ethereum transaction: ${error.message}`)
  }
}
