/** Executes an Ethereum transaction in a block (cosmos-evm-rpc.md §4, §7.2). */
import type { MsgEthereumTxResponse } from '../../codec/messages/cosmosEvm.ts'
import { hexOf, plainHexOf } from '../../codec/hex.ts'
import type { EvmDiff, EvmRead, EvmResult, EvmTx } from '../../evm/types.ts'
import type { RecoveredTx } from '../ethereumView.ts'
import type { EvmCoin } from '../evmCoin.ts'
import { txHash as txHashOf } from '../txHash.ts'
import { feeCollector } from './address.ts'
import { emit, type Context } from './context.ts'
import { multiplyTruncate, one, truncated } from './decimal.ts'
import { bloomWithLogs } from './modules/evm/bloom.ts'
import { evmEnv } from './modules/evm/env.ts'
import { deniedResult } from './ethereum/permissions.ts'
import { applyDiff, evmRead, withAccount } from './modules/evm/state.ts'
import { getFeemarketParams } from './modules/feemarket/params.ts'
import { sendWei } from './modules/precisebank/send.ts'
import { hostPrecompiles } from './precompiles/host.ts'
import { goError, TxError } from './txError.ts'
import { checksumAddress } from '../../crypto/checksumAddress.ts'

/** The result of an Ethereum transaction; `gas` is the gas charged. */
export type Executed = { readonly gas: bigint; readonly response: MsgEthereumTxResponse }

export type Job = {
  readonly message: RecoveredTx
  readonly coin: EvmCoin
  /** The price that the ante chain charged, in wei per gas. */
  readonly price: bigint
  /** Bytes of the CometBFT transaction. */
  readonly bytes: Uint8Array
}

/**
 * Runs a transaction whose fee has been taken: applies its changes, refunds the fee for uncharged
 * gas and emits its events. Throws `TxError` if the EVM rejects it or its changes cannot be
 * committed, and `GoPanic` as `Hosted.explain` does.
 */
export function runEthereumTx(context: Context, job: Job): Executed {
  const { message, coin } = job
  const before = context.events.length
  const result = execute(context, message, coin)
  if (result.status === 'refused') {
    throw goError(`${unapplied}: ${result.reason?.detail ?? 'refused'}`)
  }
  if (result.status === 'success' || !context.fixed.dropsFailedDelegations) {
    commitDiff(context, result.diff, coin)
  }
  // The node's state database loses the events of all precompiles and balances when it takes a frame back.
  if (result.frameFailed) context.events.length = before
  const gas = chargedGasOfTx(context, message.tx, result)
  const back = (message.tx.gasLimit - gas) * job.price
  if (back > 0n) sendWei(context, { from: feeCollector, to: message.from, wei: back }, coin)
  emitExecuted(context, job, { result, gas })
  const response = responseOf(context, message, { result, gas })
  context.counters.bloom = bloomWithLogs(context.counters.bloom, result.logs)
  context.counters.logs += result.logs.length
  context.counters.ethTxs += 1
  return { gas, response }
}

const unapplied = 'failed to apply transaction: failed to apply ethereum core message'

function commitDiff(context: Context, diff: EvmDiff, coin: EvmCoin): void {
  try {
    applyDiff(context, diff, coin)
  } catch (error) {
    if (!(error instanceof TxError)) throw error
    throw error.inside(`${unapplied}: failed to commit stateDB`)
  }
}

/** Returns the error text of a failed execution; '' after success. */
export function vmErrorOf({ status, reason }: EvmResult): string {
  if (status === 'success') return ''
  return status === 'revert' ? 'execution reverted' : (reason?.detail ?? 'execution failed')
}

/**
 * Returns the state reader for a transaction whose sender's sequence the ante chain has already
 * raised. Contract creation derives its address from the previous nonce.
 */
export function readForTx(read: EvmRead, message: RecoveredTx): EvmRead {
  return message.tx.to === undefined ? readBeforeTx(read, message) : read
}

/** Returns the state reader in which the sender has the nonce of the transaction. */
export function readBeforeTx(read: EvmRead, { tx, from }: RecoveredTx): EvmRead {
  return withAccount(read, from, (account) => account && { ...account, nonce: tx.nonce })
}

/** Skips the checks that the ante chain has already made. */
export const anteRelax = {
  nonce: true,
  fees: true,
  baseFee: true,
  senderCode: true,
  nonceBump: true,
} as const

function execute(context: Context, message: RecoveredTx, coin: EvmCoin): EvmResult {
  const env = evmEnv(context, anteRelax, message.from)
  const denied = deniedResult(env, message.tx)
  if (denied !== undefined) return denied
  const read = readForTx(evmRead(context, coin), message)
  const { host, read: noted, explain } = hostPrecompiles(context, read, coin)
  return explain(message.tx, context.fixed.engine.execute(env, message.tx, noted, { host }))
}

/**
 * Returns the gas charged for an execution: the gas executed minus the refund, but at least a share
 * of the limit. As on the node, the EIP-7623 floor is not charged; only the limit must cover it.
 */
export function chargedGasOfTx(context: Context, { gasLimit }: Pick<EvmTx, 'gasLimit'>, result: EvmResult): bigint {
  const least = leastCharge(context, gasLimit)
  const executed = result.gasPeak - result.refund
  return executed > least ? executed : least
}

/** Returns the minimum charge, as a share of the gas limit. */
export function leastCharge(context: Context, gasLimit: bigint): bigint {
  return truncated(multiplyTruncate(gasLimit * one, getFeemarketParams(context).minGasMultiplier))
}

type Outcome = { readonly result: EvmResult; readonly gas: bigint }

function emitExecuted(context: Context, { message, bytes }: Job, { result, gas }: Outcome): void {
  const { tx, from, hash } = message
  const failure = vmErrorOf(result)
  emit(context, 'ethereum_tx', {
    amount: tx.value.toString(),
    ethereumTxHash: hexOf(hash),
    txIndex: context.counters.ethTxs.toString(),
    txGasUsed: gas.toString(),
    txHash: plainHexOf(txHashOf(bytes)),
    ...(tx.to === undefined ? {} : { recipient: checksumAddress(tx.to) }),
    ...(failure === '' ? {} : { ethereumTxFailed: failure }),
  })
  emit(context, 'message', { module: 'evm', sender: hexOf(from), txType: tx.type.toString() })
}

/**
 * The hash in the logs of a response. The node leaves the block time at 0 and fills in the hashes
 * only when it answers requests (observed in its results).
 */
const noHash = `0x${'0'.repeat(64)}`

/** Returns the response of an executed message. */
export function responseOf(
  context: Context,
  { hash }: Pick<RecoveredTx, 'hash'>,
  { result, gas }: Outcome,
): MsgEthereumTxResponse {
  const { block, counters } = context
  // A simulation has no block hash, but uses the time of the last block.
  const blockHash = context.mode === 'simulate' ? new Uint8Array(0) : block.hash
  const logs = result.logs.map((log, index) => ({
    address: checksumAddress(log.address),
    topics: log.topics.map(hexOf),
    data: log.data,
    blockNumber: block.height,
    // The node fills in both hashes when it answers requests, not here.
    txHash: noHash,
    txIndex: BigInt(counters.ethTxs),
    blockHash: noHash,
    index: BigInt(counters.logs + index),
    removed: false,
    blockTimestamp: 0n,
  }))
  return {
    hash: hexOf(hash),
    logs,
    ret: result.output,
    vmError: vmErrorOf(result),
    gasUsed: gas,
    maxUsedGas: result.gasPeak,
    blockHash,
    blockTimestamp: block.timeSeconds,
  }
}
