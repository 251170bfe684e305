/** Every method of every query extension that cosmjs ships for a module of ours. */
import { toBech32 } from '@cosmjs/encoding'
import { DirectSecp256k1HdWallet, type EncodeObject, encodePubkey } from '@cosmjs/proto-signing'
import {
  GasPrice,
  QueryClient,
  setupAuthExtension,
  setupAuthzExtension,
  setupBankExtension,
  setupDistributionExtension,
  setupFeegrantExtension,
  setupGovExtension,
  setupIbcExtension,
  setupMintExtension,
  setupSlashingExtension,
  setupStakingExtension,
  setupTxExtension,
  SigningStargateClient,
} from '@cosmjs/stargate'
import { Comet38Client } from '@cosmjs/tendermint-rpc'
import test, { type ExecutionContext } from 'ava'
import { GenericAuthorization } from 'cosmjs-types/cosmos/authz/v1beta1/authz'
import { MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import { BasicAllowance } from 'cosmjs-types/cosmos/feegrant/v1beta1/feegrant'
import { TextProposal, VoteOption } from 'cosmjs-types/cosmos/gov/v1beta1/gov'
import { coin, phrase } from '../helpers/cosmjs.ts'
import { any } from '../helpers/messageChain.ts'
import { startLocal } from '../helpers/server.ts'

const extensionsOf = (comet: Comet38Client) => ({
  ...setupAuthExtension(QueryClient.withExtensions(comet)),
  ...setupAuthzExtension(QueryClient.withExtensions(comet)),
  ...setupBankExtension(QueryClient.withExtensions(comet)),
  ...setupDistributionExtension(QueryClient.withExtensions(comet)),
  ...setupFeegrantExtension(QueryClient.withExtensions(comet)),
  ...setupGovExtension(QueryClient.withExtensions(comet)),
  ...setupIbcExtension(QueryClient.withExtensions(comet)),
  ...setupMintExtension(QueryClient.withExtensions(comet)),
  ...setupSlashingExtension(QueryClient.withExtensions(comet)),
  ...setupStakingExtension(QueryClient.withExtensions(comet)),
  ...setupTxExtension(QueryClient.withExtensions(comet)),
})

/** Returns the paths of all functions in an object, and the object with calls of them noted. */
function watched<Tree extends object>(tree: Tree, path: string, called: Set<string>): Tree {
  return new Proxy(tree, {
    get: (target, key) => {
      const member: unknown = Reflect.get(target, key)
      const inner = `${path}${String(key)}`
      if (typeof member === 'function') called.add(inner)
      return typeof member === 'object' && member !== null ? watched(member, `${inner}.`, called) : member
    },
  })
}

function functionsOf(tree: object, path = ''): string[] {
  return Object.entries(tree).flatMap(([key, member]: [string, unknown]) => {
    if (typeof member === 'function') return [`${path}${key}`]
    return typeof member === 'object' && member !== null ? functionsOf(member, `${path}${key}.`) : []
  })
}

type Scene = {
  readonly alice: string
  readonly bob: string
  readonly first: string
  readonly second: string
  readonly hash: string
}

/** Does one of everything that the queries can show. */
async function enact(t: ExecutionContext, url: string, operators: readonly string[]): Promise<Scene> {
  const wallet = await DirectSecp256k1HdWallet.fromMnemonic(phrase)
  const [{ address: alice } = { address: '' }] = await wallet.getAccounts()
  const bob = toBech32('cosmos', new Uint8Array(20).fill(7))
  const [first = '', second = ''] = operators
  const signer = await SigningStargateClient.connectWithSigner(url, wallet, {
    gasPrice: GasPrice.fromString('2000000000atest'),
    broadcastPollIntervalMs: 20,
  })
  const staking = { delegatorAddress: alice, amount: coin('1000') }
  const grant = { authorization: any(GenericAuthorization, { msg: MsgSend.typeUrl }) }
  const messages: EncodeObject[] = [
    { typeUrl: '/cosmos.staking.v1beta1.MsgDelegate', value: { ...staking, validatorAddress: first } },
    {
      typeUrl: '/cosmos.staking.v1beta1.MsgUndelegate',
      value: { ...staking, amount: coin('10'), validatorAddress: first },
    },
    {
      typeUrl: '/cosmos.staking.v1beta1.MsgBeginRedelegate',
      value: {
        ...staking,
        amount: coin('20'),
        validatorSrcAddress: first,
        validatorDstAddress: second,
      },
    },
    { typeUrl: '/cosmos.authz.v1beta1.MsgGrant', value: { granter: alice, grantee: bob, grant } },
    {
      typeUrl: '/cosmos.feegrant.v1beta1.MsgGrantAllowance',
      value: {
        granter: alice,
        grantee: bob,
        allowance: any(BasicAllowance, { spendLimit: [coin('5')] }),
      },
    },
    {
      typeUrl: '/cosmos.gov.v1beta1.MsgSubmitProposal',
      value: {
        content: any(TextProposal, { title: 'a', description: 'b' }),
        initialDeposit: [coin('10000000')],
        proposer: alice,
      },
    },
    {
      typeUrl: '/cosmos.gov.v1beta1.MsgVote',
      value: { proposalId: 1n, voter: alice, option: VoteOption.VOTE_OPTION_YES },
    },
  ]
  const sent = await signer.signAndBroadcast(alice, messages, 1.3)
  t.is(sent.code, 0, sent.rawLog)
  return { alice, bob, first, second, hash: sent.transactionHash }
}

test('every method of every extension is answered', async (t) => {
  await using server = await startLocal({ validators: 2 })
  const comet = await Comet38Client.connect(server.urls.comet)
  const extensions = extensionsOf(comet)
  const called = new Set<string>()
  const client = watched(extensions, '', called)
  const { validators } = await client.staking.validators('BOND_STATUS_BONDED')
  const scene = await enact(
    t,
    server.urls.comet,
    validators.map((each) => each.operatorAddress),
  )
  await moneyAndGrants(t, client, scene)
  await stakes(t, client, scene)
  await rewardsAndInflation(t, client, scene)
  await governing(t, client, scene)
  await transactions(t, client, scene)
  await channels(t, client)
  await clientsAndConnections(t, client)
  t.deepEqual(
    functionsOf(extensions).filter((name) => !called.has(name)),
    [],
  )
})

type Client = ReturnType<typeof extensionsOf>

async function moneyAndGrants(t: ExecutionContext, client: Client, { alice, bob }: Scene) {
  t.is((await client.auth.account(alice))?.typeUrl, '/cosmos.auth.v1beta1.BaseAccount')
  t.deepEqual(await client.bank.balance(bob, 'atest'), coin('0'))
  const [all] = await client.bank.allBalances(alice)
  t.deepEqual(all, await client.bank.balance(alice, 'atest'))
  t.deepEqual((await client.bank.totalSupply()).supply, [await client.bank.supplyOf('atest')])
  t.is((await client.bank.denomMetadata('atest')).display, 'test')
  t.deepEqual(
    (await client.bank.denomsMetadata()).map(({ base }) => base),
    ['atest'],
  )
  const { grants } = await client.authz.grants(alice, bob, '')
  t.deepEqual(grants, (await client.authz.grants(alice, bob, MsgSend.typeUrl)).grants)
  t.is(grants[0]?.authorization?.typeUrl, GenericAuthorization.typeUrl)
  await t.throwsAsync(client.authz.grants(alice, bob, '/x'), {
    message: /\(6\): authorization not found for \/x type: authorization not found: unknown request/,
  })
  t.is((await client.authz.granterGrants(alice)).grants[0]?.grantee, bob)
  t.is((await client.authz.granteeGrants(bob)).grants[0]?.granter, alice)
  const { allowance } = await client.feegrant.allowance(alice, bob)
  t.deepEqual([allowance?.granter, allowance?.grantee], [alice, bob])
  t.deepEqual((await client.feegrant.allowances(bob)).allowances, [allowance])
  await t.throwsAsync(client.feegrant.allowance(bob, alice), {
    message: /\(6\): rpc error: code = Internal desc = fee-grant not found: not found: unknown request/,
  })
}

async function stakes(t: ExecutionContext, { staking }: Client, { alice, first, second }: Scene) {
  t.is((await staking.validator(first)).validator.operatorAddress, first)
  t.is((await staking.delegation(alice, first)).delegationResponse?.balance.amount, '970')
  const { delegationResponses } = await staking.delegatorDelegations(alice)
  t.deepEqual(delegationResponses.map(({ balance }) => balance.amount).toSorted(), ['20', '970'])
  const { unbondingResponses } = await staking.delegatorUnbondingDelegations(alice)
  t.is(unbondingResponses[0]?.entries[0]?.balance, '10')
  t.deepEqual((await staking.unbondingDelegation(alice, first)).unbond, unbondingResponses[0])
  const leaving = await staking.validatorUnbondingDelegations(first)
  t.deepEqual(leaving.unbondingResponses, unbondingResponses)
  t.is((await staking.delegatorValidator(alice, second)).validator.operatorAddress, second)
  t.is((await staking.delegatorValidators(alice)).validators.length, 2)
  t.is((await staking.validatorDelegations(second)).delegationResponses.length, 2)
  const { redelegationResponses } = await staking.redelegations(alice, first, second)
  t.is(redelegationResponses[0]?.entries[0]?.balance, '20')
  t.is((await staking.historicalInfo(1)).hist?.header.height, 1n)
  const future = staking.historicalInfo(1000)
  await t.throwsAsync(future, { message: /\(22\): .*info for height 1000 not/ })
  t.is((await staking.params()).params?.bondDenom, 'atest')
  t.is((await staking.pool()).pool?.notBondedTokens, '10')
  t.is((await staking.validators('BOND_STATUS_UNBONDING')).validators.length, 0)
}

async function rewardsAndInflation(
  t: ExecutionContext,
  { distribution, mint, slashing }: Client,
  { alice, first, second }: Scene,
) {
  t.is((await distribution.params()).params?.withdrawAddrEnabled, true)
  t.is((await distribution.communityPool()).pool[0]?.denom, 'atest')
  t.is((await distribution.delegatorWithdrawAddress(alice)).withdrawAddress, alice)
  const names = (await distribution.delegatorValidators(alice)).validators
  t.deepEqual(names.toSorted(), [first, second].toSorted())
  const { rewards, total } = await distribution.delegationTotalRewards(alice)
  t.is(rewards.length, 2)
  t.true(total.length <= 1)
  const [own] = (await distribution.delegationRewards(alice, first)).rewards
  t.deepEqual(own, rewards.find(({ validatorAddress }) => validatorAddress === first)?.reward[0])
  t.is((await distribution.validatorOutstandingRewards(first)).rewards.rewards[0]?.denom, 'atest')
  t.is((await distribution.validatorCommission(first)).commission.commission[0]?.denom, 'atest')
  t.is((await distribution.validatorSlashes(first, 0, 100)).slashes.length, 0)
  t.is((await mint.params()).mintDenom, 'atest')
  t.true((await mint.inflation()).toFloatApproximation() > 0.07)
  t.true((await mint.annualProvisions()).toFloatApproximation() > 0)
  t.true((await slashing.params()).params.signedBlocksWindow > 0n)
  const { info } = await slashing.signingInfos()
  t.is(info.length, 2)
  const { valSigningInfo } = await slashing.signingInfo(info[0]?.address ?? '')
  t.deepEqual(valSigningInfo, info[0])
}

async function governing(t: ExecutionContext, { gov }: Client, { alice }: Scene) {
  t.true(((await gov.params('voting')).votingParams?.votingPeriod?.seconds ?? 0n) > 0n)
  t.true(((await gov.params('deposit')).depositParams?.minDeposit.length ?? 0) > 0)
  t.true(((await gov.params('tallying')).tallyParams?.quorum.length ?? 0) > 0)
  const { proposals } = await gov.proposals(0, '', '')
  t.deepEqual(
    proposals.map(({ proposalId }) => proposalId),
    [1n],
  )
  t.deepEqual((await gov.proposal(1)).proposal, proposals[0])
  t.is((await gov.deposit(1, alice)).deposit.amount[0]?.amount, '10000000')
  t.is((await gov.deposits(1)).deposits.length, 1)
  t.is((await gov.vote(1, alice)).vote.options[0]?.option, VoteOption.VOTE_OPTION_YES)
  t.is((await gov.votes(1)).votes.length, 1)
  t.is((await gov.tally(1)).tally?.yes, '990')
  await t.throwsAsync(gov.proposal(9), { message: /\(22\): .*NotFound desc = proposal 9 doesn't/ })
}

async function transactions(t: ExecutionContext, { tx }: Client, { alice, bob, hash }: Scene) {
  t.is((await tx.getTx(hash)).txResponse?.txhash, hash)
  const wallet = await DirectSecp256k1HdWallet.fromMnemonic(phrase)
  const [{ pubkey } = { pubkey: new Uint8Array(0) }] = await wallet.getAccounts()
  const key = { type: 'tendermint/PubKeySecp256k1', value: Buffer.from(pubkey).toString('base64') }
  t.is(encodePubkey(key).typeUrl, '/cosmos.crypto.secp256k1.PubKey')
  const send = any(MsgSend, { fromAddress: alice, toAddress: bob, amount: [coin('1')] })
  const { gasInfo, result } = await tx.simulate([send], 'memo', key, 1)
  t.true((gasInfo?.gasUsed ?? 0n) > 50_000n)
  t.is(result?.msgResponses[0]?.typeUrl, '/cosmos.bank.v1beta1.MsgSendResponse')
  const wrong = tx.simulate([send], '', key, 5)
  await t.throwsAsync(wrong, {
    message: /\(6\): rpc error: code = Unknown desc = account sequence mismatch.* with gas used: '\d+'/,
  })
}

async function channels(t: ExecutionContext, { ibc: { channel, transfer } }: Client) {
  t.deepEqual((await channel.channels()).channels, [])
  t.deepEqual((await channel.allChannels()).channels, [])
  t.deepEqual((await channel.connectionChannels('connection-0')).channels, [])
  t.deepEqual((await channel.allConnectionChannels('connection-0')).channels, [])
  const at = ['transfer', 'channel-0'] as const
  const missing = { message: /\(22\): rpc error: code = NotFound desc = .*channel not found/ }
  await t.throwsAsync(channel.channel(...at), missing)
  await t.throwsAsync(channel.clientState(...at), missing)
  await t.throwsAsync(channel.consensusState(...at, 0, 1), missing)
  await t.throwsAsync(channel.packetCommitment(...at, 1), missing)
  await t.throwsAsync(channel.packetCommitments(...at), missing)
  await t.throwsAsync(channel.allPacketCommitments(...at), missing)
  await t.throwsAsync(channel.packetReceipt(...at, 1), missing)
  await t.throwsAsync(channel.packetAcknowledgement(...at, 1), missing)
  await t.throwsAsync(channel.packetAcknowledgements(...at), missing)
  await t.throwsAsync(channel.allPacketAcknowledgements(...at), missing)
  await t.throwsAsync(channel.unreceivedPackets(...at, [1]), missing)
  await t.throwsAsync(channel.unreceivedAcks(...at, [1]), missing)
  await t.throwsAsync(channel.nextSequenceReceive(...at), missing)
  await t.throwsAsync(channel.channel('transfer', 'c'), { message: /\(18\): .*invalid length: 1/ })
  t.deepEqual((await transfer.params()).params, { sendEnabled: false, receiveEnabled: false })
  t.deepEqual((await transfer.denomTraces()).denoms, [])
  t.deepEqual((await transfer.allDenomTraces()).denoms, [])
  const none = { message: /denomination not found/ }
  await t.throwsAsync(transfer.denomTrace('AB'.repeat(32)), none)
}

async function clientsAndConnections(t: ExecutionContext, { ibc }: Client) {
  const { client, connection } = ibc
  t.deepEqual((await client.params()).params?.allowedClients, ['*'])
  t.deepEqual((await client.states()).clientStates, [])
  t.deepEqual((await client.allStates()).clientStates, [])
  t.deepEqual(await client.statesTm(), [])
  t.deepEqual(await client.allStatesTm(), [])
  const id = '07-tendermint-0'
  const missing = { message: /\(22\): rpc error: code = NotFound desc = .*light client not found/ }
  await t.throwsAsync(client.state(id), missing)
  await t.throwsAsync(client.stateTm(id), missing)
  const noState = { message: /\(22\): .*consensus state not found/ }
  await t.throwsAsync(client.consensusState(id, 1), noState)
  await t.throwsAsync(client.consensusStateTm(id), noState)
  t.deepEqual((await client.consensusStates(id)).consensusStates, [])
  t.deepEqual((await client.allConsensusStates(id)).consensusStates, [])
  const local = 'connection-localhost'
  t.is((await connection.connection(local)).connection?.clientId, '09-localhost')
  t.deepEqual(
    (await connection.connections()).connections.map((each) => each.id),
    [local],
  )
  t.is((await connection.allConnections()).connections[0]?.versions[0]?.identifier, '1')
  await t.throwsAsync(connection.clientConnections(id), { message: /connection paths not found/ })
  await t.throwsAsync(connection.clientState(local), missing)
  await t.throwsAsync(connection.consensusState(local, 0, 1), noState)
  await t.throwsAsync(connection.connection('connection-7'), { message: /connection not found/ })
}
