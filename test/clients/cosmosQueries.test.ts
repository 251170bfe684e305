/** What cosmjs' query extensions get from `abci_query`, over real sockets. */
import { DirectSecp256k1HdWallet } from '@cosmjs/proto-signing'
import {
  GasPrice, QueryClient, setupAuthExtension, setupAuthzExtension, setupBankExtension,
  setupDistributionExtension, setupFeegrantExtension, setupGovExtension, setupMintExtension,
  setupSlashingExtension, setupStakingExtension, SigningStargateClient,
} from '@cosmjs/stargate'
import { Comet38Client } from '@cosmjs/tendermint-rpc'
import test from 'ava'
import { QueryAccountsRequest, QueryAccountsResponse } from 'cosmjs-types/cosmos/auth/v1beta1/query'
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
  const pages = await pagesOfAccounts(comet)
  t.true(pages.length > 10)
  t.is(new Set(pages).size, pages.length)
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
