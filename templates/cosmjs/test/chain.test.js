import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { DirectSecp256k1HdWallet } from '@cosmjs/proto-signing'
import { GasPrice, SigningStargateClient } from '@cosmjs/stargate'
import { start } from 'chainstage'

let server
before(async () => {
  server = await start({ scenario: 'chainstage.json5', ports: 'free' })
})
after(() => server.close())

const words = 'test test test test test test test test test test test junk'
const gasPrice = GasPrice.fromString('2000000000atest')
const bob = {
  ethereum: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  cosmos: 'cosmos1wzvhjux9rqfdcwspp37srdgwp5tac7wgtkldlx',
}

test('CometBFT RPC: a bank transfer is in a block when cosmjs returns', async () => {
  const wallet = await DirectSecp256k1HdWallet.fromMnemonic(words)
  const [{ address }] = await wallet.getAccounts()
  const client = await SigningStargateClient.connectWithSigner(server.urls.comet, wallet, { gasPrice })
  const coins = [{ denom: 'atest', amount: '5' }]
  const { code, height } = await client.sendTokens(address, address, coins, 'auto')
  assert.equal(code, 0)
  assert.equal(height, await client.getHeight())
  client.disconnect()
})

test('Ethereum JSON-RPC shows the same height', async () => {
  server.mine(2)
  const { sync_info } = await server.comet.call('status')
  assert.equal(Number(await server.eth.request({ method: 'eth_blockNumber' })), Number(sync_info.latest_block_height))
})

test('the Cosmos REST API shows the same balances', async () => {
  const answer = await fetch(`${server.urls.rest}/cosmos/bank/v1beta1/balances/${bob.cosmos}`)
  const { balances } = await answer.json()
  const wei = await server.eth.request({ method: 'eth_getBalance', params: [bob.ethereum, 'latest'] })
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

test('a slow node is only slow', async () => {
  const end = await server.fault('slow')
  const before = Date.now()
  await server.eth.request({ method: 'eth_getBalance', params: [bob.ethereum, 'latest'] })
  assert.ok(Date.now() - before >= 290)
  end()
})
