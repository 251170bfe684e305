import { type Plain, type PlainObject, writeJson, sortedMembers } from './goJsonWrite.ts'
import { aminoOf, type Packed } from './schema/amino.ts'
import type { Coin, Fee } from './messages/cosmos.ts'
import { formatTime } from './time.ts'
import type { Time } from '../data/time.ts'

/** The parts of a transaction that a legacy amino signer signs, with the signer's account data. */
export type AminoSignDoc = {
  readonly chainId: string
  readonly accountNumber: bigint
  readonly sequence: bigint
  readonly timeoutHeight: bigint
  readonly timeout: Time | undefined
  readonly fee: Fee
  readonly memo: string
  readonly messages: readonly Packed[]
}

/**
 * Returns the canonical text that a SIGN_MODE_LEGACY_AMINO_JSON signature covers. Keys are sorted,
 * the JSON is compact, and characters are escaped as Go does (cosmos-sdk x/auth/migrations/legacytx
 * StdSignBytes). Throws `AminoError` for a message without an amino form.
 */
export function aminoSignText(doc: AminoSignDoc): string {
  return writeJson(sortedMembers(aminoSignDoc(doc)))
}

/** Returns the sign document of `aminoSignText` as an object. Throws `AminoError`. */
export function aminoSignDoc(doc: AminoSignDoc): PlainObject {
  return {
    account_number: doc.accountNumber.toString(),
    chain_id: doc.chainId,
    fee: {
      amount: coins(doc.fee.amount),
      gas: doc.fee.gasLimit.toString(),
      granter: nonEmpty(doc.fee.granter),
      payer: nonEmpty(doc.fee.payer),
    },
    memo: doc.memo,
    msgs: doc.messages.map((each) => sortedMembers(aminoOf(each))),
    sequence: doc.sequence.toString(),
    timeout_height: doc.timeoutHeight === 0n ? undefined : doc.timeoutHeight.toString(),
    timeout_timestamp: doc.timeout && formatTime(doc.timeout),
  }
}

function coins(amount: readonly Coin[]): Plain {
  return amount.map(coin)
}

function coin({ denom, amount }: Coin): PlainObject {
  return { amount, denom: nonEmpty(denom) }
}

/** Returns a text, or undefined if it is empty: Amino omits empty strings. */
export function nonEmpty(text: string): string | undefined {
  return text === '' ? undefined : text
}
