/** Runs messages for eth_call and its kin (`cosmos-evm-rpc.md` §2.5). */
import type { BlockOverride, EthereumCall, StateOverride } from '../../app/ethereumView.ts'
import type { AppState, BlockContext } from '../../app/state.ts'
import { nextBlockTime } from '../../chain/clock.ts'
import { nextHeight } from '../../chain/produceBlock.ts'
import type { BlockRef } from '../../codec/blockRef.ts'
import type { EvmResult } from '../../evm/types.ts'
import { durationMs } from '../../settings/duration.ts'
import { hasQuirk } from '../../settings/quirks.ts'
import type { Context } from '../method.ts'
import { fromQueryServer, grpcText, serverError, type GrpcCode } from './errors.ts'
import { ethereumOf } from './lookup.ts'
import { revertError } from './revert.ts'
import { assertCallable, callMessage, type TxArgs } from '../../app/txArgs.ts'

/** Gas a call may use when no cap is set: geth's half of the largest 64-bit number. */
const noCap = (1n << 63n) - 1n

/** Gas that is worth a second of the timeout where a call cannot leave the core (design §10). */
const gasPerSecond = 100_000_000n

export type CallOptions = {
  readonly overrides?: readonly StateOverride[]
  readonly blockOverride?: BlockOverride | undefined
  /** The block to run in instead of the one that the state belongs to. */
  readonly block?: BlockContext
}

/** Returns the gas that a call may use at most. */
export function gasCapOf({ node }: Context): bigint {
  return node.settings.gasCap === 0 ? noCap : BigInt(node.settings.gasCap)
}

/**
 * Returns the call that arguments describe; throws when they contradict each other or this chain.
 */
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

/** A call that may leave the core has a time limit there; any other may burn so much gas. */
function gasBudgetOf({ view, node }: Context): bigint | undefined {
  return view === undefined ? (durationMs(node.settings.evmTimeout) * gasPerSecond) / 1000n : undefined
}

/**
 * Returns the block that an estimate on a state runs in. For tags that follow the chain that is the
 * next one, so that the exact gas suffices for contracts that read number, time or base fee; the
 * node takes the newest one (quirk `pending-is-latest`).
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

/** Throws geth's text when it was the time of a call (`evm-timeout`) that ran out, not its gas. */
export function checkTime({ node }: Context, call: EthereumCall, { reason }: EvmResult): void {
  const { tx, gasCap, gasBudget } = call
  const asked = tx.gasLimit < gasCap ? tx.gasLimit : gasCap
  if (gasBudget === undefined || asked <= gasBudget) return
  if (reason?.detail.startsWith('out of gas') !== true) return
  throw serverError(`execution aborted (timeout = ${node.settings.evmTimeout})`)
}

/** Returns what a call returned; throws the node's error for a revert or any other failure. */
export function outputOf(context: Context, result: EvmResult, code: GrpcCode): Uint8Array {
  if (result.status === 'success') return result.output
  if (result.status === 'revert') throw revertError(context, result.output)
  throw serverError(grpcText(code, failureText(result)))
}

/** Returns what the node says of a call that failed without reverting. */
export function failureText({ reason }: EvmResult): string {
  return reason?.detail ?? 'execution failed'
}
