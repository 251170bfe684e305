/** Exit codes of failed commands (`mocks.md` §3.9). */
import { SimError } from '../../errors.ts'

/** Codes of user errors: in flags, files and addresses, and in values that the control API refuses. */
const usageCodes = new Set([
  'BAD_SETTING',
  'BAD_REQUEST',
  'UNKNOWN_KEY',
  'CONTRADICTION',
  'BAD_ADDRESS',
  'BAD_CERTIFICATE',
  'BAD_FLEET',
  'NO_CERTIFICATE',
  'INVALID_SCENARIO',
  'UNREADABLE_SCENARIO',
  'NO_SCENARIO',
  'INVALID_RECORDING',
  'UNREADABLE_FILE',
  'INVALID_GENESIS',
  'UNREAD_GENESIS',
  'BAD_STATE',
  'BROKEN_LOG',
  'BROKEN_HISTORY',
  'INVALID_MNEMONIC',
])

/**
 * Returns the exit code for an error. 2: wrong usage or an invalid file. 7: a file could not be
 * written. 1: any other error of a correct command. 70: a bug in chainstage. An error of a detached
 * process has the code of that process.
 */
export function codeOfError(error: unknown): number {
  if (!(error instanceof SimError)) return 70
  if (error.code === 'CANNOT_WRITE' || error.code === 'IN_USE') return 7
  if ('exitCode' in error && typeof error.exitCode === 'number') return error.exitCode || 1
  return usageCodes.has(error.code) ? 2 : 1
}
