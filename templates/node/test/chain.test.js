import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { start } from 'chainstage'

let server
before(async () => {
  server = await start({ scenario: 'chainstage.json5', ports: 'free' })
})
after(() => server.close())

const [alice, bob] = ['0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266', '0x70997970C51812dc3A010C7d01b50e0d17dc79C8']
const aliceInCosmos = 'cosmos17w0adeg64ky0daxwd2ugyuneellmjgnxramjtq'

test('Ethereum JSON-RPC mines a transfer at once', async () => {
  const chain = server.session()
  const transfer = { from: alice, to: bob, value: '0x1' }
  const hash = await chain.eth.request({ method: 'eth_sendTransaction', params: [transfer] })
  const receipt = await chain.eth.request({ method: 'eth_getTransactionReceipt', params: [hash] })
  assert.equal(receipt.status, '0x1')
})

test('CometBFT RPC shows the same blocks', async () => {
  const chain = server.session()
  chain.mine(3)
  const { sync_info } = await chain.comet.call('status')
  assert.equal(Number(sync_info.latest_block_height), Number(await chain.eth.request({ method: 'eth_blockNumber' })))
})

test('the Cosmos REST API shows the same balances', async () => {
  const answer = await fetch(`${server.urls.rest}/cosmos/bank/v1beta1/balances/${aliceInCosmos}`)
  const { balances } = await answer.json()
  const wei = await server.eth.request({ method: 'eth_getBalance', params: [alice, 'latest'] })
  assert.equal(BigInt(balances.find(({ denom }) => denom === 'atest').amount), BigInt(wei))
})

test('gRPC answers, here as gRPC-web', async () => {
  // An empty message, framed for gRPC-web: a flag byte and four bytes of length.
  const answer = await fetch(`${server.urls.rest}/cosmos.base.tendermint.v1beta1.Service/GetLatestBlock`, {
    method: 'POST',
    headers: { 'content-type': 'application/grpc-web+proto' },
    body: new Uint8Array(5),
  })
  const text = Buffer.from(await answer.arrayBuffer()).toString('latin1')
  assert.match(text, /grpc-status: ?0/)
})

test('a client that is rate limited once succeeds when it retries', async () => {
  const chain = server.session()
  await chain.fault('rate-limited')
  const ask = () =>
    fetch(chain.urls.eth, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_getBalance', params: [alice, 'latest'] }),
    })
  assert.deepEqual([(await ask()).status, (await ask()).status], [429, 200])
})
