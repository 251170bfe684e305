/** Traces through Ethereum JSON-RPC; the journal does not record these calls. */
import { SimError } from '../../errors.ts'
import type { Instance } from '../ports.ts'

/** Returns the trace of a transaction by its hash. Throws `NoTrace`. */
export function traced(instance: Instance, hash: string, config: object): unknown {
  const told = instance.peek('eth', 'debug_traceTransaction', [hash, config])
  if ('result' in told) return told.result
  throw new NoTrace(told.error.message)
}

/**
 * Thrown for a transaction that cannot be traced because it has no Ethereum part or its block was
 * pruned.
 */
export class NoTrace extends SimError {
  constructor(why: string) {
    super('NO_TRACE', `the transaction cannot be traced: ${why}`)
  }
}
