import { DirectSecp256k1HdWallet } from '@cosmjs/proto-signing'
import { GasPrice, SigningStargateClient } from '@cosmjs/stargate'
import { Comet38Client, HttpBatchClient, HttpClient, WebsocketClient } from '@cosmjs/tendermint-rpc'
import { TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import test, { type ExecutionContext } from 'ava'
import { CosmjsSocket } from '../helpers/cosmjsSocket.ts'
import { allGone, startLocal } from '../helpers/server.ts'

type RpcClient = HttpClient | WebsocketClient | HttpBatchClient

const phrase = 'test test test test test test test test test test test junk'
const gasPrice = GasPrice.fromString('2000000000atest')

/** Returns the bytes of a signed send, its sequence counted from the account's. */
async function signedSend(url: string, ahead: number): Promise<Uint8Array> {
  const wallet = await DirectSecp256k1HdWallet.fromMnemonic(phrase)
  const [{ address } = { address: '' }] = await wallet.getAccounts()
  const client = await SigningStargateClient.connectWithSigner(url, wallet, { gasPrice })
  const { accountNumber, sequence } = await client.getSequence(address)
  const send = {
    typeUrl: '/cosmos.bank.v1beta1.MsgSend',
    value: { fromAddress: address, toAddress: address, amount: [{ denom: 'atest', amount: '1' }] },
  }
  const fee = { amount: [{ denom: 'atest', amount: '400000000000000' }], gas: '200000' }
  const explicit = { accountNumber, sequence: sequence + ahead, chainId: await client.getChainId() }
  return TxRaw.encode(await client.sign(address, [send], fee, '', explicit)).finish()
}

/** Methods of the client that are its own affair. */
const inner = ['constructor', 'doCall', 'subscribe']

/** Returns the client and the names of its methods that nobody has called. */
function watched(client: Comet38Client): { client: Comet38Client; uncalled: () => string[] } {
  const called = new Set(inner)
  const proxy = new Proxy(client, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name, target)
      if (typeof value !== 'function') return value
      called.add(String(name))
      return value.bind(target) as unknown
    },
  })
  const names = Object.getOwnPropertyNames(Comet38Client.prototype)
  return { client: proxy, uncalled: () => names.filter((name) => !called.has(name)) }
}

type Heard<Event> = {
  readonly addListener: (listener: { next: (event: Event) => void; error: (error: unknown) => void }) => void
}

function first<Event>(stream: Heard<Event>): Promise<Event> {
  return new Promise((next, error) => {
    stream.addListener({ next, error })
  })
}

const decodes = test.macro(async (t, clientOf: (urls: { comet: string; cometWs: string }) => RpcClient) => {
  await using server = await startLocal()
  const rpc = clientOf(server.urls)
  const { client, uncalled } = watched(Comet38Client.create(rpc))
  // Its WebSocket loses what is asked of it later than at once.
  await client.health()
  const committed = await client.broadcastTxCommit({ tx: await signedSend(server.urls.comet, 0) })
  t.deepEqual([committed.checkTx.code, committed.txResult?.code, committed.height], [0, 0, 2])
  const synced = await client.broadcastTxSync({ tx: await signedSend(server.urls.comet, 0) })
  t.is(synced.code, 0, synced.log)
  const { hash } = await client.broadcastTxAsync({ tx: await signedSend(server.urls.comet, 0) })
  t.is((await client.status()).syncInfo.latestBlockHeight, 4)
  t.is((await client.tx({ hash: synced.hash, prove: true })).proof?.proof.total, 1)
  t.deepEqual(
    (await client.txSearchAll({ query: 'tx.height>0', per_page: 2 })).txs.map((one) => one.height),
    [2, 3, 4],
  )
  t.deepEqual((await client.txSearch({ query: 'tx.height>0', page: 2, per_page: 2 })).txs[0]?.hash, hash)
  t.deepEqual(
    (await client.blockSearch({ query: 'block.height>2' })).blocks.map(({ block }) => block.header.height),
    [3, 4],
  )
  t.is((await client.block(2)).block.txs.length, 1)
  t.is((await client.blockResults(2)).results[0]?.code, 0)
  t.is((await client.blockchain(1, 2)).blockMetas.length, 2)
  t.is((await client.commit(2)).canonical, true)
  t.is((await client.validatorsAll(2)).total, 1)
  t.is((await client.genesis()).chainId, 'chainstage-1')
  t.is((await client.numUnconfirmedTxs()).total, 0)
  t.is(await client.health(), null)
  t.true(((await client.abciQuery({ path: '/app/version', data: new Uint8Array() })).height ?? 0) >= 0)
  t.is((await client.abciInfo()).lastBlockHeight, 4)
  t.deepEqual(
    (await client.blockSearchAll({ query: 'block.height>2', per_page: 1 })).blocks.map(
      ({ block }) => block.header.height,
    ),
    [3, 4],
  )
  t.deepEqual(
    (await client.validators({ height: 2, page: 1 })).validators.map(({ votingPower }) => votingPower),
    (await client.validatorsAll(2)).validators.map(({ votingPower }) => votingPower),
  )
  await t.throwsAsync(client.block(99), { message: /must be less than or equal to the current blockchain height 4/ })
  await subscribes(t, client, { url: server.urls.comet, isSocket: rpc instanceof WebsocketClient })
  client.disconnect()
  t.deepEqual(uncalled(), [])
  await allGone(server)
})

/** What a block and its transaction are announced as; without a socket there is nothing to hear. */
async function subscribes(
  t: ExecutionContext,
  client: Comet38Client,
  { url, isSocket }: { url: string; isSocket: boolean },
): Promise<void> {
  if (!isSocket) {
    for (const subscribe of [
      () => client.subscribeNewBlock(),
      () => client.subscribeNewBlockHeader(),
      () => client.subscribeTx(),
    ]) {
      t.throws(subscribe, { message: /cannot subscribe to events/ })
    }
    return
  }
  const heard = Promise.all([
    first(client.subscribeNewBlock()),
    first(client.subscribeNewBlockHeader()),
    first(client.subscribeTx('tx.height=5')),
  ])
  await client.health()
  const tx = await signedSend(url, 0)
  await Comet38Client.create(new HttpClient(url)).broadcastTxSync({ tx })
  const [block, header, one] = await heard
  t.deepEqual([block.header.height, block.txs.length, header.height, one.height], [5, 1, 5, 5])
  t.deepEqual(
    [one.tx, one.result.code, one.hash],
    [tx, 0, (await client.txSearch({ query: 'tx.height=5' })).txs[0]?.hash],
  )
}

test('Comet38Client decodes every method over HTTP', decodes, ({ comet }) => new HttpClient(comet))
test('Comet38Client decodes every method over WebSocket', decodes, ({ comet }) => new CosmjsSocket(comet))
test(
  'Comet38Client decodes every method in batches',
  decodes,
  ({ comet }) => new HttpBatchClient(comet, { batchSizeLimit: 10 }),
)

test('abci_info over HTTP reads as the wire has it', async (t) => {
  await using server = await startLocal()
  const client = await Comet38Client.connect(server.urls.comet)
  const info = await client.abciInfo()
  t.is(info.lastBlockHeight, 1)
  client.disconnect()
})
