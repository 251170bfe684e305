/** The same facts, asked with cosmjs over CometBFT RPC, over REST, and over gRPC. */
import { fromBase64, fromHex, toHex } from '@cosmjs/encoding'
import { DirectSecp256k1HdWallet } from '@cosmjs/proto-signing'
import {
  type AuthExtension,
  type BankExtension,
  GasPrice,
  type MintExtension,
  QueryClient,
  setupAuthExtension,
  setupBankExtension,
  setupMintExtension,
  setupStakingExtension,
  SigningStargateClient,
  type StakingExtension,
} from '@cosmjs/stargate'
import { connectComet } from '@cosmjs/tendermint-rpc'
import test from 'ava'
import { BaseAccount } from 'cosmjs-types/cosmos/auth/v1beta1/auth'
import { MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import { TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { coin, operatorsOf, phrase } from '../helpers/cosmjs.ts'
import { GrpcClient, reflectionV1alpha } from '../helpers/grpc.ts'
import { startLocal } from '../helpers/server.ts'

const server = await startLocal()
const { comet, rest, grpc } = server.urls
const cometClient = await connectComet(comet)
const queries: QueryClient & AuthExtension & BankExtension & MintExtension & StakingExtension =
  QueryClient.withExtensions(
    cometClient,
    setupAuthExtension,
    setupBankExtension,
    setupMintExtension,
    setupStakingExtension,
  )
const wallet = await DirectSecp256k1HdWallet.fromMnemonic(phrase)
const [{ address } = { address: '' }] = await wallet.getAccounts()
const [operator = ''] = await operatorsOf(comet)
const stargate = await SigningStargateClient.connectWithSigner(comet, wallet, {
  gasPrice: GasPrice.fromString('10000000000atest'),
  broadcastPollIntervalMs: 20,
})
const fee = { amount: [coin('10000000000000000')], gas: '1000000' }
const { transactionHash: hash, height } = await stargate.delegateTokens(address, operator, coin('12345'), fee, 'agreed')
test.after.always(async () => {
  stargate.disconnect()
  cometClient.disconnect()
  await server.close()
})

async function get(path: string): Promise<any> {
  return (await fetch(rest + path)).json()
}

async function byGrpc(service: string, method: string, request: object): Promise<any> {
  using client = new GrpcClient(grpc)
  const { response } = await (await client.service(reflectionV1alpha, service)).call(method, request)
  return response
}

test('a balance', async (t) => {
  const { amount } = await queries.bank.balance(address, 'atest')
  t.is((await get(`/cosmos/bank/v1beta1/balances/${address}/by_denom?denom=atest`)).balance.amount, amount)
  const { balance } = await byGrpc('cosmos.bank.v1beta1.Query', 'Balance', { address, denom: 'atest' })
  t.is(balance.amount, amount)
  t.true(BigInt(amount) > 0n)
})

test('the supply', async (t) => {
  const { supply } = await queries.bank.totalSupply()
  t.deepEqual((await get('/cosmos/bank/v1beta1/supply')).supply, supply)
  t.true(supply.length > 0)
})

test('an account with its number, its sequence and its key', async (t) => {
  const found = BaseAccount.decode((await queries.auth.account(address))?.value ?? new Uint8Array(0))
  const { account } = await get(`/cosmos/auth/v1beta1/accounts/${address}`)
  t.is(account['@type'], '/cosmos.auth.v1beta1.BaseAccount')
  t.deepEqual(
    [account.address, BigInt(account.account_number), BigInt(account.sequence)],
    [found.address, found.accountNumber, found.sequence],
  )
  t.is(account.sequence, '1')
  t.deepEqual(fromBase64(account.pub_key.key), found.pubKey?.value.subarray(2))
})

test('a delegation and its validator', async (t) => {
  const { delegationResponse } = await queries.staking.delegation(address, operator)
  const path = `/cosmos/staking/v1beta1/validators/${operator}`
  const { delegation_response: one } = await get(`${path}/delegations/${address}`)
  t.is(one.balance.amount, delegationResponse?.balance.amount)
  t.is(one.balance.amount, '12345')
  const { validator } = await queries.staking.validator(operator)
  const { validator: same } = await get(path)
  t.deepEqual([same.tokens, same.description.moniker], [validator.tokens, validator.description.moniker])
  // Decimals are whole numbers of atoms to cosmjs.
  t.is(BigInt(same.delegator_shares.replace('.', '')), BigInt(validator.delegatorShares))
})

test('inflation', async (t) => {
  const { inflation } = await get('/cosmos/mint/v1beta1/inflation')
  t.is(Number(inflation), (await queries.mint.inflation()).toFloatApproximation())
})

test('a transaction', async (t) => {
  const found = await stargate.getTx(hash)
  const { tx, tx_response: result } = await get(`/cosmos/tx/v1beta1/txs/${hash}`)
  t.is(result.txhash, found?.hash)
  t.deepEqual([Number(result.height), Number(result.gas_used)], [found?.height, Number(found?.gasUsed)])
  t.is(tx.body.memo, 'agreed')
  t.is(tx.body.messages[0].amount.amount, '12345')
  t.deepEqual(
    result.events.map(({ type }: { type: string }) => type),
    found?.events.map(({ type }) => type),
  )
  const told = await byGrpc('cosmos.tx.v1beta1.Service', 'GetTx', { hash })
  t.is((told.txResponse ?? told.tx_response).txhash, hash)
  const searched = await get(`/cosmos/tx/v1beta1/txs?query=${encodeURIComponent(`tx.height=${height}`)}`)
  t.is(searched.tx_responses[0].txhash, (await stargate.searchTx(`tx.height=${height}`))[0]?.hash)
})

test('a block and its transactions', async (t) => {
  const { block, blockId } = await cometClient.block(height)
  const { block: same, block_id: id } = await get(`/cosmos/base/tendermint/v1beta1/blocks/${height}`)
  t.is(toHex(fromBase64(id.hash)), toHex(blockId.hash))
  t.is(toHex(fromBase64(same.header.app_hash)), toHex(block.header.appHash))
  t.is(toHex(fromBase64(same.data.txs[0])), toHex(block.txs[0] ?? new Uint8Array(0)))
  t.is(same.header.time, block.header.time.toISOString().replace('.000Z', 'Z'))
})

test('what a simulation uses', async (t) => {
  const message = { fromAddress: address, toAddress: address, amount: [coin('1')] }
  const used = await stargate.simulate(address, [{ typeUrl: MsgSend.typeUrl, value: message }], '')
  const signed = await stargate.sign(address, [{ typeUrl: MsgSend.typeUrl, value: message }], fee, '')
  const { body } = await post('/cosmos/tx/v1beta1/decode', { tx_bytes: encoded(signed) })
  t.is(body.messages.length, TxBody.decode(signed.bodyBytes).messages.length)
  const { gas_info: info } = await post('/cosmos/tx/v1beta1/simulate', { tx_bytes: encoded(signed) })
  // The bytes of a signature and a fee cost a little gas.
  t.true(Math.abs(Number(info.gas_used) - used) < 3000, `${info.gas_used} and ${used}`)
})

test('what is not there', async (t) => {
  t.is(await stargate.getTx('00'.repeat(32)), null)
  t.like(await get(`/cosmos/tx/v1beta1/txs/${toHex(fromHex('00'.repeat(32)))}`), { code: 5 })
})

function encoded({ bodyBytes, authInfoBytes, signatures }: TxRaw): string {
  return Buffer.from(TxRaw.encode({ bodyBytes, authInfoBytes, signatures }).finish()).toString('base64')
}

async function post(path: string, body: object): Promise<any> {
  const answer = await fetch(rest + path, { method: 'POST', body: JSON.stringify(body) })
  const told = (await answer.json()) as any
  return told.tx ?? told
}
