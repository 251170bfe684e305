import { SimError } from '../../../errors.ts'

/** A precompile reverts its call; the message is the revert reason. */
export class Reverted extends SimError {
  constructor(text: string) {
    super('PRECOMPILE_REVERTED', text)
  }
}
