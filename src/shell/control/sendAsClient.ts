/** Sends an Ethereum JSON-RPC call that changes the chain, as a client would. */
import type { KnownAbis } from './abis.ts'
import { whyFailed, type CallError } from './contracts.ts'
import { SimError } from '../../errors.ts'
import { requestInputOf } from '../../simulation/ask.ts'
import type { Instance } from '../ports.ts'

type Call = { readonly method: string; readonly params: unknown }

/**
 * Resolves with the result. Active faults apply to the call. Throws `SendRefused`, which names the
 * contract error if that is known.
 */
export async function sendAsClient(instance: Instance, { method, params }: Call, known: KnownAbis): Promise<unknown> {
  const asked = { side: 'eth', method, params: JSON.stringify(params) } as const
  const { seq: _, timeMs: __, session: ___, ...body } = requestInputOf(instance.simulation().node, asked)
  const text = await new Promise<string>((done) => {
    instance.enter(body, (reply) => done(reply.body))
  })
  const told = parsed(text)
  if (told.error !== undefined) throw new SendRefused(whyFailed(told.error, known))
  return told.result
}

function parsed(text: string): { readonly result?: unknown; readonly error?: CallError } {
  try {
    return JSON.parse(text) as { result?: unknown }
  } catch {
    return { error: { message: `expected a JSON response, received ${text.slice(0, 100)}` } }
  }
}

/** Thrown when the node rejects a transaction. */
export class SendRefused extends SimError {
  constructor(why: string) {
    super('SEND_REFUSED', why)
  }
}
