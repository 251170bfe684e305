/**
 * cosmjs over real sockets: granting, paying for others, governing, staking, and time that passes.
 */
import { stringToPath, type HdPath } from '@cosmjs/crypto'
import { DirectSecp256k1HdWallet, type EncodeObject } from '@cosmjs/proto-signing'
import { type DeliverTxResponse, GasPrice, SigningStargateClient } from '@cosmjs/stargate'
import test, { type ExecutionContext } from 'ava'
import { GenericAuthorization } from 'cosmjs-types/cosmos/authz/v1beta1/authz'
import { MsgExec, MsgGrant } from 'cosmjs-types/cosmos/authz/v1beta1/tx'
import { MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import { MsgCommunityPoolSpend } from 'cosmjs-types/cosmos/distribution/v1beta1/tx'
import { BasicAllowance } from 'cosmjs-types/cosmos/feegrant/v1beta1/feegrant'
import { MsgGrantAllowance } from 'cosmjs-types/cosmos/feegrant/v1beta1/tx'
import { MsgSubmitProposal, MsgVote } from 'cosmjs-types/cosmos/gov/v1/tx'
import { coin, jump, operatorsOf, phrase } from '../helpers/cosmjs.ts'
import { any } from '../helpers/messageChain.ts'
import { eventually, startLocal } from '../helpers/server.ts'
import { WebSocket } from 'ws'

const token = `1${'0'.repeat(18)}`

async function clients(url: string) {
  const hdPaths: HdPath[] = [0, 1, 2].map((index) => stringToPath(`m/44'/118'/0'/0/${index}`))
  const wallet = await DirectSecp256k1HdWallet.fromMnemonic(phrase, { hdPaths })
  const client = await SigningStargateClient.connectWithSigner(url, wallet, {
    gasPrice: GasPrice.fromString('2000000000atest'),
    broadcastPollIntervalMs: 20,
  })
  for (const type of [MsgSubmitProposal, MsgVote, MsgCommunityPoolSpend]) {
    client.registry.register(type.typeUrl, type)
  }
  const [alice = '', bob = '', carol = ''] = (await wallet.getAccounts()).map(({ address }) => address)
  const [operator = ''] = await operatorsOf(url)
  return { client, alice, bob, carol, operator }
}

function ok(t: ExecutionContext, { code, rawLog }: DeliverTxResponse): void {
  t.is(code, 0, rawLog)
}

const send = (from: string, to: string): EncodeObject => ({
  typeUrl: MsgSend.typeUrl,
  value: { fromAddress: from, toAddress: to, amount: [coin('7')] },
})

/** Opens a socket that subscribes to a query; returns the transactions that it was told of. */
async function toldOf(url: string, query: string): Promise<{ readonly told: string[]; readonly end: () => void }> {
  const socket = new WebSocket(url)
  const told: string[] = []
  await new Promise<void>((done) => {
    socket.once('open', () => {
      socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'subscribe', params: { query } }))
    })
    socket.on('message', (data) => {
      const { result } = JSON.parse(String(data)) as { result: { events?: Readonly<Record<string, string[]>> } }
      if (result.events === undefined) done()
      else told.push(...(result.events['tx.hash'] ?? []))
    })
  })
  const end = () => {
    socket.terminate()
  }
  return { told, end }
}

test('a grantee sends what the granter has, and only its own message is found by module and action', async (t) => {
  await using server = await startLocal()
  const { client, alice, bob, carol } = await clients(server.urls.comet)
  const ofAuthz = await toldOf(server.urls.cometWs, "tm.event='Tx' AND message.module='authz'")
  const ofBank = await toldOf(server.urls.cometWs, "tm.event='Tx' AND message.module='bank'")
  const before = BigInt((await client.getBalance(carol, 'atest')).amount)
  const authorization = any(GenericAuthorization, { msg: MsgSend.typeUrl })
  ok(
    t,
    await client.signAndBroadcast(
      alice,
      [
        {
          typeUrl: MsgGrant.typeUrl,
          value: { granter: alice, grantee: bob, grant: { authorization } },
        },
      ],
      1.5,
    ),
  )
  const message = any(MsgSend, { fromAddress: alice, toAddress: carol, amount: [coin('7')] })
  const exec = { typeUrl: MsgExec.typeUrl, value: { grantee: bob, msgs: [message] } }
  const executed = await client.signAndBroadcast(bob, [exec], 1.5)
  ok(t, executed)
  t.is(BigInt((await client.getBalance(carol, 'atest')).amount), before + 7n)
  const found = async (query: string) => {
    const answer = await fetch(`${server.urls.comet}/tx_search?query=${encodeURIComponent(`"${query}"`)}`)
    const { result } = (await answer.json()) as { result: { txs: readonly { hash: string }[] } }
    return result.txs.map(({ hash }) => hash)
  }
  const both = await found("message.module='authz'")
  t.is(both.length, 2)
  t.is(both[1], executed.transactionHash)
  t.deepEqual(await found(`message.action='${MsgExec.typeUrl}'`), [executed.transactionHash])
  t.deepEqual(await found(`message.action='${MsgSend.typeUrl}'`), [])
  t.deepEqual(await found("message.module='bank'"), [])
  await eventually(() => ofAuthz.told.length === 2)
  t.deepEqual(ofAuthz.told, both)
  ok(t, await client.signAndBroadcast(bob, [send(bob, carol)], 1.5))
  await eventually(() => ofBank.told.length > 0)
  t.deepEqual(ofBank.told, await found("message.module='bank'"))
  t.is(ofBank.told.length, 1)
  for (const { end } of [ofAuthz, ofBank]) end()
})

test('a granter pays the fee', async (t) => {
  await using server = await startLocal()
  const { client, alice, bob, carol } = await clients(server.urls.comet)
  const allowance = any(BasicAllowance, { spendLimit: [coin(token)] })
  ok(
    t,
    await client.signAndBroadcast(
      alice,
      [{ typeUrl: MsgGrantAllowance.typeUrl, value: { granter: alice, grantee: bob, allowance } }],
      1.5,
    ),
  )
  const before = BigInt((await client.getBalance(bob, 'atest')).amount)
  const fee = { amount: [coin('600000000000000')], gas: '300000', granter: alice }
  ok(t, await client.signAndBroadcast(bob, [send(bob, carol)], fee))
  t.is(BigInt((await client.getBalance(bob, 'atest')).amount), before - 7n)
})

test('a proposal passes and its message is carried out', async (t) => {
  await using server = await startLocal()
  const { client, alice, bob, carol, operator } = await clients(server.urls.comet)
  ok(t, await client.delegateTokens(alice, operator, coin(`5000${'0'.repeat(18)}`), 1.5))
  const authority = 'cosmos10d07y265gmmuvt4z0w9aw880jnsr700j6zn9kn'
  const before = BigInt((await client.getBalance(carol, 'atest')).amount)
  ok(
    t,
    await client.signAndBroadcast(
      bob,
      [
        {
          typeUrl: MsgSubmitProposal.typeUrl,
          value: MsgSubmitProposal.fromPartial({
            messages: [any(MsgCommunityPoolSpend, { authority, recipient: carol, amount: [coin('5')] })],
            initialDeposit: [coin('10000000')],
            proposer: bob,
            title: 'pay',
            summary: 'carol',
            metadata: 'x',
          }),
        },
      ],
      1.5,
    ),
  )
  ok(
    t,
    await client.signAndBroadcast(
      alice,
      [{ typeUrl: MsgVote.typeUrl, value: { proposalId: 1n, voter: alice, option: 1, metadata: '' } }],
      1.5,
    ),
  )
  await jump(server.urls.eth, 172_801)
  t.is(BigInt((await client.getBalance(carol, 'atest')).amount), before + 5n)
})

test('stake earns rewards, and comes back when its time is over', async (t) => {
  await using server = await startLocal()
  const { client, alice, operator } = await clients(server.urls.comet)
  const stake = coin(`1000${'0'.repeat(18)}`)
  ok(t, await client.delegateTokens(alice, operator, stake, 1.5))
  for (let i = 0; i < 3; i++) await jump(server.urls.eth, 1)
  const drawn = await client.withdrawRewards(alice, operator, 1.5)
  ok(t, drawn)
  const reward = drawn.events.find(({ type }) => type === 'withdraw_rewards')?.attributes[0]?.value
  t.regex(reward ?? '', /^[1-9]\d{9,}atest$/)
  ok(t, await client.undelegateTokens(alice, operator, stake, 1.5))
  const before = BigInt((await client.getBalance(alice, 'atest')).amount)
  await jump(server.urls.eth, 21 * 86_400 + 1)
  t.is(BigInt((await client.getBalance(alice, 'atest')).amount), before + BigInt(stake.amount))
})
