/** Every message that cosmjs knows of modules of ours, in both modes of signing. */
import { Secp256k1HdWallet } from '@cosmjs/amino'
import { type HdPath, stringToPath } from '@cosmjs/crypto'
import { fromBech32, toBech32 } from '@cosmjs/encoding'
import { DirectSecp256k1HdWallet, type EncodeObject, encodePubkey, type OfflineSigner } from '@cosmjs/proto-signing'
import { createDefaultAminoConverters, defaultRegistryTypes, GasPrice, SigningStargateClient } from '@cosmjs/stargate'
import test, { type ExecutionContext } from 'ava'
import { GenericAuthorization } from 'cosmjs-types/cosmos/authz/v1beta1/authz'
import { MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import { BasicAllowance } from 'cosmjs-types/cosmos/feegrant/v1beta1/feegrant'
import { TextProposal, VoteOption } from 'cosmjs-types/cosmos/gov/v1beta1/gov'
import { coin, jump, operatorsOf, phrase } from '../helpers/cosmjs.ts'
import { any } from '../helpers/messageChain.ts'
import { startLocal } from '../helpers/server.ts'

const token = `1${'0'.repeat(18)}`
const path: HdPath = stringToPath("m/44'/118'/0'/0/0")

type People = {
  readonly alice: string
  readonly bob: string
  readonly operators: readonly string[]
}

/** One of each kind, in an order that makes each possible; `type` is the message's last name. */
function messagesOf({ alice, bob, operators }: People): readonly EncodeObject[] {
  const [first = '', second = ''] = operators
  const own = toBech32('cosmosvaloper', fromBech32(alice).data)
  const key = { type: 'tendermint/PubKeyEd25519', value: Buffer.alloc(32, 9).toString('base64') }
  const staking = { delegatorAddress: alice, validatorAddress: first }
  const make =
    (module: string) =>
    (name: string, value: object): EncodeObject => ({ typeUrl: `/cosmos.${module}.v1beta1.Msg${name}`, value })
  const [bank, stake, distribution] = [make('bank'), make('staking'), make('distribution')]
  const [gov, authz] = [make('gov'), make('authz')]
  const [feegrant, vesting] = [make('feegrant'), make('vesting')]
  const grant = { authorization: any(GenericAuthorization, { msg: MsgSend.typeUrl }) }
  const send = { fromAddress: alice, toAddress: bob, amount: [coin('7')] }
  const description = {
    moniker: 'm',
    identity: 'i',
    website: 'w',
    securityContact: 's',
    details: 'd',
  }
  const months = { startTime: 0n, endTime: 1_900_000_000n, delayed: true }
  const fresh = (seed: number) => toBech32('cosmos', new Uint8Array(20).fill(seed))
  return [
    bank('Send', send),
    bank('MultiSend', {
      inputs: [{ address: alice, coins: [coin('5')] }],
      outputs: [{ address: bob, coins: [coin('5')] }],
    }),
    stake('CreateValidator', {
      description,
      minSelfDelegation: '1',
      delegatorAddress: alice,
      validatorAddress: own,
      commission: { rate: tenth, maxRate: tenth, maxChangeRate: tenth },
      pubkey: encodePubkey(key),
      value: coin(token),
    }),
    stake('EditValidator', {
      description,
      validatorAddress: own,
      commissionRate: tenth,
      minSelfDelegation: '2',
    }),
    stake('Delegate', { ...staking, amount: coin('1000') }),
    stake('Undelegate', { ...staking, amount: coin('100') }),
    stake('BeginRedelegate', {
      delegatorAddress: alice,
      validatorSrcAddress: first,
      validatorDstAddress: second,
      amount: coin('100'),
    }),
    stake('CancelUnbondingDelegation', { ...staking, amount: coin('50'), creationHeight: 0n }),
    distribution('FundCommunityPool', { amount: [coin('5')], depositor: alice }),
    distribution('SetWithdrawAddress', { delegatorAddress: alice, withdrawAddress: bob }),
    distribution('WithdrawDelegatorReward', staking),
    distribution('WithdrawValidatorCommission', { validatorAddress: own }),
    authz('Grant', { granter: alice, grantee: bob, grant }),
    authz('Exec', { grantee: alice, msgs: [any(MsgSend, send)] }),
    authz('Revoke', { granter: alice, grantee: bob, msgTypeUrl: MsgSend.typeUrl }),
    feegrant('GrantAllowance', {
      granter: alice,
      grantee: bob,
      allowance: any(BasicAllowance, { spendLimit: [coin('5')] }),
    }),
    feegrant('RevokeAllowance', { granter: alice, grantee: bob }),
    gov('SubmitProposal', {
      content: any(TextProposal, { title: 'a', description: 'b' }),
      initialDeposit: [coin('100000')],
      proposer: alice,
    }),
    gov('Deposit', { proposalId: 1n, depositor: alice, amount: [coin('10000000')] }),
    gov('Vote', { proposalId: 1n, voter: alice, option: VoteOption.VOTE_OPTION_YES }),
    gov('VoteWeighted', {
      proposalId: 1n,
      voter: alice,
      options: [
        { option: VoteOption.VOTE_OPTION_NO, weight: `7${'0'.repeat(17)}` },
        { option: VoteOption.VOTE_OPTION_YES, weight: `3${'0'.repeat(17)}` },
      ],
    }),
    vesting('CreateVestingAccount', {
      fromAddress: alice,
      toAddress: fresh(1),
      amount: [coin('9')],
      ...months,
    }),
  ]
}
const tenth = `1${'0'.repeat(17)}`

/** Types of cosmjs that have no place here: what they need is not in the client's own registry. */
const leftOut: readonly string[] = [
  '/cosmos.vesting.v1beta1.MsgCreatePermanentLockedAccount',
  '/cosmos.vesting.v1beta1.MsgCreatePeriodicVestingAccount',
]

const sends = test.macro(
  async (t: ExecutionContext, walletOf: () => Promise<OfflineSigner>, skipped: readonly string[]) => {
    const wallet = await walletOf()
    await using server = await startLocal({ validators: 2 })
    const url = server.urls.comet
    const signer = await SigningStargateClient.connectWithSigner(url, wallet, {
      gasPrice: GasPrice.fromString('2000000000atest'),
      broadcastPollIntervalMs: 20,
    })
    const [{ address: alice } = { address: '' }] = await wallet.getAccounts()
    const messages = messagesOf({
      alice,
      bob: toBech32('cosmos', new Uint8Array(20).fill(7)),
      operators: await operatorsOf(url),
    })
    let unbondedAt = 0n
    for (const { typeUrl, value } of messages.filter((each) => !skipped.includes(each.typeUrl))) {
      const isCancel = typeUrl.endsWith('.MsgCancelUnbondingDelegation')
      const filled = isCancel ? { ...value, creationHeight: unbondedAt } : { ...value }
      // A commission may be named again a day later, and stake earns where blocks have passed.
      if (typeUrl.endsWith('.MsgEditValidator')) await jump(server.urls.eth, 86_401)
      const sent = await signer.signAndBroadcast(alice, [{ typeUrl, value: filled }], 1.3)
      t.is(sent.code, 0, `${typeUrl}: ${sent.rawLog}`)
      if (typeUrl.endsWith('.MsgUndelegate')) unbondedAt = BigInt(sent.height)
      t.true(sent.gasUsed <= sent.gasWanted, typeUrl)
    }
    t.deepEqual(
      known.filter((typeUrl) => !leftOut.includes(typeUrl) && !messages.some((each) => each.typeUrl === typeUrl)),
      [],
    )
  },
)

/** What cosmjs' own registry has for modules of ours. */
const known = defaultRegistryTypes
  .map(([typeUrl]) => typeUrl)
  .filter((typeUrl) => /^\/cosmos\.(authz|bank|distribution|feegrant|gov|staking|vesting)\.v1beta1\.Msg/.test(typeUrl))

/** cosmjs has no amino form of these; of the last one it has another name than the SDK. */
const withoutAmino = [
  ...known.filter((typeUrl) => typeof createDefaultAminoConverters()[typeUrl] !== 'object'),
  '/cosmos.distribution.v1beta1.MsgWithdrawValidatorCommission',
]
const options = { hdPaths: [path] }
test(
  'every message of cosmjs passes with direct signing and 1.3 times the gas simulated',
  sends,
  () => DirectSecp256k1HdWallet.fromMnemonic(phrase, options),
  [],
)
test(
  'every message of cosmjs passes with amino signing and 1.3 times the gas simulated',
  sends,
  () => Secp256k1HdWallet.fromMnemonic(phrase, options),
  withoutAmino,
)
