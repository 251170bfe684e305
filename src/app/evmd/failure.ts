/** What becomes of an error that ends a transaction, a proposal or a hook. */
import { GoPanic } from '../../codec/comet.ts'
import { thrownInFull } from '../../errors.ts'
import { OutOfGas } from '../gasMeter.ts'
import type { Context } from './context.ts'
import { refusalOf, sdkError, type TxError } from './txError.ts'

/**
 * Returns how a transaction fails because of an error. A bug is an incident, and fails the
 * transaction as a panic of the node does (cosmos-sdk baseapp `runTx`), so that the block is made.
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
 * Runs a part of a block that no transaction asks for, and returns its result. Whatever it throws
 * is an incident, and all that it did is taken back, so that the block is made.
 */
export function runContained<Result>(context: Context, where: string, run: () => Result): Result | undefined {
  const changes = context.draft.mark()
  const events = context.events.length
  try {
    return run()
  } catch (error) {
    context.draft.cut(changes)
    context.events.length = events
    context.counters.incidents.push(`${where}\n${thrownInFull(error)}`)
    return undefined
  }
}
