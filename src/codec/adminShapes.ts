/** The JSON forms of messages that only governance sends, as `aminoShapes.ts` has the others. */
import type { Fields, Kind, Shape } from './aminoShapes.ts'

const cosmos = (name: string, fields: Fields): Shape => ({ name: `cosmos-sdk/${name}`, fields })
const evm = (name: string, fields: Fields): Shape => ({ name: `cosmos/evm/x/${name}`, fields })
const authority = ['authority', 'text'] as const
const ofParams = (params: Fields): Fields => ({ 1: authority, 2: ['params', params, '!'] })
const dec = (name: string) => [name, 'dec', '!'] as const
const whole = (name: string) => [name, 'whole'] as const
const text = (name: string) => [name, 'text'] as const
const coinList: Kind = { list: { 1: ['denom', 'text'], 2: ['amount', 'int', '!'] } }
const enabled: Kind = { list: { 1: ['denom', 'text'], 2: ['enabled', 'bool'] } }

const govParams: Fields = {
  1: ['min_deposit', coinList, '!'], 2: ['max_deposit_period', 'duration'],
  3: ['voting_period', 'duration'], 4: text('quorum'), 5: text('threshold'),
  6: text('veto_threshold'), 7: text('min_initial_deposit_ratio'),
  8: text('proposal_cancel_ratio'), 9: text('proposal_cancel_dest'),
  10: ['expedited_voting_period', 'duration'], 11: text('expedited_threshold'),
  12: ['expedited_min_deposit', coinList, '!'], 13: ['burn_vote_quorum', 'bool'],
  14: ['burn_proposal_deposit_prevote', 'bool'], 15: ['burn_vote_veto', 'bool'],
  16: text('min_deposit_ratio'),
}
const access: Fields = {
  1: ['access_type', 'number'], 2: ['access_control_list', { list: 'text' }],
}
const vmParams: Fields = {
  1: text('evm_denom'), 4: ['extra_eips', { list: 'whole' }], 7: ['evm_channels', { list: 'text' }],
  8: ['access_control', { 1: ['create', access], 2: ['call', access] }],
  9: ['active_static_precompiles', { list: 'text' }], 10: whole('history_serve_window'),
  11: ['extended_denom_options', { 1: text('extended_denom') }],
}
const feemarketParams: Fields = {
  1: ['no_base_fee', 'bool'], 2: ['base_fee_change_denominator', 'number'],
  3: ['elasticity_multiplier', 'number'], 5: whole('enable_height'),
  6: ['base_fee', 'digits', '!'], 7: ['min_gas_price', 'digits', '!'],
  8: ['min_gas_multiplier', 'digits', '!'],
}
const plan: Fields = {
  1: text('name'), 2: ['time', 'time', '!'], 3: whole('height'), 4: text('info'),
  5: ['upgraded_client_state', 'any'],
}

/** By package, then by name. */
export const adminShapes: Readonly<Record<string, Readonly<Record<string, Shape>>>> = {
  'cosmos.auth.v1beta1': { MsgUpdateParams: cosmos('x/auth/MsgUpdateParams', ofParams({
    1: whole('max_memo_characters'), 2: whole('tx_sig_limit'), 3: whole('tx_size_cost_per_byte'),
    4: whole('sig_verify_cost_ed25519'), 5: whole('sig_verify_cost_secp256k1'),
  })) },
  'cosmos.bank.v1beta1': {
    MsgUpdateParams: cosmos('x/bank/MsgUpdateParams', ofParams({
      1: ['send_enabled', enabled], 2: ['default_send_enabled', 'bool'],
    })),
    MsgSetSendEnabled: cosmos('MsgSetSendEnabled', {
      1: authority, 2: ['send_enabled', enabled], 3: ['use_default_for', { list: 'text' }],
    }),
  },
  'cosmos.staking.v1beta1': { MsgUpdateParams: cosmos('x/staking/MsgUpdateParams', ofParams({
    1: ['unbonding_time', 'duration', '!'], 2: ['max_validators', 'number'],
    3: ['max_entries', 'number'], 4: ['historical_entries', 'number'], 5: text('bond_denom'),
    6: dec('min_commission_rate'),
  })) },
  'cosmos.slashing.v1beta1': { MsgUpdateParams: cosmos('x/slashing/MsgUpdateParams', ofParams({
    1: whole('signed_blocks_window'), 2: ['min_signed_per_window', 'decBytes', '!'],
    3: ['downtime_jail_duration', 'duration', '!'],
    4: ['slash_fraction_double_sign', 'decBytes', '!'],
    5: ['slash_fraction_downtime', 'decBytes', '!'],
  })) },
  'cosmos.mint.v1beta1': { MsgUpdateParams: cosmos('x/mint/MsgUpdateParams', ofParams({
    1: text('mint_denom'), 2: dec('inflation_rate_change'), 3: dec('inflation_max'),
    4: dec('inflation_min'), 5: dec('goal_bonded'), 6: whole('blocks_per_year'),
  })) },
  'cosmos.gov.v1': {
    MsgUpdateParams: cosmos('x/gov/v1/MsgUpdateParams', ofParams(govParams)),
    MsgExecLegacyContent: cosmos('v1/MsgExecLegacyContent', {
      1: ['content', 'any'], 2: authority,
    }),
  },
  'cosmos.distribution.v1beta1': {
    MsgUpdateParams: cosmos('distribution/MsgUpdateParams', ofParams({
      1: dec('community_tax'), 2: dec('base_proposer_reward'), 3: dec('bonus_proposer_reward'),
      4: ['withdraw_addr_enabled', 'bool'],
    })),
    MsgCommunityPoolSpend: cosmos('distr/MsgCommunityPoolSpend', {
      1: authority, 2: text('recipient'), 3: ['amount', 'coins', '!'],
    }),
  },
  'cosmos.consensus.v1': { MsgUpdateParams: cosmos('x/consensus/MsgUpdateParams', {
    1: authority, 2: ['block', { 1: whole('max_bytes'), 2: whole('max_gas') }],
    3: ['evidence', {
      1: whole('max_age_num_blocks'), 2: ['max_age_duration', 'duration'], 3: whole('max_bytes'),
    }],
    4: ['validator', { 1: ['pub_key_types', { list: 'text' }] }],
    5: ['abci', { 1: whole('vote_extensions_enable_height') }],
  }) },
  'cosmos.upgrade.v1beta1': {
    MsgSoftwareUpgrade: cosmos('MsgSoftwareUpgrade', { 1: authority, 2: ['plan', plan, '!'] }),
    MsgCancelUpgrade: cosmos('MsgCancelUpgrade', { 1: authority }),
  },
  'cosmos.evm.vm.v1': {
    MsgUpdateParams: evm('vm/MsgUpdateParams', ofParams(vmParams)),
    MsgRegisterPreinstalls: evm('vm/MsgRegisterPreinstalls', {
      1: authority,
      2: ['preinstalls', { list: { 1: text('name'), 2: text('address'), 3: text('code') } }, '!'],
    }),
  },
  'cosmos.evm.feemarket.v1': {
    MsgUpdateParams: evm('feemarket/MsgUpdateParams', ofParams(feemarketParams)),
  },
  'cosmos.evm.erc20.v1': {
    MsgUpdateParams: evm('erc20/MsgUpdateParams', ofParams({
      1: ['enable_erc20', 'bool'], 5: ['permissionless_registration', 'bool'],
    })),
    MsgToggleConversion: evm('erc20/MsgToggleConversion', { 1: authority, 2: text('token') }),
  },
}
