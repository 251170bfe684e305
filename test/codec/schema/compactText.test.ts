/** The text form of messages in errors, as gogoproto 1.7.0 prints the same messages with `%v`. */
import test from 'ava'
import { GenericAuthorization } from 'cosmjs-types/cosmos/authz/v1beta1/authz'
import { MsgExec, MsgGrant } from 'cosmjs-types/cosmos/authz/v1beta1/tx'
import { MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import { MsgVote } from 'cosmjs-types/cosmos/gov/v1/tx'
import { MsgVoteWeighted } from 'cosmjs-types/cosmos/gov/v1beta1/tx'
import { MsgCreateValidator, MsgDelegate, MsgUpdateParams } from 'cosmjs-types/cosmos/staking/v1beta1/tx'
import { MsgCreateVestingAccount } from 'cosmjs-types/cosmos/vesting/v1beta1/tx'
import { compactText } from '../../../src/codec/schema/compactText.ts'
import { any } from '../../helpers/messageChain.ts'

const a = 'cosmos1a'
const nothing = { denom: 'atest', amount: '0' }
const generic = any(GenericAuthorization, { msg: 'x' })
const params = { unbondingTime: { seconds: 0n, nanos: 0 }, maxValidators: 5, minCommissionRate: '0' }

const cases = [
  [
    any(MsgSend, { fromAddress: a, toAddress: 'é"x', amount: [nothing, { denom: 'b', amount: '7' }] }),
    `from_address:"cosmos1a" to_address:"\\303\\251\\"x" amount:<denom:"atest" amount:"0" > amount:<denom:"b" amount:"7" > `,
  ],
  [
    any(MsgDelegate, { delegatorAddress: a, amount: { denom: '', amount: '-5' } }),
    `delegator_address:"cosmos1a" amount:<amount:"-5" > `,
  ],
  [any(MsgVote, { proposalId: 3n, voter: a, option: 3 }), `proposal_id:3 voter:"cosmos1a" option:VOTE_OPTION_NO `],
  [
    any(MsgVoteWeighted, { proposalId: 3n, options: [{ option: 1, weight: '500000000000000000' }] }),
    `proposal_id:3 options:<option:VOTE_OPTION_YES weight:"500000000000000000" > `,
  ],
  [
    any(MsgGrant, { granter: a, grant: { authorization: generic, expiration: { seconds: 1893456000n, nanos: 0 } } }),
    `granter:"cosmos1a" grant:<authorization:<type_url:"/cosmos.authz.v1beta1.GenericAuthorization" ` +
      `value:"\\n\\001x" > expiration:<seconds:1893456000 > > `,
  ],
  [
    any(MsgCreateValidator, {
      description: { moniker: 'm' },
      commission: { rate: '100000000000000000', maxRate: '', maxChangeRate: '' },
      minSelfDelegation: '1',
      value: nothing,
    }),
    `description:<moniker:"m" > commission:<rate:"100000000000000000" max_rate:"0" max_change_rate:"0" > ` +
      `min_self_delegation:"1" value:<denom:"atest" amount:"0" > `,
  ],
  [
    any(MsgUpdateParams, { authority: a, params }),
    `authority:"cosmos1a" params:<max_validators:5 min_commission_rate:"0" > `,
  ],
  [
    any(MsgCreateVestingAccount, { toAddress: a, amount: [nothing], endTime: 5n, delayed: true }),
    `to_address:"cosmos1a" amount:<denom:"atest" amount:"0" > end_time:5 delayed:true `,
  ],
  [
    any(MsgExec, { grantee: a, msgs: [any(MsgSend, { fromAddress: a })] }),
    `grantee:"cosmos1a" msgs:<type_url:"/cosmos.bank.v1beta1.MsgSend" value:"\\n\\010cosmos1a" > `,
  ],
] as const

for (const [{ typeUrl, value }, text] of cases) {
  test(`${typeUrl} is printed as Go prints it`, (t) => {
    t.is(compactText(typeUrl.slice(1), value), text)
  })
}
