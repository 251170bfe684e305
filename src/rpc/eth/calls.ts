/** Executes messages for eth_call and similar methods (`cosmos-evm-rpc.md` §2.5). */
import { EstimateFailed, type BlockOverride, type EthereumCall, type StateOverride } from '../../app/ethereumView.ts'
import type { AppState, BlockContext } from '../../app/state.ts'
import { nextBlockTime } from '../../chain/clock.ts'
import { nextHeight } from '../../chain/produceBlock.ts'
import type { BlockRef } from '../../codec/blockRef.ts'
import type { EvmResult } from '../../evm/types.ts'
import { durationMs } from '../../settings/duration.ts'
import { hasQuirk } from '../../settings/quirks.ts'
import { dialectOf } from '../devDialects.ts'
import { RpcError } from '../errors.ts'
import type { Context } from '../method.ts'
import { codes, fromQueryServer, grpcText, serverError } from './errors.ts'
import { ethereumOf } from './lookup.ts'
import { revertError } from './revert.ts'
import { assertCallable, callMessage, gasWithoutCap, type TxArgs } from '../../app/txArgs.ts'

/**
 * Gas that corresponds to one second of the timeout for calls that cannot leave the core (design
 * §10).
 */
const gasPerSecond = 100_000_000n

export type CallOptions = {
  readonly overrides?: readonly StateOverride[]
  readonly blockOverride?: BlockOverride | undefined
  /** The block to execute in, if it is not the one that the state belongs to. */
  readonly block?: BlockContext
}

/** Returns the most gas that a call can use. */
export function gasCapOf({ node }: Context): bigint {
  return node.settings.gasCap === 0 ? gasWithoutCap : BigInt(node.settings.gasCap)
}

/** Returns the call for the given arguments. Throws if they contradict each other or this chain. */
export function callOf(
  context: Context,
  state: AppState,
  { args, ...options }: CallOptions & { readonly args: TxArgs },
): EthereumCall {
  const view = ethereumOf(context)
  fromQueryServer(() => assertCallable(args, view.params(state).chainId))
  const gasCap = gasCapOf(context)
  const authorizations = (args.authorizationList ?? []).map(view.recoverAuthorization)
  return {
    context: options.block ?? state.transient.header,
    tx: callMessage(args, { gasCap, authorizations }),
    gasCap,
    gasBudget: gasBudgetOf(context),
    overrides: options.overrides ?? [],
    blockOverride: options.blockOverride ?? {},
  }
}

/**
 * Returns the most gas of a call that must stay in the core; calls that may leave it have a time
 * limit.
 */
function gasBudgetOf({ view, node }: Context): bigint | undefined {
  return view === undefined ? (durationMs(node.settings.evmTimeout) * gasPerSecond) / 1000n : undefined
}

/**
 * Returns the block in which an estimate runs. For tags that follow the chain it is the next block:
 * the exact gas then suffices for contracts that read number, time or base fee. The node uses the
 * newest block (quirk `pending-is-latest`).
 */
export function estimateBlock(
  context: Context,
  at: BlockRef,
  state: AppState,
): Pick<CallOptions, 'block' | 'blockOverride'> {
  const {
    node: { chain, settings },
    caller,
  } = context
  if (state !== chain.app || at.kind !== 'tag' || hasQuirk(settings, 'pending-is-latest')) return {}
  const { seconds, nanos } = nextBlockTime(chain, caller.timeMs)
  const next = { height: nextHeight(chain), timeSeconds: seconds, timeNanos: nanos }
  return {
    block: { ...state.transient.header, ...next },
    blockOverride: { baseFee: ethereumOf(context).nextBaseFee(state) },
  }
}

/** Throws geth's error if a call exceeded its time (`evm-timeout`) rather than its gas limit. */
export function checkTime({ node }: Context, call: EthereumCall, { reason }: EvmResult): void {
  const { tx, gasCap, gasBudget } = call
  const asked = tx.gasLimit < gasCap ? tx.gasLimit : gasCap
  if (gasBudget === undefined || asked <= gasBudget) return
  if (reason?.detail.includes('out of gas') !== true) return
  throw serverError(`execution aborted (timeout = ${node.settings.evmTimeout})`)
}

/** Returns the output of a call. Throws the node's error for a revert or any other failure. */
export function outputOf(context: Context, result: EvmResult): Uint8Array {
  if (result.status === 'success') return result.output
  if (result.status === 'revert') throw revertError(context, result.output)
  throw haltError(context, grpcText('Internal', failureText(result)))
}

/**
 * Returns the error of a call that failed without reverting. In Hardhat's dialect it has empty data, without which
 * Hardhat's matcher `reverted` does not count it.
 */
function haltError(context: Context, text: string): RpcError {
  return new RpcError(codes.server, text, dialectOf(context) === 'hardhat' ? { data: '"0x"' } : {})
}

/** Returns the node's error text for a call that failed without reverting. */
export function failureText({ reason }: EvmResult): string {
  return reason?.detail ?? 'execution failed'
}

/** Returns the estimate of a call. Throws the errors of `eth_estimateGas`. */
export function estimated(context: Context, state: AppState, call: EthereumCall): bigint {
  try {
    return ethereumOf(context).estimate(state, call)
  } catch (error) {
    if (!(error instanceof EstimateFailed)) throw error
    const { result, message } = error
    if (result?.status === 'revert') throw revertError(context, result.output)
    const text = grpcText('Unknown', message)
    throw result === undefined ? serverError(text) : haltError(context, text)
  }
}
