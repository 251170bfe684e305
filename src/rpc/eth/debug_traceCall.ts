import type { BlockRef } from '../../codec/blockRef.ts'
import { owner, stranger } from '../exampleCalls.ts'
import { hasQuirk } from '../../settings/quirks.ts'
import { param, query, type Context } from '../method.ts'
import type { CallOptions } from './calls.ts'
import { blockOverride, stateOverrides } from './overrides.ts'
import { stateParam } from './params.ts'
import { anyResult } from './results.ts'
import { traceCallConfig, type TraceCallConfig } from './traceConfig.ts'
import { traceMessage } from './tracing.ts'
import { txArgs } from '../../app/txArgs.ts'

export const debug_traceCall = query({
  name: 'debug_traceCall',
  summary:
    'Executes a call on the state after a block and returns its trace, from a tracer of geth or one in JavaScript.',
  spec: 'cosmos-evm-rpc.md §2.10',
  params: [param('transaction', txArgs), stateParam, param('config', traceCallConfig, undefined)],
  result: anyResult,
  examples: [
    {
      params: [{ from: owner, to: stranger }, 'latest', { tracer: 'callTracer' }],
      result: { from: owner, gas: '…', gasUsed: '0x5208', input: '0x', to: stranger, type: 'CALL', value: '0x0' },
    },
  ],
  read: (context, [args, at, config]) => {
    const isEarliest = at.kind === 'tag' && at.tag === 'earliest'
    const ref: BlockRef = isEarliest ? { kind: 'height', height: context.node.chain.history.base } : at
    return traceMessage(context, ref, { args, config, ...overridesIn(context, config) })
  },
})

/** Returns the overrides in a configuration; none under the quirk `call-overrides-limited`, as on the node. */
function overridesIn({ node: { settings } }: Context, config: TraceCallConfig | undefined): CallOptions {
  if (config === undefined || hasQuirk(settings, 'call-overrides-limited')) return {}
  const { stateOverrides: state, blockOverrides: block } = config
  return {
    overrides: stateOverrides(state),
    ...(block && { blockOverride: blockOverride.decode(block, 'config.blockOverrides') }),
  }
}
