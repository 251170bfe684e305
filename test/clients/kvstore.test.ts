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
  t.deepEqual(found.txs.map(({ hash }) => hash), [done.hash])
  t.is((await client.txSearch({ query: "app.key='satoshi' AND app.creator='Cosmoshi'" })).totalCount, 1)
  t.is((await client.txSearch({ query: "app.noindex_key='index is working'" })).totalCount, 0)
  const asked = await client.abciQuery({ path: '/key', data: bytes('name') })
  t.deepEqual([asked.value, asked.log], [bytes('satoshi'), 'exists'])
  t.is((await client.abciInfo()).data, '{"size":1}')
  t.is((await client.commit((await client.status()).syncInfo.latestBlockHeight)).header.chainId.length > 0, true)
})

test('a GET sends and asks as the tutorials of CometBFT do', async (t) => {
  await using server = await startLocal({ application: 'kvstore' })
  const get = async (path: string) => (await fetch(`${server.urls.comet}/${path}`)).json() as Promise<{ result: Record<string, never> }>
  const sent = await get('broadcast_tx_commit?tx="abcd=efgh"')
  t.like(sent.result, { tx_result: { code: 0, gas_wanted: '0' } })
  const { result } = await get('abci_query?data="abcd"')
  t.like(result, { response: { value: Buffer.from('efgh').toString('base64'), log: 'exists', index: '0' } })
})

test('a new validator enters the set two blocks later, and blocks go on', async (t) => {
  await using server = await startLocal({ application: 'kvstore' })
  const client = Comet38Client.create(new HttpClient(server.urls.comet))
  const key = new Uint8Array(32).fill(7)
  const { height, hash } = await client.broadcastTxCommit({ tx: bytes(`val=ed25519!${Buffer.from(key).toString('base64')}!10`) })
  t.is((await client.tx({ hash })).result.code, 0)
  for (const tx of ['a=1', 'b=2', 'c=3']) t.is((await client.broadcastTxCommit({ tx: bytes(tx) })).txResult?.code, 0)
  t.is((await client.validatorsAll(height + 1)).total, 1)
  t.deepEqual((await client.validatorsAll(height + 2)).validators.map(({ votingPower }) => votingPower), [1000n, 10n])
  t.true((await client.abciQuery({ path: '/val', data: key })).value.length > 32)
})
