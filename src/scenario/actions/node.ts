/** Actions on the node as clients see it, on its connections, and on faults. */
import { z } from 'zod'
import type { Action } from '../../plan/action.ts'
import { compileFault } from '../compileFault.ts'
import { stall } from '../effects/sockets.ts'
import { fault } from '../faultSchema.ts'
import { closeCodes, closeReason, count, duration, isCloseCode, side, span } from '../shapes.ts'
import { spanOf, type SpanFile } from '../span.ts'
import { commandAction, describedAction, several } from './descriptor.ts'

/** A number of blocks, or a duration. */
const lag = z.union([count.transform((blocks) => ({ blocks: BigInt(blocks) })), span])

const node = describedAction({
  schema: z
    .strictObject({
      prunedBelow: z.int().min(1).optional(),
      catchingUp: z.boolean().optional(),
      behind: lag.meta({ description: 'answers from an older state, by blocks or time; 0 ends it' }).optional(),
      indexLag: lag
        .meta({ description: 'delays receipts, logs and searches, by blocks or time; 0 ends it' })
        .optional(),
      listen: z.boolean().meta({ description: 'whether the ports accept connections' }).optional(),
      peers: z.int().min(0).max(1000).meta({ description: 'number of peers that the node reports' }).optional(),
      for: span.optional(),
    })
    .refine(
      (one) => Object.keys(one).some((key) => key !== 'for'),
      'expected at least one of prunedBelow, catchingUp, behind, indexLag, listen or peers',
    ),
  keys: {
    node: 'Changes the node as clients see it. Example: { catchingUp: true }.',
    prunedBelow: 'Prunes blocks below this height. Example: 10.',
    catchingUp: 'Whether the node reports that it is catching up. Example: true.',
    behind: "Answers from an older state. Example: '3 blocks'. 0 ends it.",
    listen: 'Whether the ports accept connections. Example: false.',
    peers: 'Number of peers that the node reports. Example: 4.',
  },
  compile: ({ prunedBelow, catchingUp, behind, indexLag, listen, peers, for: lasting }) =>
    several(
      ...(prunedBelow === undefined ? [] : [commandAction({ type: 'prune', below: BigInt(prunedBelow) })]),
      ...(catchingUp === undefined && peers === undefined
        ? []
        : [
            {
              type: 'settings',
              span: spanOf(lasting),
              settings: {
                ...(catchingUp === undefined ? {} : { catchingUp }),
                ...(peers === undefined ? {} : { peers }),
              },
            } as const,
          ]),
      ...(behind === undefined ? [] : [lagging('behind', behind, lasting)]),
      // A node that has caught up no longer lags.
      ...(catchingUp === false && behind === undefined ? [{ type: 'clearFault', name: 'node-behind' } as const] : []),
      ...(indexLag === undefined ? [] : [lagging('index', indexLag, lasting)]),
      ...(listen === undefined
        ? []
        : [
            listen
              ? ({ type: 'clearFault', name: 'node-listen' } as const)
              : nodeFault('listen', { refuse: true }, lasting),
          ]),
    ),
})

/**
 * Returns the action that makes the node or its indexes lag, as a named fault. A lag of zero ends
 * the fault.
 */
function lagging(what: 'behind' | 'index', by: SpanFile, lasting: SpanFile | undefined): Action {
  const isNone = 'ms' in by ? by.ms === 0n : by.blocks === 0n
  if (isNone) return { type: 'clearFault', name: `node-${what}` }
  const text = 'ms' in by ? `${by.ms}ms` : `${by.blocks} blocks`
  return nodeFault(what, what === 'index' ? { indexLag: text } : { stale: { lag: text } }, lasting)
}

/** Returns the action that turns on the fault `node-<what>`, for a span or until it is cleared. */
export function nodeFault(what: string, effect: object, lasting: SpanFile | undefined): Action {
  return faultOn(`node-${what}`, { effect }, lasting)
}

function faultOn(name: string, given: object, lasting: SpanFile | undefined): Action {
  const { ms, blocks } = spanOf(lasting) ?? {}
  return { type: 'useFault', name, rule: compileFault(name, fault.parse(given)), forMs: ms, forBlocks: blocks }
}

const ws = describedAction({
  schema: z
    .strictObject({
      close: z
        .union([
          z.literal(true).transform(() => ({ code: undefined, reason: undefined })),
          z.strictObject({
            code: z.int().refine(isCloseCode, closeCodes).optional(),
            reason: closeReason.optional(),
          }),
        ])
        .optional(),
      stall: stall.meta({ description: 'holds events back; calls are still answered' }).optional(),
      unstall: z
        .literal([true, 'deliver', 'discard'])
        .meta({
          description: 'ends the stall of the same match; events held back are delivered or discarded',
        })
        .optional(),
      match: z
        .strictObject({
          iface: side.optional(),
          subscription: z.string().optional(),
        })
        .optional(),
      for: span.optional(),
    })
    .refine(
      ({ close, stall: held, unstall }) => [close, held, unstall].filter((one) => one !== undefined).length === 1,
      'expected one of close, stall or unstall',
    )
    .refine((one) => one.for === undefined || one.stall !== undefined, '"for" is only valid with stall'),
  keys: {
    'do.ws': 'Closes, stalls or resumes WebSocket connections. Example: { close: { code: 1006 } }.',
    'finally.ws': 'Closes, stalls or resumes WebSocket connections. Example: { close: { code: 1006 } }.',
    'do.ws.close': 'Closes the connections. Example: { code: 1006 }.',
    'finally.ws.close': 'Closes the connections. Example: { code: 1006 }.',
    'ws.match': "Which connections it applies to. Default: all. Example: { iface: 'eth' }.",
    unstall: 'Ends the stall of the same match: events held back are delivered or discarded. Example: true.',
  },
  compile: ({ close, stall: held, unstall, match = {}, for: lasting }) => {
    const { iface, subscription } = match
    if (close !== undefined) {
      const { code = 1001, reason = '' } = close
      return { type: 'closeWs', code, reason, side: iface, query: subscription }
    }
    // The name contains the match, so only the same match ends the stall.
    const name = ['ws-stall', iface, subscription].filter((one) => one !== undefined).join(' ')
    const stalled = (backlog: 'deliver' | 'discard'): Action =>
      faultOn(name, { match: { ...match, transport: 'ws' }, effect: { ws: { stall: { backlog } } } }, lasting)
    if (held !== undefined) return stalled(held.backlog)
    const end: Action = { type: 'clearFault', name }
    return unstall === 'discard' ? several(stalled('discard'), end) : end
  },
})

const app = describedAction({
  schema: z.union([
    z.strictObject({ infoFails: z.string() }),
    z.strictObject({ slow: duration, for: span.optional() }),
  ]),
  keys: {},
  compile: (given) =>
    'infoFails' in given
      ? commandAction({ type: 'changeSettings', settings: { infoFails: given.infoFails } })
      : faultOn(
          'app-slow',
          {
            match: { iface: 'comet', method: ['abci_*', 'broadcast_tx_*', 'check_tx'] },
            effect: { latency: `${given.slow}ms` },
          },
          given.for,
        ),
})

const useFault = describedAction({
  schema: z.union([
    z.string().transform((use) => ({ use, for: undefined, once: undefined })),
    z.strictObject({ use: z.string(), for: span.optional(), once: z.boolean().optional() }),
    z.strictObject({
      inline: fault,
      as: z.string().optional(),
      for: span.optional(),
      once: z.boolean().optional(),
    }),
  ]),
  keys: {
    fault: "Turns a fault on: 'slow' is short for { use: 'slow' }. Example: { use: 'slow', for: '10s' }.",
    use: "Name of a fault in faults. Example: 'slow'.",
    once: 'Turns the fault off after its first hit. Default: false. Example: true.',
    inline: "A fault declared here. Example: { match: { method: 'eth_*' }, effect: { latency: '2s' } }.",
  },
  compile: (given) => {
    const { ms, blocks } = spanOf(given.for) ?? {}
    const name = 'use' in given ? given.use : (given.as ?? 'inline')
    return {
      type: 'useFault',
      name,
      forMs: ms,
      forBlocks: blocks,
      ...('inline' in given && { rule: compileFault(name, given.inline) }),
      ...(given.once === true && { once: true }),
    }
  },
})

const clearFault = describedAction({
  schema: z.string(),
  keys: { clearFault: "Turns a fault off, by name. Example: 'slow'." },
  compile: (name) => ({ type: 'clearFault', name: name === '*' ? undefined : name }),
})

export const nodeActions = { node, ws, app, fault: useFault, clearFault }
