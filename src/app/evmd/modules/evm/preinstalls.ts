/** Contracts that x/gov installs without a deployment (x/vm keeper preinstalls.go). */
import { bytesOfDigits } from '../../../../codec/hex.ts'
import { keccak256 } from '../../../../crypto/hash.ts'
import { equalBytes } from '../../../../data/bytes.ts'
import type { Context } from '../../context.ts'
import { TxError } from '../../txError.ts'
import { createAccount, hasAccount } from '../auth/accounts.ts'
import { emptyCodeHash, getCodeHash, setCode, setCodeHash } from './store.ts'

/** A contract to install. `address` and `code` are in hex. */
export type Preinstall = { name: string; address: string; code: string }

/** Installs a contract at an address without an account. Throws `invalid preinstall`. */
export function addPreinstall(context: Context, { address: spelled, code: hex }: Preinstall): void {
  const invalid = (why: string): TxError =>
    new TxError(`preinstall ${spelled} ${why}: invalid preinstall`, { code: 20, codespace: 'evm' })
  const given = bytesOf(spelled).slice(-20)
  const address = new Uint8Array(20)
  address.set(given, 20 - given.length)
  if (hex === '') throw invalid('has no code')
  const code = bytesOf(hex)
  const hash = keccak256(code)
  if (equalBytes(hash, emptyCodeHash)) throw invalid('has empty code hash')
  const known = getCodeHash(context, address)
  if (!equalBytes(known, emptyCodeHash) && !equalBytes(known, hash)) {
    throw invalid('already has a code hash with a different code hash')
  }
  if (hasAccount(context, address)) throw invalid('already has an account in account keeper')
  createAccount(context, address)
  setCodeHash(context, address, hash)
  setCode(context, hash, code)
}

/**
 * Returns the bytes of hex text. Go treats invalid hex as empty and pads an odd number of digits.
 */
function bytesOf(spelled: string): Uint8Array {
  const digits = spelled.replace(/^0x/i, '')
  return bytesOfDigits(digits.length % 2 === 1 ? `0${digits}` : digits) ?? new Uint8Array(0)
}
