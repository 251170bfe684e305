import { SimError } from '../../../errors.ts'

/** A precompile that gives its call up; the message is the reason that the caller gets. */
export class Reverted extends SimError {
  constructor(text: string) {
    super('PRECOMPILE_REVERTED', text)
  }
}
