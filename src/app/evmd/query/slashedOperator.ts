/** The validator in a request for its slashes; the precompile reads it in the same way. */
import { isExpected } from '../../../errors.ts'
import { type Addressing, operatorOf } from '../address.ts'
import { invalidArgument } from './status.ts'

/** Returns an operator address. The node checks only its format and does not say what was wrong. */
export function slashedOperator(at: Addressing, address: string): Uint8Array {
  try {
    return operatorOf(at, address)
  } catch (error) {
    if (!isExpected(error)) throw error
    throw invalidArgument('invalid validator address')
  }
}
