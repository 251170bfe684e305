import { createHash } from 'node:crypto'
import { Comet38Client, HttpClient } from '@cosmjs/tendermint-rpc'
import test from 'ava'
import { startLocal } from '../helpers/server.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

test('a client of CometBFT meets the kvstore application over real sockets', async (t) => {
  await using server = await startLocal({ application: 'kvstore' })
  t.deepEqual([server.urls.eth, server.urls.ethWs], ['', ''])
  const client = Comet38Client.create(new HttpClient(server.urls.comet))
  const done = await client.broadcastTxCommit({ tx: bytes('name=satoshi') })
  t.deepEqual([done.checkTx.code, done.checkTx.gasWanted, done.txResult?.code], [0, 1n, 0])
  t.is((await client.broadcastTxSync({ tx: bytes('nonsense') })).code, 2)
  const found = await client.txSearch({ query: "app.key='name'" })
  t.deepEqual(
    found.txs.map(({ hash }) => hash),
    [done.hash],
  )
  t.is((await client.txSearch({ query: "app.key='satoshi' AND app.creator='Cosmoshi'" })).totalCount, 1)
  t.is((await client.txSearch({ query: "app.noindex_key='index is working'" })).totalCount, 0)
  const asked = await client.abciQuery({ path: '/key', data: bytes('name') })
  t.deepEqual([asked.value, asked.log], [bytes('satoshi'), 'exists'])
  t.is((await client.abciInfo()).data, '{"size":1}')
  t.is((await client.commit((await client.status()).syncInfo.latestBlockHeight)).header.chainId.length > 0, true)
})

test('a GET sends and asks as the tutorials of CometBFT do', async (t) => {
  await using server = await startLocal({ application: 'kvstore' })
  const get = async (path: string) =>
    (await fetch(`${server.urls.comet}/${path}`)).json() as Promise<{ result: Record<string, never> }>
  const sent = await get('broadcast_tx_commit?tx="abcd=efgh"')
  t.like(sent.result, { tx_result: { code: 0, gas_wanted: '0' } })
  const { result } = await get('abci_query?data="abcd"')
  t.like(result, { response: { value: Buffer.from('efgh').toString('base64'), log: 'exists', index: '0' } })
})

test('a new validator enters the set two blocks later, and blocks go on', async (t) => {
  await using server = await startLocal({ application: 'kvstore' })
  const client = Comet38Client.create(new HttpClient(server.urls.comet))
  const key = new Uint8Array(32).fill(7)
  const { height, hash } = await client.broadcastTxCommit({
    tx: bytes(`val=ed25519!${Buffer.from(key).toString('base64')}!10`),
  })
  t.is((await client.tx({ hash })).result.code, 0)
  for (const tx of ['a=1', 'b=2', 'c=3']) {
    t.is((await client.broadcastTxCommit({ tx: bytes(tx) })).txResult?.code, 0)
  }
  t.is((await client.validatorsAll(height + 1)).total, 1)
  t.deepEqual(
    (await client.validatorsAll(height + 2)).validators.map(({ votingPower }) => votingPower),
    [1000n, 10n],
  )
  t.true((await client.abciQuery({ path: '/val', data: key })).value.length > 32)
})

test('what comes with : is in every block with =, and stays in the mempool', async (t) => {
  await using server = await startLocal({ application: 'kvstore', blocks: 'manual' })
  const client = Comet38Client.create(new HttpClient(server.urls.comet))
  t.is((await client.broadcastTxSync({ tx: bytes('name:satoshi') })).code, 0)
  for (const height of [2, 3]) {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'advance_blocks', params: { num_blocks: '1' } })
    await fetch(server.urls.comet, { method: 'POST', body })
    t.deepEqual((await client.block(height)).block.txs, [bytes('name=satoshi')])
  }
  t.deepEqual((await client.abciQuery({ path: '/key', data: bytes('name') })).value, bytes('satoshi'))
  t.is((await client.numUnconfirmedTxs()).total, 1)
  const { txs } = await client.txSearch({ query: "app.key='name'" })
  t.deepEqual(
    txs.map(({ height, hash }) => [height, Buffer.from(hash).toString('hex')]),
    [[3, createHash('sha256').update('name=satoshi').digest('hex')]],
  )
})

test('headers and node info carry version 1 of the application, its consensus parameters 0', async (t) => {
  await using server = await startLocal({ application: 'kvstore' })
  const client = Comet38Client.create(new HttpClient(server.urls.comet))
  await client.broadcastTxCommit({ tx: bytes('a=b') })
  const get = async (path: string) =>
    (await fetch(`${server.urls.comet}/${path}`)).json() as Promise<{ result: object }>
  t.like(await get('header'), { result: { header: { version: { block: '11', app: '1' } } } })
  t.like(await get('status'), { result: { node_info: { protocol_version: { app: '1' } } } })
  t.like(await get('consensus_params'), { result: { consensus_params: { version: { app: '0' } } } })
  const info = await fetch(server.urls.comet, { method: 'POST', body: '{"jsonrpc":"2.0","id":1,"method":"abci_info"}' })
  t.like(await info.json(), { result: { response: { data: '{"size":1}', version: '2.0.0', app_version: '1' } } })
})
