import { SimError } from '../../../errors.ts'

/** A precompile that fails without revert data: all gas of the call is gone. */
export class Halted extends SimError {
  constructor(text: string) {
    super('PRECOMPILE_HALTED', text)
  }
}
