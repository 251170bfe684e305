/**
 * How messages look in amino JSON: the options `amino.*` of the SDK's and Cosmos EVM's `.proto`
 * files as data. A field is `number: [name, kind]`; a `!` after the kind keeps the field when it is
 * empty.
 */
import { adminShapes } from './adminShapes.ts'

/**
 * `list` stands for many of a kind; `coins` is a list that is `[]` when empty, others are null.
 * `digits` is a decimal whose digits amino shows without the point.
 */
export type Kind =
  | 'text' | 'whole' | 'number' | 'bool' | 'int' | 'dec' | 'decBytes' | 'digits' | 'any' | 'time'
  | 'duration'
  | 'coins' | Fields | { readonly list: Kind }
  | { readonly oneof: string; readonly name: string; readonly fields: Fields }
export type Fields = Readonly<Record<number, readonly [string, Kind] | readonly [
  string, Kind, '!',
]>>
export type Shape = { readonly name: string; readonly fields: Fields }

const coin: Fields = { 1: ['denom', 'text'], 2: ['amount', 'int', '!'] }
const coins = ['amount', 'coins', '!'] as const
const share: Fields = { 1: ['address', 'text'], 2: ['coins', 'coins', '!'] }
const description: Fields = {
  1: ['moniker', 'text'], 2: ['identity', 'text'], 3: ['website', 'text'],
  4: ['security_contact', 'text'], 5: ['details', 'text'],
}
const rates: Fields = {
  1: ['rate', 'dec', '!'], 2: ['max_rate', 'dec', '!'], 3: ['max_change_rate', 'dec', '!'],
}
const delegator = ['delegator_address', 'text'] as const
const validator = ['validator_address', 'text'] as const
const delegation: Fields = { 1: delegator, 2: validator, 3: ['amount', coin, '!'] }
const names: Fields = { 1: ['address', { list: 'text' }] }
const periods: Kind = { list: { 1: ['length', 'whole'], 2: coins } }
const id = ['proposal_id', 'whole', '!'] as const
const cosmos = (name: string, fields: Fields): Shape => ({ name: `cosmos-sdk/${name}`, fields })

const bank: Record<string, Shape> = {
  MsgSend: cosmos('MsgSend', { 1: ['from_address', 'text'], 2: ['to_address', 'text'], 3: coins }),
  MsgMultiSend: cosmos('MsgMultiSend', {
    1: ['inputs', { list: share }, '!'], 2: ['outputs', { list: share }, '!'],
  }),
  SendAuthorization: cosmos('SendAuthorization', {
    1: ['spend_limit', 'coins', '!'], 2: ['allow_list', { list: 'text' }],
  }),
}

const listed = (type: string, name: string): Kind => (
  { oneof: `cosmos-sdk/StakeAuthorization/${type}`, name, fields: names }
)
const staking: Record<string, Shape> = {
  MsgCreateValidator: cosmos('MsgCreateValidator', {
    1: ['description', description, '!'], 2: ['commission', rates, '!'],
    3: ['min_self_delegation', 'int', '!'], 4: delegator, 5: validator, 6: ['pubkey', 'any'],
    7: ['value', coin, '!'],
  }),
  MsgEditValidator: cosmos('MsgEditValidator', {
    1: ['description', description, '!'], 2: validator, 3: ['commission_rate', 'dec'],
    4: ['min_self_delegation', 'int'],
  }),
  MsgDelegate: cosmos('MsgDelegate', delegation),
  MsgUndelegate: cosmos('MsgUndelegate', delegation),
  MsgBeginRedelegate: cosmos('MsgBeginRedelegate', {
    1: delegator, 2: ['validator_src_address', 'text'], 3: ['validator_dst_address', 'text'],
    4: ['amount', coin, '!'],
  }),
  MsgCancelUnbondingDelegation: cosmos('MsgCancelUnbondingDelegation', {
    ...delegation, 4: ['creation_height', 'whole'],
  }),
  StakeAuthorization: cosmos('StakeAuthorization', {
    1: ['max_tokens', coin],
    2: ['Validators', listed('AllowList', 'allow_list')],
    3: ['Validators', listed('DenyList', 'deny_list')],
    4: ['authorization_type', 'number'],
  }),
}

const distribution: Record<string, Shape> = {
  MsgSetWithdrawAddress: cosmos('MsgModifyWithdrawAddress', {
    1: delegator, 2: ['withdraw_address', 'text'],
  }),
  MsgWithdrawDelegatorReward: cosmos('MsgWithdrawDelegationReward', { 1: delegator, 2: validator }),
  MsgWithdrawValidatorCommission: cosmos('MsgWithdrawValCommission', { 1: validator }),
  MsgFundCommunityPool: cosmos('MsgFundCommunityPool', { 1: coins, 2: ['depositor', 'text'] }),
  MsgDepositValidatorRewardsPool: cosmos('distr/MsgDepositValRewards', {
    1: ['depositor', 'text'], 2: validator, 3: coins,
  }),
}

const deposit = ['initial_deposit', { list: coin }, '!'] as const
const weighted =
  (weight: Kind): Kind => ({ list: { 1: ['option', 'number'], 2: ['weight', weight] } })
const gov: Record<string, Shape> = {
  MsgSubmitProposal: cosmos('v1/MsgSubmitProposal', {
    1: ['messages', { list: 'any' }], 2: deposit, 3: ['proposer', 'text'], 4: ['metadata', 'text'],
    5: ['title', 'text'], 6: ['summary', 'text'], 7: ['expedited', 'bool'],
  }),
  MsgVote: cosmos('v1/MsgVote', {
    1: id, 2: ['voter', 'text'], 3: ['option', 'number'], 4: ['metadata', 'text'],
  }),
  MsgVoteWeighted: cosmos('v1/MsgVoteWeighted', {
    1: id, 2: ['voter', 'text'], 3: ['options', weighted('text')], 4: ['metadata', 'text'],
  }),
  MsgDeposit: cosmos('v1/MsgDeposit', {
    1: id, 2: ['depositor', 'text'], 3: ['amount', { list: coin }, '!'],
  }),
  MsgCancelProposal: cosmos('v1/MsgCancelProposal', { 1: id, 2: ['proposer', 'text'] }),
}

const oldGov: Record<string, Shape> = {
  MsgSubmitProposal: cosmos('MsgSubmitProposal', {
    1: ['content', 'any'], 2: ['initial_deposit', 'coins', '!'], 3: ['proposer', 'text'],
  }),
  MsgVote: cosmos('MsgVote', { 1: id, 2: ['voter', 'text'], 3: ['option', 'number'] }),
  MsgVoteWeighted: cosmos('MsgVoteWeighted', {
    1: id, 2: ['voter', 'text'], 3: ['options', weighted('dec'), '!'],
  }),
  MsgDeposit: cosmos('MsgDeposit', { 1: id, 2: ['depositor', 'text'], 3: coins }),
  TextProposal: cosmos('TextProposal', { 1: ['title', 'text'], 2: ['description', 'text'] }),
}

const parties: Fields = { 1: ['granter', 'text'], 2: ['grantee', 'text'] }
const authz: Record<string, Shape> = {
  MsgGrant: cosmos('MsgGrant', {
    ...parties, 3: ['grant', { 1: ['authorization', 'any'], 2: ['expiration', 'time'] }, '!'],
  }),
  MsgExec: cosmos('MsgExec', { 1: ['grantee', 'text'], 2: ['msgs', { list: 'any' }] }),
  MsgRevoke: cosmos('MsgRevoke', { ...parties, 3: ['msg_type_url', 'text'] }),
  GenericAuthorization: cosmos('GenericAuthorization', { 1: ['msg', 'text'] }),
}

const basic: Fields = { 1: ['spend_limit', 'coins', '!'], 2: ['expiration', 'time'] }
const feegrant: Record<string, Shape> = {
  MsgGrantAllowance: cosmos('MsgGrantAllowance', { ...parties, 3: ['allowance', 'any'] }),
  MsgRevokeAllowance: cosmos('MsgRevokeAllowance', parties),
  BasicAllowance: cosmos('BasicAllowance', basic),
  PeriodicAllowance: cosmos('PeriodicAllowance', {
    1: ['basic', basic, '!'], 2: ['period', 'duration', '!'],
    3: ['period_spend_limit', 'coins', '!'],
    4: ['period_can_spend', 'coins', '!'], 5: ['period_reset', 'time', '!'],
  }),
  AllowedMsgAllowance: cosmos('AllowedMsgAllowance', {
    1: ['allowance', 'any'], 2: ['allowed_messages', { list: 'text' }],
  }),
}

const ends: Fields = { 1: ['from_address', 'text'], 2: ['to_address', 'text'] }
const vesting: Record<string, Shape> = {
  MsgCreateVestingAccount: cosmos('MsgCreateVestingAccount', {
    ...ends, 3: coins, 4: ['end_time', 'whole'], 5: ['delayed', 'bool'],
  }),
  MsgCreatePermanentLockedAccount: cosmos('MsgCreatePermLockedAccount', { ...ends, 3: coins }),
  MsgCreatePeriodicVestingAccount: cosmos('MsgCreatePeriodVestAccount', {
    ...ends, 3: ['start_time', 'whole'], 4: ['vesting_periods', periods, '!'],
  }),
}

const erc20: Record<string, Shape> = {
  MsgConvertERC20: {
    name: 'cosmos/evm/MsgConvertERC20',
    fields: {
      1: ['contract_address', 'text'], 2: ['amount', 'int', '!'], 3: ['receiver', 'text'],
      4: ['sender', 'text'],
    },
  },
  MsgConvertCoin: {
    name: 'cosmos/evm/x/erc20/MsgConvertCoin',
    fields: { 1: ['coin', coin], 2: ['receiver', 'text'], 3: ['sender', 'text'] },
  },
  MsgRegisterERC20: {
    name: 'cosmos/evm/x/erc20/MsgRegisterERC20',
    fields: { 1: ['signer', 'text'], 2: ['erc20addresses', { list: 'text' }] },
  },
}

const packages: Readonly<Record<string, Record<string, Shape>>> = {
  'cosmos.bank.v1beta1': bank, 'cosmos.staking.v1beta1': staking,
  'cosmos.distribution.v1beta1': distribution, 'cosmos.gov.v1': gov, 'cosmos.gov.v1beta1': oldGov,
  'cosmos.authz.v1beta1': authz, 'cosmos.feegrant.v1beta1': feegrant,
  'cosmos.vesting.v1beta1': vesting, 'cosmos.evm.erc20.v1': erc20,
  'cosmos.slashing.v1beta1': { MsgUnjail: cosmos('MsgUnjail', { 1: ['address', 'text', '!'] }) },
}

/** The shapes of all messages and of what they pack, by type URL. */
export const aminoShapes: ReadonlyMap<string, Shape> = new Map(
  [...Object.entries(packages), ...Object.entries(adminShapes)].flatMap(([path, shapes]) => (
    Object.entries(shapes).map(([name, shape]) => [`/${path}.${name}`, shape] as const)
  )),
)
