/** Actions that call methods, and that change the state of the scenario itself. */
import { z } from 'zod'
import { call as callShape, lateMark } from '../shapes.ts'
import { describedAction } from './descriptor.ts'

const call = describedAction({
  schema: callShape,
  keys: {
    call:
      'Calls a method as a client would; ${step.ID.result…} of later steps is its result. ' +
      "Example: { iface: 'eth', method: 'eth_chainId' }.",
  },
  compile: ({ iface, method, params }) => ({
    type: 'call',
    side: iface,
    method,
    params: JSON.stringify(params ?? []),
  }),
})

const setPhase = describedAction({
  schema: z.string(),
  keys: { setPhase: "Sets the phase of the scenario, for rules and expectations. Example: 'congested'." },
  compile: (name) => ({ type: 'setPhase', name }),
})

const set = describedAction({
  schema: z.record(z.string().regex(/^\w+$/, 'expected a name'), z.union([z.string(), z.int(), z.boolean()])),
  keys: { set: 'Sets values for ${set.NAME}. Example: { price: 3 }.' },
  compile: (values) => ({ type: 'set', values }),
})

const signal = describedAction({
  schema: z.string(),
  keys: { signal: "Name of a signal, sent by chainstage signal or by another step. Example: 'paid'." },
  compile: (name) => ({ type: 'signal', name }),
})

const log = describedAction({
  schema: z.string(),
  keys: { log: "Text for the log. Example: 'the payment is in'." },
  compile: (text) => ({ type: 'log', text }),
})

/** Internal: an action with late expressions. It never appears in files. */
const late = describedAction({
  schema: lateMark,
  keys: {},
  compile: ({ json }) => ({ type: 'late', json }),
})

export const progressActions = { call, setPhase, set, signal, log, late }
