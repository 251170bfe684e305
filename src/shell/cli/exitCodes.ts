/** Exit codes of commands that could not do what they were asked (`mocks.md` §3.9). */
import { SimError } from '../../errors.ts'

/** Errors in what a person wrote: flags, files, addresses. */
const usageCodes = new Set([
  'BAD_SETTING',
  'UNKNOWN_KEY',
  'CONTRADICTION',
  'BAD_ADDRESS',
  'INVALID_SCENARIO',
  'UNREADABLE_SCENARIO',
  'NO_SCENARIO',
  'INVALID_RECORDING',
  'UNREADABLE_FILE',
  'INVALID_GENESIS',
  'INVALID_MNEMONIC',
])

/**
 * Returns the exit code for what a command threw: 2 for wrong usage or an invalid file, 7 for a
 * file that could not be written, 1 for anything else that stopped a correct command, 70 for a bug
 * in chainstage.
 */
export function codeOfError(error: unknown): number {
  if (!(error instanceof SimError)) return 70
  if (error.code === 'CANNOT_WRITE' || error.code === 'IN_USE') return 7
  return usageCodes.has(error.code) ? 2 : 1
}
