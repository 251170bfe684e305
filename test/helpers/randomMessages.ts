/** Random messages of all modules, from a seed, and what must hold whatever they do. */
import { toBech32 } from '@cosmjs/encoding'
import { GenericAuthorization } from 'cosmjs-types/cosmos/authz/v1beta1/authz'
import { MsgExec, MsgGrant, MsgRevoke } from 'cosmjs-types/cosmos/authz/v1beta1/tx'
import { MsgMultiSend, MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import { PubKey } from 'cosmjs-types/cosmos/crypto/ed25519/keys'
import {
  MsgCommunityPoolSpend,
  MsgFundCommunityPool,
  MsgSetWithdrawAddress,
  MsgWithdrawDelegatorReward,
  MsgWithdrawValidatorCommission,
} from 'cosmjs-types/cosmos/distribution/v1beta1/tx'
import { BasicAllowance } from 'cosmjs-types/cosmos/feegrant/v1beta1/feegrant'
import { MsgGrantAllowance, MsgRevokeAllowance } from 'cosmjs-types/cosmos/feegrant/v1beta1/tx'
import { MsgDeposit, MsgSubmitProposal, MsgVote } from 'cosmjs-types/cosmos/gov/v1/tx'
import { MsgUnjail } from 'cosmjs-types/cosmos/slashing/v1beta1/tx'
import {
  MsgBeginRedelegate,
  MsgCancelUnbondingDelegation,
  MsgCreateValidator,
  MsgDelegate,
  MsgUndelegate,
} from 'cosmjs-types/cosmos/staking/v1beta1/tx'
import { UnbondingDelegation } from 'cosmjs-types/cosmos/staking/v1beta1/staking'
import { Any } from 'cosmjs-types/google/protobuf/any'
import { createHash } from 'node:crypto'
import { any, type MessageChain, person, startMessages, type Person } from './messageChain.ts'

export type Random = (below: number) => number

/** A generator of numbers that is the same everywhere (mulberry32). */
export function randomOf(seed: number): Random {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below)
  }
}

const people = Array.from({ length: 8 }, (_, index) => person(index))

/** A chain of three validators whose periods pass within seconds. */
export function quickChain(): MessageChain {
  return startMessages({
    validators: 3,
    edit: (state) => {
      const parts: Record<string, object> = {
        staking: {
          params: {
            unbonding_time: '60s',
            max_validators: 4,
            max_entries: 3,
            historical_entries: 5,
            bond_denom: 'atest',
            min_commission_rate: '0.000000000000000000',
          },
        },
        slashing: {
          params: {
            signed_blocks_window: '10',
            min_signed_per_window: '0.500000000000000000',
            downtime_jail_duration: '20s',
            slash_fraction_double_sign: '0.050000000000000000',
            slash_fraction_downtime: '0.010000000000000000',
          },
        },
        gov: {
          params: {
            min_deposit: [{ denom: 'atest', amount: '1000' }],
            max_deposit_period: '40s',
            voting_period: '30s',
            burn_vote_veto: true,
            expedited_voting_period: '10s',
            expedited_min_deposit: [{ denom: 'atest', amount: '5000' }],
          },
        },
      }
      for (const [name, part] of Object.entries(parts)) {
        Object.assign(state, { [name]: { ...state[name], ...part } })
      }
    },
  })
}

/** One random message of one of eight people. */
export function randomMessage(chain: MessageChain, random: Random): { from: Person; message: Any } {
  const one = (): Person => people[random(people.length)] as Person
  const from = one()
  const validators = [...operatorsOf(chain), ...people.map(({ operator }) => operator)]
  // The first ones more often, so that most name a validator that is there.
  const operator = (): string => validators[Math.min(random(validators.length), random(validators.length))] ?? ''
  const amount = (): { denom: string; amount: string } => ({ denom: 'atest', amount: amountText(random) })
  const proposals = [...chain.store('gov', 0)].map(([key]) => Buffer.from(key).readBigUInt64BE(1))
  const proposal = (): bigint => proposals[proposals.length - 1 - random(4)] ?? 1n
  const { address } = from
  const own = from.operator
  const choices: readonly (() => Any)[] = [
    () => any(MsgSend, { fromAddress: address, toAddress: one().address, amount: [amount()] }),
    () => {
      const [a, b] = [amount(), amount()]
      const sum = { denom: 'atest', amount: (BigInt(a.amount) + BigInt(b.amount)).toString() }
      return any(MsgMultiSend, {
        inputs: [{ address, coins: [sum] }],
        outputs: [
          { address: one().address, coins: [a] },
          { address: one().address, coins: [b] },
        ],
      })
    },
    () => any(MsgDelegate, { delegatorAddress: address, validatorAddress: operator(), amount: amount() }),
    () => any(MsgDelegate, { delegatorAddress: address, validatorAddress: operator(), amount: amount() }),
    () => any(MsgUndelegate, { delegatorAddress: address, validatorAddress: operator(), amount: amount() }),
    () => any(MsgUndelegate, { delegatorAddress: address, validatorAddress: operator(), amount: amount() }),
    () =>
      any(MsgBeginRedelegate, {
        delegatorAddress: address,
        validatorSrcAddress: operator(),
        validatorDstAddress: operator(),
        amount: amount(),
      }),
    () => cancel(chain, random, from),
    () => createValidator(from, amount()),
    () => any(MsgUnjail, { validatorAddr: own }),
    () => any(MsgWithdrawDelegatorReward, { delegatorAddress: address, validatorAddress: operator() }),
    () => any(MsgWithdrawValidatorCommission, { validatorAddress: own }),
    () => any(MsgSetWithdrawAddress, { delegatorAddress: address, withdrawAddress: one().address }),
    () => any(MsgFundCommunityPool, { depositor: address, amount: [amount()] }),
    () =>
      any(MsgSubmitProposal, {
        proposer: address,
        title: 'a',
        summary: 'b',
        metadata: 'c',
        expedited: random(2) === 0,
        initialDeposit: [{ denom: 'atest', amount: String(1 + random(6000)) }],
        messages:
          random(2) === 0
            ? []
            : [
                any(MsgCommunityPoolSpend, {
                  authority: govAddress,
                  recipient: address,
                  amount: [{ denom: 'atest', amount: '1' }],
                }),
              ],
      }),
    () =>
      any(MsgDeposit, {
        depositor: address,
        proposalId: proposal(),
        amount: [{ denom: 'atest', amount: String(random(3000)) }],
      }),
    () => any(MsgVote, { voter: address, proposalId: proposal(), option: random(6) }),
    () =>
      any(MsgGrant, {
        granter: address,
        grantee: one().address,
        grant: {
          authorization: Any.fromPartial({
            typeUrl: GenericAuthorization.typeUrl,
            value: GenericAuthorization.encode({
              msg: [MsgSend.typeUrl, MsgDelegate.typeUrl][random(2)] ?? '',
            }).finish(),
          }),
          expiration: { seconds: chain.time + BigInt(random(120)), nanos: 0 },
        },
      }),
    () =>
      any(MsgExec, {
        grantee: address,
        msgs: [
          random(2) === 0
            ? any(MsgSend, { fromAddress: one().address, toAddress: address, amount: [amount()] })
            : any(MsgDelegate, { delegatorAddress: one().address, validatorAddress: operator(), amount: amount() }),
        ],
      }),
    () => any(MsgRevoke, { granter: address, grantee: one().address, msgTypeUrl: MsgSend.typeUrl }),
    () =>
      any(MsgGrantAllowance, {
        granter: address,
        grantee: one().address,
        allowance: Any.fromPartial({
          typeUrl: BasicAllowance.typeUrl,
          value: BasicAllowance.encode(
            BasicAllowance.fromPartial({
              spendLimit: [amount()],
              expiration: { seconds: chain.time + BigInt(random(200)), nanos: 0 },
            }),
          ).finish(),
        }),
      }),
    () => any(MsgRevokeAllowance, { granter: address, grantee: one().address }),
  ]
  return { from, message: (choices[random(choices.length)] as () => Any)() }
}

const govAddress = toBech32('cosmos', createHash('sha256').update('gov').digest().subarray(0, 20))

/** Small and huge, odd and round, now and then nothing, less than nothing or more than fits. */
function amountText(random: Random): string {
  const kind = random(12)
  if (kind === 0) return '0'
  if (kind === 1) return '-5'
  if (kind === 2) return (1n << 255n).toString()
  if (kind < 5) return String(1 + random(1000))
  return (BigInt(1 + random(1_000_000)) * 10n ** BigInt(9 + random(8))).toString()
}

function createValidator(from: Person, value: { denom: string; amount: string }): Any {
  const key = createHash('sha256').update(from.operator).digest()
  return any(MsgCreateValidator, {
    description: { moniker: 'x', identity: '', website: '', securityContact: '', details: '' },
    commission: {
      rate: '100000000000000000',
      maxRate: '200000000000000000',
      maxChangeRate: '10000000000000000',
    },
    minSelfDelegation: '1',
    delegatorAddress: '',
    validatorAddress: from.operator,
    value,
    pubkey: Any.fromPartial({ typeUrl: PubKey.typeUrl, value: PubKey.encode({ key }).finish() }),
  })
}

/** Mostly of an unbonding that is under way. */
function cancel(chain: MessageChain, random: Random, from: Person): Any {
  const own = [...chain.store('staking', 0x32)]
    .map(([, value]) => UnbondingDelegation.decode(value))
    .filter(({ delegatorAddress }) => delegatorAddress === from.address)
  const one = own[random(own.length)]
  const entry = one?.entries[0]
  return any(MsgCancelUnbondingDelegation, {
    delegatorAddress: from.address,
    validatorAddress: one?.validatorAddress ?? from.operator,
    amount: {
      denom: 'atest',
      amount: random(3) === 0 ? (entry?.balance ?? '1') : amountText(random),
    },
    creationHeight: entry?.creationHeight ?? 3n,
  })
}

const operators = new WeakMap<MessageChain, readonly string[]>()

/** Operators of the validators of genesis. */
export function operatorsOf(chain: MessageChain): readonly string[] {
  const known = operators.get(chain)
  if (known !== undefined) return known
  const found = [...chain.store('staking', 0x21)].map(([key]) => toBech32('cosmosvaloper', key.slice(2)))
  operators.set(chain, found)
  return found
}
