/** What cosmjs' query extensions get from `abci_query`, over real sockets. */
import { DirectSecp256k1HdWallet } from '@cosmjs/proto-signing'
import {
  GasPrice, QueryClient, setupAuthExtension, setupAuthzExtension, setupBankExtension,
  setupDistributionExtension, setupFeegrantExtension, setupGovExtension, setupMintExtension,
  setupSlashingExtension, setupStakingExtension, setupTxExtension, SigningStargateClient,
  StargateClient,
} from '@cosmjs/stargate'
import { Comet38Client } from '@cosmjs/tendermint-rpc'
import test from 'ava'
import { QueryAccountsRequest, QueryAccountsResponse } from 'cosmjs-types/cosmos/auth/v1beta1/query'
import {
  QuerySpendableBalancesRequest, QuerySpendableBalancesResponse,
} from 'cosmjs-types/cosmos/bank/v1beta1/query'
import {
  QueryParamsResponse as ConsensusParamsResponse,
} from 'cosmjs-types/cosmos/consensus/v1/query'
import { QueryModuleVersionsResponse } from 'cosmjs-types/cosmos/upgrade/v1beta1/query'
import { GetLatestBlockResponse } from 'cosmjs-types/cosmos/base/tendermint/v1beta1/query'
import {
  GetBlockWithTxsRequest, GetBlockWithTxsResponse, GetTxsEventRequest, GetTxsEventResponse, OrderBy,
} from 'cosmjs-types/cosmos/tx/v1beta1/service'
import { startLocal } from '../helpers/server.ts'

const phrase = 'test test test test test test test test test test test junk'
const gasPrice = GasPrice.fromString('2000000000atest')

test('every query extension of cosmjs is answered', async (t) => {
  await using server = await startLocal()
  const comet = await Comet38Client.connect(server.urls.comet)
  const client = QueryClient.withExtensions(
    comet, setupAuthExtension, setupAuthzExtension, setupBankExtension, setupDistributionExtension,
    setupFeegrantExtension, setupGovExtension, setupMintExtension, setupSlashingExtension,
    setupStakingExtension,
  )
  const wallet = await DirectSecp256k1HdWallet.fromMnemonic(phrase)
  const [account] = await wallet.getAccounts()
  const address = account?.address ?? ''
  const signer = await SigningStargateClient.connectWithSigner(server.urls.comet, wallet, {
    gasPrice, broadcastPollIntervalMs: 20,
  })
  const { validators } = await client.staking.validators('BOND_STATUS_BONDED')
  const operator = validators[0]?.operatorAddress ?? ''
  t.is((await client.staking.validator(operator)).validator.operatorAddress, operator)
  t.is((await client.staking.validators('BOND_STATUS_UNBONDED')).validators.length, 0)
  const sent = await signer.delegateTokens(address, operator, { denom: 'atest', amount: '1000' }, 1.3)
  t.is(sent.code, 0, sent.rawLog)
  const { delegationResponses } = await client.staking.delegatorDelegations(address)
  t.deepEqual(delegationResponses.map(({ balance }) => balance), [{ denom: 'atest', amount: '1000' }])
  t.is((await client.staking.delegation(address, operator)).delegationResponse?.balance.amount, '1000')
  t.true((await client.staking.validatorDelegations(operator)).delegationResponses.length >= 1)
  t.is((await client.staking.delegatorValidators(address)).validators.length, 1)
  t.true(BigInt((await client.staking.pool()).pool?.bondedTokens ?? 0) >= 1000n)
  t.is((await client.staking.params()).params?.bondDenom, 'atest')
  t.is((await client.staking.delegatorUnbondingDelegations(address)).unbondingResponses.length, 0)
  const { rewards } = await client.distribution.delegationTotalRewards(address)
  t.deepEqual(rewards.map(({ validatorAddress }) => validatorAddress), [operator])
  t.is((await client.distribution.delegatorWithdrawAddress(address)).withdrawAddress, address)
  t.truthy((await client.distribution.params()).params?.communityTax)
  t.truthy((await client.distribution.validatorOutstandingRewards(operator)).rewards)
  await client.distribution.validatorCommission(operator)
  await client.distribution.communityPool()
  t.is((await client.mint.params()).mintDenom, 'atest')
  t.regex((await client.mint.inflation()).toString(), /^0(\.\d+)?$/)
  await client.mint.annualProvisions()
  t.is((await client.slashing.signingInfos()).info.length, 1)
  t.true(((await client.slashing.params()).params?.signedBlocksWindow ?? 0n) > 0n)
  t.is((await client.gov.params('voting')).votingParams?.votingPeriod !== undefined, true)
  t.true(((await client.gov.params('deposit')).depositParams?.maxDepositPeriod?.seconds ?? 0n) > 0n)
  t.true(((await client.gov.params('tallying')).tallyParams?.quorum.length ?? 0) > 0)
  t.is((await client.gov.proposals(0, '', '')).proposals.length, 0)
  t.is((await client.authz.granterGrants(address)).grants.length, 0)
  t.is((await client.feegrant.allowances(address)).allowances.length, 0)
  t.true((await client.bank.totalSupply()).supply.length > 0)
  t.truthy(await client.auth.account(address))
  const spendable = await comet.abciQuery({
    path: '/cosmos.bank.v1beta1.Query/SpendableBalances',
    data: QuerySpendableBalancesRequest.encode(QuerySpendableBalancesRequest.fromPartial({
      address, pagination: { limit: 1n, countTotal: true, reverse: true },
    })).finish(),
  })
  const { balances, pagination } = QuerySpendableBalancesResponse.decode(spendable.value)
  t.is(balances.length, 1)
  t.deepEqual(balances[0], await client.bank.balance(address, balances[0]?.denom ?? ''))
  t.is(pagination?.total, BigInt((await client.bank.allBalances(address)).length))
  const versions = await comet.abciQuery({
    path: '/cosmos.upgrade.v1beta1.Query/ModuleVersions', data: new Uint8Array(0),
  })
  const bank = QueryModuleVersionsResponse.decode(versions.value).moduleVersions
    .find(({ name }) => name === 'bank')
  t.is(bank?.version, 4n)
  const consensus = await comet.abciQuery({
    path: '/cosmos.consensus.v1.Query/Params', data: new Uint8Array(0),
  })
  const { params } = ConsensusParamsResponse.decode(consensus.value)
  t.true((params?.block?.maxBytes ?? 0n) > 0n)
  const pages = await pagesOfAccounts(comet)
  t.true(pages.length > 10)
  t.is(new Set(pages).size, pages.length)
})

test('the tx and block services show what was included', async (t) => {
  await using server = await startLocal()
  const comet = await Comet38Client.connect(server.urls.comet)
  const wallet = await DirectSecp256k1HdWallet.fromMnemonic(phrase)
  const [{ address } = { address: '' }] = await wallet.getAccounts()
  const signer = await SigningStargateClient.connectWithSigner(server.urls.comet, wallet, {
    gasPrice, broadcastPollIntervalMs: 20,
  })
  const coins = [{ denom: 'atest', amount: '7' }]
  const sent = await signer.sendTokens(address, address, coins, 1.3)
  const next = await signer.sendTokens(address, address, coins, 1.3)
  const { tx } = QueryClient.withExtensions(comet, setupTxExtension)
  const got = await tx.getTx(sent.transactionHash)
  const plain = await (await StargateClient.connect(server.urls.comet)).getTx(sent.transactionHash)
  t.is(got.txResponse?.txhash, sent.transactionHash)
  t.is(got.txResponse?.height, BigInt(sent.height))
  t.is(got.txResponse?.gasUsed, sent.gasUsed)
  t.deepEqual(got.txResponse?.tx?.value, plain?.tx)
  t.is(got.txResponse?.events.length, plain?.events.length)
  t.is(got.tx?.body?.messages[0]?.typeUrl, '/cosmos.bank.v1beta1.MsgSend')
  await t.throwsAsync(tx.getTx('AB'.repeat(32)), { message: /tx not found: (AB){32}/ })

  const found = await comet.abciQuery({
    path: '/cosmos.tx.v1beta1.Service/GetTxsEvent',
    data: GetTxsEventRequest.encode(GetTxsEventRequest.fromPartial({
      query: `message.sender='${address}'`, orderBy: OrderBy.ORDER_BY_DESC, limit: 1n,
    })).finish(),
  })
  const { txResponses, total } = GetTxsEventResponse.decode(found.value)
  t.deepEqual(txResponses.map(({ txhash }) => txhash), [next.transactionHash])
  t.is(total, 2n)

  const at = await comet.abciQuery({
    path: '/cosmos.tx.v1beta1.Service/GetBlockWithTxs',
    data: GetBlockWithTxsRequest.encode(GetBlockWithTxsRequest.fromPartial({
      height: BigInt(sent.height),
    })).finish(),
  })
  const withTxs = GetBlockWithTxsResponse.decode(at.value)
  const { block, blockId } = await comet.block(sent.height)
  t.is(withTxs.txs.length, 1)
  t.deepEqual(withTxs.blockId?.hash, blockId.hash)
  t.deepEqual(withTxs.block?.data.txs, [...block.txs])

  const latest = GetLatestBlockResponse.decode((await comet.abciQuery({
    path: '/cosmos.base.tendermint.v1beta1.Service/GetLatestBlock', data: new Uint8Array(0),
  })).value)
  t.regex(latest.sdkBlock?.header.proposerAddress ?? '', /^cosmosvalcons1/)
  t.deepEqual(latest.sdkBlock?.header.appHash, latest.block?.header.appHash)
})

/** Reads all accounts four at a time, by the key of the next page. */
async function pagesOfAccounts(comet: Comet38Client): Promise<string[]> {
  const found: string[] = []
  for (let key = new Uint8Array(0); ;) {
    const data = QueryAccountsRequest.encode(QueryAccountsRequest.fromPartial({
      pagination: { key, limit: 4n },
    })).finish()
    const { value } = await comet.abciQuery({ path: '/cosmos.auth.v1beta1.Query/Accounts', data })
    const { accounts, pagination } = QueryAccountsResponse.decode(value)
    found.push(...accounts.map((account) => Buffer.from(account.value).toString('hex')))
    key = Uint8Array.from(pagination?.nextKey ?? [])
    if (key.length === 0) return found
  }
}
