/** Turns errors that end a transaction, a proposal or a hook into failures or incidents. */
import { GoPanic } from '../../codec/comet.ts'
import { thrownInFull } from '../../errors.ts'
import { OutOfGas } from '../gasMeter.ts'
import type { Context } from './context.ts'
import { refusalOf, sdkError, type TxError } from './txError.ts'

/**
 * Returns the failure of a transaction caused by an error. A bug is recorded as an incident and
 * fails the transaction like a panic of the node (cosmos-sdk baseapp `runTx`), so the block is
 * still mined.
 */
export function failureOf(context: Context, where: string, error: unknown): TxError {
  if (error instanceof OutOfGas) return sdkError('outOfGas', error.message)
  if (error instanceof GoPanic) {
    return sdkError('panic', `recovered: ${error.message}\nstack:\n`)
  }
  const refusal = refusalOf(error)
  if (refusal !== undefined) return refusal
  context.counters.incidents.push(`${where}\n${thrownInFull(error)}`)
  return sdkError('panic', 'recovered: a bug in chainstage; its log says more')
}

/**
 * Runs a part of a block outside any transaction and returns its result. If it throws, the error is
 * recorded as an incident and its changes are reverted, so the block is still mined.
 */
export function runContained<Result>(context: Context, where: () => string, run: () => Result): Result | undefined {
  const changes = context.draft.mark()
  const events = context.events.length
  try {
    return run()
  } catch (error) {
    context.draft.cut(changes)
    context.events.length = events
    context.counters.incidents.push(`${where()}\n${thrownInFull(error)}`)
    return undefined
  }
}
