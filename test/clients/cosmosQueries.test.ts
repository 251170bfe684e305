/** What the SDK's services and queries get from `abci_query`, over real sockets. */
import { DirectSecp256k1HdWallet } from '@cosmjs/proto-signing'
import {
  GasPrice,
  QueryClient,
  setupBankExtension,
  setupTxExtension,
  SigningStargateClient,
  StargateClient,
} from '@cosmjs/stargate'
import { Comet38Client } from '@cosmjs/tendermint-rpc'
import test from 'ava'
import { QueryAccountsRequest, QueryAccountsResponse } from 'cosmjs-types/cosmos/auth/v1beta1/query'
import { QuerySpendableBalancesRequest, QuerySpendableBalancesResponse } from 'cosmjs-types/cosmos/bank/v1beta1/query'
import { QueryParamsResponse as ConsensusParamsResponse } from 'cosmjs-types/cosmos/consensus/v1/query'
import { QueryModuleVersionsResponse } from 'cosmjs-types/cosmos/upgrade/v1beta1/query'
import {
  ABCIQueryRequest,
  ABCIQueryResponse,
  GetLatestBlockResponse,
  GetLatestValidatorSetResponse,
  GetNodeInfoResponse,
  GetValidatorSetByHeightRequest,
  GetValidatorSetByHeightResponse,
} from 'cosmjs-types/cosmos/base/tendermint/v1beta1/query'
import { ConfigResponse, StatusResponse } from 'cosmjs-types/cosmos/base/node/v1beta1/query'
import {
  GetBlockWithTxsRequest,
  GetBlockWithTxsResponse,
  GetTxsEventRequest,
  GetTxsEventResponse,
  OrderBy,
} from 'cosmjs-types/cosmos/tx/v1beta1/service'
import { jump, phrase } from '../helpers/cosmjs.ts'
import { startLocal, startPruning } from '../helpers/server.ts'

const gasPrice = GasPrice.fromString('2000000000atest')

test('queries that cosmjs has no extension for are answered', async (t) => {
  await using server = await startLocal()
  const comet = await Comet38Client.connect(server.urls.comet)
  const { bank } = QueryClient.withExtensions(comet, setupBankExtension)
  const wallet = await DirectSecp256k1HdWallet.fromMnemonic(phrase)
  const [{ address } = { address: '' }] = await wallet.getAccounts()
  const spendable = await comet.abciQuery({
    path: '/cosmos.bank.v1beta1.Query/SpendableBalances',
    data: QuerySpendableBalancesRequest.encode(
      QuerySpendableBalancesRequest.fromPartial({
        address,
        pagination: { limit: 1n, countTotal: true, reverse: true },
      }),
    ).finish(),
  })
  const { balances, pagination } = QuerySpendableBalancesResponse.decode(spendable.value)
  t.is(balances.length, 1)
  t.deepEqual(balances[0], await bank.balance(address, balances[0]?.denom ?? ''))
  t.is(pagination?.total, BigInt((await bank.allBalances(address)).length))
  const versions = await comet.abciQuery({
    path: '/cosmos.upgrade.v1beta1.Query/ModuleVersions',
    data: new Uint8Array(0),
  })
  const own = QueryModuleVersionsResponse.decode(versions.value).moduleVersions.find(({ name }) => name === 'bank')
  t.is(own?.version, 4n)
  const consensus = await comet.abciQuery({
    path: '/cosmos.consensus.v1.Query/Params',
    data: new Uint8Array(0),
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
    gasPrice,
    broadcastPollIntervalMs: 20,
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
    data: GetTxsEventRequest.encode(
      GetTxsEventRequest.fromPartial({
        query: `message.sender='${address}'`,
        orderBy: OrderBy.ORDER_BY_DESC,
        limit: 1n,
      }),
    ).finish(),
  })
  const { txResponses, total } = GetTxsEventResponse.decode(found.value)
  t.deepEqual(
    txResponses.map(({ txhash }) => txhash),
    [next.transactionHash],
  )
  t.is(total, 2n)

  const at = await comet.abciQuery({
    path: '/cosmos.tx.v1beta1.Service/GetBlockWithTxs',
    data: GetBlockWithTxsRequest.encode(
      GetBlockWithTxsRequest.fromPartial({
        height: BigInt(sent.height),
      }),
    ).finish(),
  })
  const withTxs = GetBlockWithTxsResponse.decode(at.value)
  const { block, blockId } = await comet.block(sent.height)
  t.is(withTxs.txs.length, 1)
  t.deepEqual(withTxs.blockId?.hash, blockId.hash)
  t.deepEqual(withTxs.block?.data.txs, [...block.txs])

  const latest = GetLatestBlockResponse.decode(
    (
      await comet.abciQuery({
        path: '/cosmos.base.tendermint.v1beta1.Service/GetLatestBlock',
        data: new Uint8Array(0),
      })
    ).value,
  )
  t.regex(latest.sdkBlock?.header.proposerAddress ?? '', /^cosmosvalcons1/)
  t.deepEqual(latest.sdkBlock?.header.appHash, latest.block?.header.appHash)
})

test('the node says who it is and who validates', async (t) => {
  await using server = await startLocal({ validators: 3 })
  const comet = await Comet38Client.connect(server.urls.comet)
  const ask = async (path: string, data: Uint8Array = new Uint8Array(0)) =>
    (await comet.abciQuery({ path: `/cosmos.base.${path}`, data })).value
  const service = 'tendermint.v1beta1.Service/'
  const { nodeInfo, validatorInfo } = await comet.status()
  const said = GetNodeInfoResponse.decode(await ask(`${service}GetNodeInfo`))
  t.is(said.defaultNodeInfo?.defaultNodeId, Buffer.from(nodeInfo.id).toString('hex'))
  t.is(said.defaultNodeInfo?.network, nodeInfo.network)
  t.is(said.defaultNodeInfo?.version, nodeInfo.version)
  t.is(said.applicationVersion?.cosmosSdkVersion, 'v0.53.4')
  const latest = GetLatestValidatorSetResponse.decode(await ask(`${service}GetLatestValidatorSet`))
  const { validators } = await comet.validators({})
  t.is(latest.validators.length, 3)
  t.regex(latest.validators[0]?.address ?? '', /^cosmosvalcons1/)
  t.deepEqual(
    latest.validators.map(({ votingPower }) => votingPower),
    validators.map(({ votingPower }) => votingPower),
  )
  t.is(latest.validators[0]?.pubKey?.typeUrl, '/cosmos.crypto.ed25519.PubKey')
  t.truthy(validatorInfo.address)
  const data = GetValidatorSetByHeightRequest.encode(
    GetValidatorSetByHeightRequest.fromPartial({
      height: 1n,
      pagination: { offset: 2n, limit: 2n },
    }),
  ).finish()
  const paged = GetValidatorSetByHeightResponse.decode(await ask(`${service}GetValidatorSetByHeight`, data))
  t.is(paged.blockHeight, 1n)
  t.is(paged.validators.length, 1)
  t.is(paged.pagination?.total, 3n)
  t.is(ConfigResponse.decode(await ask('node.v1beta1.Service/Config')).minimumGasPrice, '')
  const status = StatusResponse.decode(await ask('node.v1beta1.Service/Status'))
  const { header } = (await comet.block(Number(status.height))).block
  t.deepEqual(status.appHash, header.appHash)
  await jump(server.urls.eth, 1)
  const inner = ABCIQueryRequest.encode(
    ABCIQueryRequest.fromPartial({
      path: '/store/bank/key',
      data: Uint8Array.from([5]),
      prove: true,
    }),
  ).finish()
  const proof = ABCIQueryResponse.decode(await ask(`${service}ABCIQuery`, inner))
  t.deepEqual(
    proof.proofOps?.ops.map(({ type }) => type),
    ['ics23:iavl', 'ics23:simple'],
  )
  const refused = ABCIQueryRequest.encode(
    ABCIQueryRequest.fromPartial({
      path: '/cosmos.bank.v1beta1.Query/Params',
    }),
  ).finish()
  const answer = await comet.abciQuery({ path: `/cosmos.base.${service}ABCIQuery`, data: refused })
  t.is(answer.code, 18)
  t.regex(answer.log ?? '', /unsupported ABCI query path: \/cosmos.bank/)
})

test('a search of transactions answers pages, and says where blocks are pruned', async (t) => {
  await using server = await startPruning(3)
  const comet = await Comet38Client.connect(server.urls.comet)
  const wallet = await DirectSecp256k1HdWallet.fromMnemonic(phrase)
  const [{ address } = { address: '' }] = await wallet.getAccounts()
  const signer = await SigningStargateClient.connectWithSigner(server.urls.comet, wallet, {
    gasPrice,
    broadcastPollIntervalMs: 20,
  })
  const sent: string[] = []
  for (let n = 0; n < 5; n++) {
    const coins = [{ denom: 'atest', amount: '7' }]
    sent.push((await signer.sendTokens(address, address, coins, 1.3)).transactionHash)
  }
  const search = async (asked: Partial<GetTxsEventRequest>) =>
    comet.abciQuery({
      path: '/cosmos.tx.v1beta1.Service/GetTxsEvent',
      data: GetTxsEventRequest.encode(GetTxsEventRequest.fromPartial(asked)).finish(),
    })
  const query = `message.sender='${address}'`
  const newest = await search({ query, orderBy: OrderBy.ORDER_BY_DESC, limit: 2n })
  const page = GetTxsEventResponse.decode(newest.value)
  t.deepEqual(
    page.txResponses.map(({ txhash }) => txhash),
    sent.slice(3).toReversed(),
  )
  t.is(page.total, 5n)
  const refusals = [
    [{ query, limit: 2n }, /^rpc error: code = Internal desc = height \d+ is not available, lowest/],
    [{ query, limit: 2n, page: 4n }, /failed to search for txs: page should be within \[1, 3\] range/],
    [{ query: '' }, /desc = query cannot be empty: unknown request$/],
    [{ query: 'a=' }, /desc = failed to search for txs: .*: unknown request$/],
  ] as const
  for (const [asked, text] of refusals) {
    const { code, codespace, log } = await search(asked)
    t.is(code, 6)
    t.is(codespace, 'sdk')
    t.regex(log ?? '', text)
  }
})

/** Reads all accounts four at a time, by the key of the next page. */
async function pagesOfAccounts(comet: Comet38Client): Promise<string[]> {
  const found: string[] = []
  for (let key = new Uint8Array(0); ; ) {
    const data = QueryAccountsRequest.encode(
      QueryAccountsRequest.fromPartial({
        pagination: { key, limit: 4n },
      }),
    ).finish()
    const { value } = await comet.abciQuery({ path: '/cosmos.auth.v1beta1.Query/Accounts', data })
    const { accounts, pagination } = QueryAccountsResponse.decode(value)
    found.push(...accounts.map((account) => Buffer.from(account.value).toString('hex')))
    key = Uint8Array.from(pagination?.nextKey ?? [])
    if (key.length === 0) return found
  }
}
