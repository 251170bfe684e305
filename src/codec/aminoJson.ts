import { type Plain, type PlainObject, writeJson, sortedMembers } from './goJsonWrite.ts'
import { aminoOf, type Packed } from './schema/amino.ts'
import type { Coin, Fee } from './messages/cosmos.ts'

/** What a legacy amino signer signs over, as the transaction and the signer's account give it. */
export type AminoSignDoc = {
  readonly chainId: string
  readonly accountNumber: bigint
  readonly sequence: bigint
  readonly timeoutHeight: bigint
  readonly fee: Fee
  readonly memo: string
  readonly messages: readonly Packed[]
}

/**
 * Returns the canonical text that a SIGN_MODE_LEGACY_AMINO_JSON signature is over: keys sorted,
 * compact, escaped as Go does (cosmos-sdk x/auth/migrations/legacytx StdSignBytes). Throws
 * `AminoError` for a message without an amino form here.
 */
export function aminoSignText(doc: AminoSignDoc): string {
  return writeJson(sortedMembers(aminoSignDoc(doc)))
}

/** Returns what an amino signer signs over as an object. Throws `AminoError`. */
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
  }
}

function coins(amount: readonly Coin[]): Plain {
  return amount.map(coin)
}

function coin({ denom, amount }: Coin): PlainObject {
  return { amount, denom: nonEmpty(denom) }
}

// Amino leaves empty texts out.
function nonEmpty(text: string): string | undefined {
  return text === '' ? undefined : text
}
