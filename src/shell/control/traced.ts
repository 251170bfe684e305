/** Traces as Ethereum JSON-RPC gives them, without a trace of their own in the journal. */
import { SimError } from '../../errors.ts'
import type { Instance } from '../ports.ts'

/** Returns the result of a tracing method. Throws `NoTrace`. */
export function traced(instance: Instance, method: string, params: readonly unknown[]): unknown {
  const told = instance.peek('eth', method, params)
  if ('result' in told) return told.result
  throw new NoTrace(told.error.message)
}

/** A transaction that cannot be traced: it has no Ethereum part, or its block is gone. */
export class NoTrace extends SimError {
  constructor(why: string) {
    super('NO_TRACE', `the transaction cannot be traced: ${why}`)
  }
}
