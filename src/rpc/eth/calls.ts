/** Runs messages for eth_call and its kin (`cosmos-evm-rpc.md` §2.5). */
import type { BlockOverride, EthereumCall, StateOverride } from '../../app/ethereumView.ts'
import type { AppState } from '../../app/state.ts'
import type { EvmResult } from '../../evm/types.ts'
import { durationMs } from '../../settings/duration.ts'
import type { Context } from '../method.ts'
import { grpcText, serverError, type GrpcCode } from './errors.ts'
import { ethereumOf } from './lookup.ts'
import { revertError } from './revert.ts'
import { callMessage, checkPriceStyle, type TxArgs } from './txArgs.ts'

/** Gas a call may use when no cap is set: geth's half of the largest 64-bit number. */
const noCap = (1n << 63n) - 1n

/** Gas that is worth a second of the timeout (design §10). */
const gasPerSecond = 100_000_000n

export type CallOptions = {
  readonly overrides?: readonly StateOverride[]
  readonly blockOverride?: BlockOverride | undefined
}

/** Returns the gas that a call may use at most. */
export function gasCapOf({ node }: Context): bigint {
  return node.settings.gasCap === 0 ? noCap : BigInt(node.settings.gasCap)
}

/**
 * Returns the call that arguments describe; throws when they contradict each other or this chain.
 */
export function callOf(
  context: Context, state: AppState, { args, ...options }: CallOptions & { readonly args: TxArgs },
): EthereumCall {
  checkPriceStyle(args, (text) => grpcText('InvalidArgument', text))
  const view = ethereumOf(context)
  const { chainId } = view.params(state)
  if (args.chainId !== undefined && args.chainId !== chainId) {
    const text = `chainId does not match node's (have=${args.chainId}, want=${chainId})`
    throw serverError(grpcText('InvalidArgument', text))
  }
  const gasCap = gasCapOf(context)
  const authorizations = (args.authorizationList ?? []).map(view.recoverAuthorization)
  return {
    context: state.transient.header,
    tx: callMessage(args, { gasCap, authorizations }),
    gasCap,
    gasBudget: durationMs(context.node.settings.evmTimeout) * gasPerSecond / 1000n,
    overrides: options.overrides ?? [],
    blockOverride: options.blockOverride ?? {},
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
export function outputOf(result: EvmResult, code: GrpcCode): Uint8Array {
  if (result.status === 'success') return result.output
  if (result.status === 'revert') throw revertError(result.output)
  throw serverError(grpcText(code, failureText(result)))
}

/** Returns what the node says of a call that failed without reverting. */
export function failureText({ reason }: EvmResult): string {
  return reason?.detail ?? 'execution failed'
}

/** Returns whether a message was refused because its gas does not pay for its data. */
export function isGasTooLow(kind: string): boolean {
  return kind === 'CallGasCostMoreThanGasLimit' || kind === 'GasFloorMoreThanGasLimit'
}
