/** How the queries of the EVM run messages: immediately, or through a view that long ones can leave. */
import { createDraft } from '../../draft.ts'
import type { QueryContext } from '../../application.ts'
import type { BlockTraces, EthereumCall, TraceEnd } from '../../ethereumView.ts'
import type { EvmResult } from '../../../evm/types.ts'
import { newContext, type Context } from '../context.ts'
import { runCall } from '../ethereum/call.ts'
import { estimateGas } from '../ethereum/estimate.ts'
import { blockTraces } from '../ethereum/trace.ts'

/** Gas of a query without a time limit: as much as an Ethereum JSON-RPC call in five seconds (design §10). */
export const gasMost = 500_000_000n

/** The functions that run messages on the state of a query. */
export type Executions = {
  readonly call: (call: EthereumCall) => EvmResult
  readonly estimate: (call: EthereumCall) => bigint
  /** Traces on a separate draft, so that the state of the query does not change. */
  readonly blockTraces: (asked: Omit<BlockTraces, 'state'>) => readonly TraceEnd[]
  /** The most gas of a call, or undefined if its time is limited instead. */
  readonly gasBudget: bigint | undefined
}

/** Returns the executions of a query. Without a view, they run immediately and within a budget of gas. */
export function executionsOf(context: Context, view: QueryContext['view']): Executions {
  const { base } = context.draft
  if (view !== undefined) {
    return {
      call: (call) => view.call(base, call),
      estimate: (call) => view.estimate(base, call),
      blockTraces: (asked) => view.blockTraces(() => ({ state: base, ...asked })),
      gasBudget: undefined,
    }
  }
  return {
    call: (call) => runCall(context, call),
    estimate: (call) => estimateGas(context, call),
    blockTraces: ({ block, ...asked }) =>
      blockTraces(newContext({ ...context, block, draft: createDraft(base), mode: 'query' }), asked),
    gasBudget: gasMost,
  }
}
