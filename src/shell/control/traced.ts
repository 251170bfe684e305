/** Traces through Ethereum JSON-RPC; the journal does not record these calls. */
import { SimError } from '../../errors.ts'
import type { Instance } from '../ports.ts'

/** Returns the result of a tracing method. Throws `NoTrace`. */
export function traced(instance: Instance, method: string, params: readonly unknown[]): unknown {
  const told = instance.peek('eth', method, params)
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
