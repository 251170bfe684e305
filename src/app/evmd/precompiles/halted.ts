import { SimError } from '../../../errors.ts'

/** A precompile fails without revert data and consumes all gas of the call. */
export class Halted extends SimError {
  constructor(text: string) {
    super('PRECOMPILE_HALTED', text)
  }
}
