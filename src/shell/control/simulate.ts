/** Simulates a transaction on the state after a block, with parts of that state overridden. */
import type { Frame } from '../../dashboard/core/traceShapes.ts'
import { readLacking } from '../../app/forked.ts'
import { txArgs } from '../../app/txArgs.ts'
import { parseJson } from '../../codec/goJson.ts'
import { isExpected } from '../../errors.ts'
import { callOf } from '../../rpc/eth/calls.ts'
import { aboveHead } from '../../rpc/eth/errors.ts'
import { ethereumOf, stateOfRef } from '../../rpc/eth/lookup.ts'
import { stateOverrides } from '../../rpc/eth/overrides.ts'
import type { Context } from '../../rpc/method.ts'
import type { KnownAbis } from './abis.ts'
import { NoTrace } from './traced.ts'
import { changesOf, diffing, named, type Diff } from './traceViews.ts'
import type { Instance } from '../ports.ts'

export type SimulatedCall = {
  readonly transaction: Readonly<Record<string, unknown>>
  /** A height, or `latest`. */
  readonly block: string
  /** State overrides by address, as in `eth_call`: balance, nonce, code, state, stateDiff. */
  readonly overrides?: Readonly<Record<string, unknown>> | undefined
}

/** Returns the calls of the transaction and the state that it would change. Throws `NoTrace`. */
export function simulateView(instance: Instance, asked: SimulatedCall, known: KnownAbis) {
  const run = tracing(instance, asked)
  return {
    calls: named(run('callTracer', {}) as Frame, instance, known),
    changes: changesOf(instance, run(diffing.tracer, diffing.tracerConfig) as Diff),
  }
}

/**
 * Returns a function that traces the transaction. It calls the application, because the node's
 * `debug_traceCall` ignores overrides.
 */
function tracing({ world, simulation }: Instance, { transaction, block, overrides }: SimulatedCall) {
  const { node } = simulation()
  const caller = { side: 'eth', transport: 'post', connection: undefined, id: '1', trusted: true, seq: 0 } as const
  const context: Context = { world, node, woken: undefined, caller: { ...caller, timeMs: node.nowMs } }
  return (tracer: string, config: object): unknown => {
    try {
      const at = block === 'latest' ? ({ kind: 'tag', tag: block } as const) : heightOf(block)
      const state = stateOfRef(context, at, aboveHead.query)
      const call = callOf(context, state, {
        args: txArgs.decode(parseJson(JSON.stringify(transaction)), 'transaction'),
        overrides: stateOverrides(overrides === undefined ? undefined : parseJson(JSON.stringify(overrides))),
      })
      const trace = {
        context: call.context,
        call,
        tracer,
        config: JSON.stringify(config),
        endsFailed: true,
      }
      const { value, lacks } = readLacking(node.chain.app.forked, () => ethereumOf(context).trace(state, trace))
      if (!lacks) return JSON.parse(value) as unknown
    } catch (error) {
      throw isExpected(error) ? new NoTrace(error.message) : error
    }
    throw new NoTrace('the chain that this one continues has not been asked about this state; an eth_call asks it')
  }
}

const heightOf = (digits: string) => ({ kind: 'height', height: BigInt(digits) }) as const
