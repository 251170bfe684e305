/** StargateClient and SigningStargateClient of cosmjs, method by method, over real sockets. */
import { DirectSecp256k1HdWallet } from '@cosmjs/proto-signing'
import { stringToPath } from '@cosmjs/crypto'
import { GasPrice, SigningStargateClient, StargateClient, TimeoutError } from '@cosmjs/stargate'
import test from 'ava'
import { MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import { TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { start } from '../../src/index.ts'
import { coin, operatorsOf, phrase } from '../helpers/cosmjs.ts'
import { freePorts, startLocal } from '../helpers/server.ts'

const fee = { amount: [coin('600000000000000')], gas: '300000' }

async function signerOf(url: string, accounts = 2) {
  const hdPaths = Array.from({ length: accounts }, (_, index) => stringToPath(`m/44'/118'/0'/0/${index}`))
  const wallet = await DirectSecp256k1HdWallet.fromMnemonic(phrase, { hdPaths })
  const signer = await SigningStargateClient.connectWithSigner(url, wallet, {
    gasPrice: GasPrice.fromString('2000000000atest'),
    broadcastPollIntervalMs: 20,
  })
  const [alice = '', bob = ''] = (await wallet.getAccounts()).map(({ address }) => address)
  const [operator = ''] = await operatorsOf(url)
  return { signer, alice, bob, operator }
}

/** Returns the names of the public methods of a client that nobody called. */
function uncalled(client: object, called: ReadonlySet<string>, base: object): string[] {
  const own = Object.getOwnPropertyNames(Object.getPrototypeOf(client))
  const inner = [
    'constructor',
    'signAmino',
    'signDirect',
    'calculateFeeForTransaction',
    ...Object.getOwnPropertyNames(base),
  ]
  return own.filter(
    (name) =>
      !inner.includes(name) && !/^(get|force)?(Query|Comet)|Client$|^txs?Query$/.test(name) && !called.has(name),
  )
}

function noting<Client extends object>(client: Client, called: Set<string>): Client {
  return new Proxy(client, {
    get: (target, key) => {
      called.add(String(key))
      const member: unknown = Reflect.get(target, key, target)
      return typeof member === 'function' ? member.bind(target) : member
    },
  })
}

test('every method of StargateClient reads the chain', async (t) => {
  await using server = await startLocal()
  const { signer, alice, bob, operator } = await signerOf(server.urls.comet)
  const plain = await StargateClient.connect(server.urls.comet)
  const called = new Set<string>()
  const client = noting(plain, called)
  t.is(await client.getChainId(), 'chainstage-1')
  t.is((await client.getAccount(alice))?.accountNumber, 10n)
  t.is(await client.getAccount('cosmos1qyqszqgpqyqszqgpqyqszqgpqyqszqgpjnp7du'), null)
  t.deepEqual(await client.getSequence(alice), { accountNumber: 10n, sequence: 0 })
  t.is(await client.getBalanceStaked(alice), null)
  t.is(await client.getDelegation(alice, operator), null)
  const staked = await signer.delegateTokens(alice, operator, coin('5000'), 1.3)
  t.is(staked.code, 0, staked.rawLog)
  t.deepEqual(await client.getBalanceStaked(alice), coin('5000'))
  t.deepEqual(await client.getDelegation(alice, operator), coin('5000'))
  t.deepEqual(await client.getAllBalances(alice), [await client.getBalance(alice, 'atest')])
  t.is((await client.getBlock(staked.height)).txs.length, 1)
  t.is((await client.getBlock()).header.height, await client.getHeight())
  t.is(await client.getTx('AB'.repeat(32)), null)
  t.is(
    (await client.getTx(staked.transactionHash))?.msgResponses[0]?.typeUrl,
    '/cosmos.staking.v1beta1.MsgDelegateResponse',
  )
  const send = {
    typeUrl: MsgSend.typeUrl,
    value: {
      fromAddress: alice,
      toAddress: bob,
      amount: [coin('1')],
    },
  }
  const first = await signer.sign(alice, [send], fee, 'a')
  const sent = await client.broadcastTx(TxRaw.encode(first).finish(), 10_000, 20)
  t.is(sent.code, 0, sent.rawLog)
  const second = await signer.sign(alice, [send], fee, 'b')
  const hash = await client.broadcastTxSync(TxRaw.encode(second).finish())
  t.is((await client.getTx(hash))?.code, 0)
  const again = client.broadcastTxSync(TxRaw.encode(second).finish())
  await t.throwsAsync(again, { message: /tx already exists in cache|account sequence mismatch/ })
  const found = await client.searchTx(`message.sender='${alice}'`)
  t.deepEqual(
    found.map((each) => each.hash).toSorted(),
    [staked.transactionHash, sent.transactionHash, hash].toSorted(),
  )
  const received = [
    { key: 'transfer.recipient', value: bob },
    { key: 'transfer.amount', value: '1atest' },
  ]
  t.is((await client.searchTx(received)).length, 2)
  t.deepEqual(await client.searchTx([...received, { key: 'tx.height', value: staked.height }]), [])
  client.disconnect()
  t.deepEqual(uncalled(plain, called, {}), [])
})

test('every method of SigningStargateClient changes the chain', async (t) => {
  await using server = await startLocal()
  const { signer: plain, alice, bob, operator } = await signerOf(server.urls.comet)
  const called = new Set<string>()
  const client = noting(plain, called)
  const send = {
    typeUrl: MsgSend.typeUrl,
    value: {
      fromAddress: alice,
      toAddress: bob,
      amount: [coin('1')],
    },
  }
  const before = BigInt((await client.getBalance(bob, 'atest')).amount)
  const gas = await client.simulate(alice, [send], undefined)
  t.true(gas > 50_000 && gas < 150_000, String(gas))
  const results = [
    await client.sendTokens(alice, bob, [coin('1')], { ...fee, gas: `${Math.ceil(gas * 1.3)}` }),
    await client.delegateTokens(alice, operator, coin('1000'), 'auto'),
    await client.withdrawRewards(alice, operator, 1.3),
    await client.undelegateTokens(alice, operator, coin('400'), 1.3),
    await client.signAndBroadcast(alice, [send, send], 1.3, 'memo'),
  ]
  for (const { code, rawLog } of results) t.is(code, 0, rawLog)
  const hash = await client.signAndBroadcastSync(alice, [send], 1.3)
  t.is((await client.getTx(hash))?.code, 0, JSON.stringify((await client.getTx(hash))?.rawLog))
  const height = BigInt(await client.getHeight())
  const late = await client.sign(alice, [send], fee, '', undefined, height - 1n)
  await t.throwsAsync(client.broadcastTx(TxRaw.encode(late).finish()), { message: /code 30 .*tx timeout height/s })
  t.is(BigInt((await client.getBalance(bob, 'atest')).amount), before + 4n)
  const lost = await client.sendIbcTokens(alice, bob, coin('1'), 'transfer', 'channel-0', undefined, 2_000_000_000, fee)
  t.is(lost.code, 7)
  t.regex(lost.rawLog ?? '', /fungible token transfers from this chain are disabled$/)
  t.deepEqual(uncalled(plain, called, StargateClient.prototype), [])
})

test('a transaction that is held makes broadcastTx give up with its hash', async (t) => {
  await using server = await startLocal({ blocks: 'manual' })
  const { signer, alice, bob } = await signerOf(server.urls.comet)
  const value = { fromAddress: alice, toAddress: bob, amount: [coin('1')] }
  const signed = await signer.sign(alice, [{ typeUrl: MsgSend.typeUrl, value }], fee, '')
  const error = await t.throwsAsync(signer.broadcastTx(TxRaw.encode(signed).finish(), 200, 20))
  t.true(error instanceof TimeoutError)
})

test('on a chain whose base fee is 0 nobody needs a fee', async (t) => {
  await using model = await startLocal()
  const { result } = (await (await fetch(`${model.urls.comet}/genesis`)).json()) as {
    result: { genesis: { app_state: { feemarket: { params: object } } } }
  }
  const {
    genesis: { app_state: state, ...rest },
  } = result
  const params = { ...state.feemarket.params, base_fee: '0.000000000000000000' }
  const genesis = { ...rest, app_state: { ...state, feemarket: { ...state.feemarket, params } } }
  await using server = await start({ genesis: JSON.stringify(genesis), settings: freePorts })
  const { signer, alice, bob } = await signerOf(server.urls.comet)
  const before = BigInt((await signer.getBalance(alice, 'atest')).amount)
  for (let n = 0; n < 5; n++) {
    const sent = await signer.sendTokens(alice, bob, [coin('1')], { amount: [], gas: '200000' })
    t.is(sent.code, 0, sent.rawLog)
  }
  t.is(BigInt((await signer.getBalance(alice, 'atest')).amount), before - 5n)
})

test('searchTx of cosmjs gathers all pages', async (t) => {
  await using server = await startLocal()
  const { signer, alice, bob } = await signerOf(server.urls.comet)
  const value = { fromAddress: alice, toAddress: bob, amount: [coin('1')] }
  const { sequence, accountNumber } = await signer.getSequence(alice)
  const hashes: string[] = []
  for (let n = 0; n < 35; n++) {
    const signed = await signer.sign(alice, [{ typeUrl: MsgSend.typeUrl, value }], fee, '', {
      accountNumber,
      sequence: sequence + n,
      chainId: 'chainstage-1',
    })
    hashes.push(await signer.broadcastTxSync(TxRaw.encode(signed).finish()))
  }
  const found = await signer.searchTx(`transfer.recipient='${bob}'`)
  t.deepEqual(
    found.map(({ hash }) => hash),
    hashes,
  )
})
