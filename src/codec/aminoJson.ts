import { SimError } from '../errors.ts'
import type { Plain, PlainObject } from './goJsonWrite.ts'
import { writeJson } from './goJsonWrite.ts'
import type { Any, Coin, Fee } from './protobuf/cosmos.ts'
import {
  MsgBeginRedelegate,
  MsgDelegate,
  MsgMultiSend,
  MsgSend,
  MsgUndelegate,
  MsgVote,
  MsgWithdrawDelegatorReward,
} from './protobuf/cosmos.ts'

/** What a legacy amino signer signs over, as the transaction and the signer's account give it. */
export type AminoSignDoc = {
  readonly chainId: string
  readonly accountNumber: bigint
  readonly sequence: bigint
  readonly timeoutHeight: bigint
  readonly fee: Fee
  readonly memo: string
  readonly messages: readonly Any[]
}

/**
 * Returns the canonical text that a SIGN_MODE_LEGACY_AMINO_JSON signature is over: keys sorted,
 * compact, escaped as Go does (cosmos-sdk x/auth/migrations/legacytx StdSignBytes). Throws
 * `AminoError` for a message without an amino form here.
 */
export function aminoSignText(doc: AminoSignDoc): string {
  return writeJson(sorted({
    account_number: doc.accountNumber.toString(),
    chain_id: doc.chainId,
    fee: {
      amount: coins(doc.fee.amount),
      gas: doc.fee.gasLimit.toString(),
      granter: nonEmpty(doc.fee.granter),
      payer: nonEmpty(doc.fee.payer),
    },
    memo: doc.memo,
    msgs: doc.messages.map(aminoMessage),
    sequence: doc.sequence.toString(),
    timeout_height: doc.timeoutHeight === 0n ? undefined : doc.timeoutHeight.toString(),
  }))
}

/**
 * Returns a message as `{ type, value }` of amino JSON. Throws `AminoError` when it has no form
 * here.
 */
export function aminoMessage(message: Any): PlainObject {
  const form = forms[message.typeUrl]
  if (form === undefined) throw new AminoError(message.typeUrl)
  return { type: form.name, value: form.value(message.value) }
}

type Form = { readonly name: string; value(bytes: Uint8Array): PlainObject }

const forms: Readonly<Record<string, Form>> = {
  '/cosmos.bank.v1beta1.MsgSend': {
    name: 'cosmos-sdk/MsgSend',
    value: (bytes) => {
      const { fromAddress, toAddress, amount } = MsgSend.decode(bytes)
      return {
        from_address: nonEmpty(fromAddress),
        to_address: nonEmpty(toAddress),
        amount: coins(amount),
      }
    },
  },
  '/cosmos.bank.v1beta1.MsgMultiSend': {
    name: 'cosmos-sdk/MsgMultiSend',
    value: (bytes) => {
      const { inputs, outputs } = MsgMultiSend.decode(bytes)
      return { inputs: inputs.map(share), outputs: outputs.map(share) }
    },
  },
  '/cosmos.staking.v1beta1.MsgDelegate': {
    name: 'cosmos-sdk/MsgDelegate', value: (bytes) => delegation(MsgDelegate.decode(bytes)),
  },
  '/cosmos.staking.v1beta1.MsgUndelegate': {
    name: 'cosmos-sdk/MsgUndelegate', value: (bytes) => delegation(MsgUndelegate.decode(bytes)),
  },
  '/cosmos.staking.v1beta1.MsgBeginRedelegate': {
    name: 'cosmos-sdk/MsgBeginRedelegate',
    value: (bytes) => {
      const { delegatorAddress, validatorSrcAddress, validatorDstAddress, amount } =
        MsgBeginRedelegate.decode(bytes)
      return {
        delegator_address: nonEmpty(delegatorAddress),
        validator_src_address: nonEmpty(validatorSrcAddress),
        validator_dst_address: nonEmpty(validatorDstAddress),
        amount: coin(amount),
      }
    },
  },
  '/cosmos.distribution.v1beta1.MsgWithdrawDelegatorReward': {
    name: 'cosmos-sdk/MsgWithdrawDelegationReward',
    value: (bytes) => {
      const { delegatorAddress, validatorAddress } = MsgWithdrawDelegatorReward.decode(bytes)
      return {
        delegator_address: nonEmpty(delegatorAddress),
        validator_address: nonEmpty(validatorAddress),
      }
    },
  },
  '/cosmos.gov.v1beta1.MsgVote': {
    name: 'cosmos-sdk/MsgVote',
    value: (bytes) => {
      const { proposalId, voter, option } = MsgVote.decode(bytes)
      return {
        proposal_id: proposalId.toString(),
        voter: nonEmpty(voter),
        option: option === 0 ? undefined : option,
      }
    },
  },
}

function share({
  address,
  coins: amount,
}: {
  address: string
  coins: readonly Coin[]
}): PlainObject {
  return { address: nonEmpty(address), coins: coins(amount) }
}

type Delegation = { delegatorAddress: string; validatorAddress: string; amount: Coin }

function delegation({ delegatorAddress, validatorAddress, amount }: Delegation): PlainObject {
  return {
    delegator_address: nonEmpty(delegatorAddress),
    validator_address: nonEmpty(validatorAddress),
    amount: coin(amount),
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

function sorted(value: Plain): Plain {
  if (Array.isArray(value)) return value.map((item: Plain) => sorted(item))
  if (value === null || typeof value !== 'object') return value
  const entries = Object.entries(value).sort(([left], [right]) => left < right ? -1 : 1)
  return Object.fromEntries(
    entries.map(([name, each]) => [name, each === undefined ? undefined : sorted(each)]),
  )
}

/** A message that a legacy amino signer cannot have signed here. */
export class AminoError extends SimError {
  constructor(typeUrl: string) {
    super('NO_AMINO_FORM', `no amino JSON form for ${typeUrl}`, {
      hint: `Sign it with SIGN_MODE_DIRECT. Known here: ${Object.keys(forms).join(', ')}.`,
    })
  }
}
