/**
 * Messages that only x/gov may send: parameters of all modules, the community pool, sendable coins,
 * upgrades.
 */
import {
  always,
  bool,
  bytes,
  type FieldType,
  type Message,
  message,
  repeated,
  text,
} from '../../../../codec/protobuf/message.ts'
import { AuthParams, BankParams } from '../../../../codec/messages/cosmos.ts'
import { feemarketParams, type FeemarketParams, vmParams, type VmParams } from '../../../../codec/messages/cosmosEvm.ts'
import { accountText, addressOf, govModule } from '../../address.ts'
import { consensusUpdate } from '../../consensus.ts'
import type { Context, Handler } from '../../context.ts'
import { handler, validated } from '../../tx/handler.ts'
import { goError, sdkError, TxError } from '../../txError.ts'
import { coinField } from '../../wire.ts'
import { setAuthParams } from '../auth/params.ts'
import { isBlocked } from '../bank/blocked.ts'
import type { Coin } from '../../coins.ts'
import { deleteSendEnabled, setBankParams, setSendEnabled } from '../bank/params.ts'
import { checkCoins, spendCommunityPool } from '../distribution/messages.ts'
import { type DistributionParams, paramsMessage, setDistributionParams } from '../distribution/store.ts'
import {
  wrongAuth,
  wrongBank,
  wrongDistribution,
  wrongEvm,
  wrongFeemarket,
  wrongGov,
  wrongMint,
  wrongSendEnabled,
  wrongSlashing,
  wrongStaking,
} from './checks.ts'
import { updateConsensus } from './consensus.ts'
import { addPreinstall, type Preinstall } from '../evm/preinstalls.ts'
import { setEvmParams } from '../evm/store.ts'
import { setStoredFeemarketParams } from '../feemarket/params.ts'
import { govParamsMessage, setGovParams } from '../gov/params.ts'
import { govError } from '../gov/proposals.ts'
import { mintParamsMessage, setMintParams } from '../mint/mint.ts'
import { setSlashingParams, slashingParamsMessage } from '../slashing/signingInfo.ts'
import { setStakingParams, stakingParamsMessage } from '../staking/params.ts'
import { upgradeMessages } from '../upgrade/upgrade.ts'

type Update<Params> = { authority: string; params: Params }

/** Returns a module's error for an authority other than x/gov. */
type Refuse = (expected: string, authority: string) => TxError

const onlyGov = 'expected gov account as only signer for proposal message'
const foreign: Refuse = (expected, authority) =>
  govError(13, `invalid authority; expected ${expected}, got ${authority}: ${onlyGov}`)
const foreignToAuth: Refuse = (expected, authority) =>
  goError(`${onlyGov}; invalid authority; expected ${expected}, got ${authority}`)
const foreignToEvm: Refuse = (expected, authority) =>
  govError(13, `invalid authority, expected ${expected}, got ${authority}: ${onlyGov}`)
const foreignToUpgrade: Refuse = (expected, authority) =>
  new TxError(`expected ${expected} got ${authority}: expected authority account as only signer for proposal message`, {
    code: 6,
    codespace: 'upgrade',
  })

/** Returns the handler of a message that only x/gov's account may send. */
function forGov<Value extends { authority: string }>(
  codec: Message<Value>,
  run: (context: Context, asked: Value) => void,
  refuse: Refuse = foreign,
): Handler {
  return handler(
    codec,
    ({ authority }, at) => addressOf(at, authority),
    (context, asked) => {
      const expected = accountText(context, govModule)
      if (asked.authority !== expected) throw refuse(expected, asked.authority)
      run(context, asked)
    },
  )
}

/**
 * Returns the handler of a parameter update. `wrong` returns the module's error text for invalid
 * parameters. If `isBasic`, a message with such parameters is invalid whatever the state.
 */
function update<Params extends object>(
  params: FieldType<Params>,
  run: (context: Context, params: Params) => void,
  {
    wrong = () => undefined,
    refuse,
    isBasic = false,
  }: {
    readonly wrong?: (params: Params) => string | undefined
    readonly refuse?: Refuse
    readonly isBasic?: boolean
  } = {},
): Handler {
  const codec = message<Update<Params>>({ 1: ['authority', text], 2: ['params', params] })
  const check = (asked: Update<Params>): void => {
    const text = wrong(asked.params)
    if (text !== undefined) throw goError(text)
  }
  const made = forGov(
    codec,
    (context, asked) => {
      check(asked)
      run(context, asked.params)
    },
    refuse,
  )
  return isBasic ? validated(codec, check, made) : made
}

type Spend = { authority: string; recipient: string; amount: readonly Coin[] }
const msgSpend = message<Spend>({
  1: ['authority', text],
  2: ['recipient', text],
  3: ['amount', repeated(coinField)],
})
type Enabled = { denom: string; enabled: boolean }
type SendEnabled = {
  authority: string
  entries: readonly Enabled[]
  useDefault: readonly string[]
}
const msgSendEnabled = message<SendEnabled>({
  1: ['authority', text],
  2: ['entries', repeated(always(message<Enabled>({ 1: ['denom', text], 2: ['enabled', bool] })))],
  3: ['useDefault', repeated(text)],
})

type Preinstalls = { authority: string; preinstalls: readonly Preinstall[] }
const msgPreinstalls = message<Preinstalls>({
  1: ['authority', text],
  2: [
    'preinstalls',
    repeated(
      always(
        message<Preinstall>({
          1: ['name', text],
          2: ['address', text],
          3: ['code', text],
        }),
      ),
    ),
  ],
})

export const adminMessages: Readonly<Record<string, Handler>> = {
  '/cosmos.auth.v1beta1.MsgUpdateParams': update(
    bytes,
    (context, params) => {
      setAuthParams(context, AuthParams.decode(params))
    },
    { wrong: (params) => wrongAuth(AuthParams.decode(params)), refuse: foreignToAuth },
  ),
  '/cosmos.bank.v1beta1.MsgUpdateParams': update(
    bytes,
    (context, params) => {
      setBankParams(context, BankParams.decode(params))
    },
    { wrong: (params) => wrongBank(BankParams.decode(params)) },
  ),
  '/cosmos.bank.v1beta1.MsgSetSendEnabled': forGov(msgSendEnabled, (context, asked) => {
    const wrong = wrongSendEnabled(asked)
    if (wrong !== undefined) throw sdkError('invalidRequest', wrong)
    for (const { denom, enabled } of asked.entries) setSendEnabled(context, denom, enabled)
    for (const denom of asked.useDefault) deleteSendEnabled(context, denom)
  }),
  '/cosmos.staking.v1beta1.MsgUpdateParams': update(always(stakingParamsMessage), setStakingParams, {
    wrong: wrongStaking,
  }),
  '/cosmos.slashing.v1beta1.MsgUpdateParams': update(always(slashingParamsMessage), setSlashingParams, {
    wrong: wrongSlashing,
  }),
  '/cosmos.mint.v1beta1.MsgUpdateParams': update(always(mintParamsMessage), setMintParams, { wrong: wrongMint }),
  '/cosmos.gov.v1.MsgUpdateParams': update(always(govParamsMessage), setGovParams, { wrong: wrongGov }),
  '/cosmos.distribution.v1beta1.MsgUpdateParams': update(always(paramsMessage), updateDistribution, {
    wrong: wrongDistribution,
  }),
  '/cosmos.distribution.v1beta1.MsgCommunityPoolSpend': forGov(msgSpend, (context, asked) => {
    checkCoins(asked.amount)
    const to = addressOf(context, asked.recipient)
    if (isBlocked(to)) {
      throw sdkError('unauthorized', `${asked.recipient} is not allowed to receive external funds`)
    }
    spendCommunityPool(context, to, asked.amount)
  }),
  '/cosmos.consensus.v1.MsgUpdateParams': forGov(consensusUpdate, updateConsensus),
  '/cosmos.evm.vm.v1.MsgUpdateParams': update<VmParams>(always(vmParams), setEvmParams, {
    wrong: wrongEvm,
    refuse: foreignToEvm,
    isBasic: true,
  }),
  '/cosmos.evm.feemarket.v1.MsgUpdateParams': update<FeemarketParams>(
    always(feemarketParams),
    setStoredFeemarketParams,
    { wrong: wrongFeemarket, isBasic: true },
  ),
  '/cosmos.evm.vm.v1.MsgRegisterPreinstalls': forGov(
    msgPreinstalls,
    (context, { preinstalls }) => {
      for (const each of preinstalls) addPreinstall(context, each)
    },
    foreignToEvm,
  ),
  ...upgradeMessages((codec, run) => forGov(codec, run, foreignToUpgrade)),
}

function updateDistribution(context: Context, params: DistributionParams): void {
  if (params.baseProposerReward !== 0n || params.bonusProposerReward !== 0n) {
    throw sdkError('invalidRequest', 'cannot update base or bonus proposer reward because these are deprecated fields')
  }
  setDistributionParams(context, params)
}
