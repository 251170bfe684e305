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
const bob = { ethereum: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' }

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

test('a slow node is only slow', async () => {
  const end = await server.fault('slow')
  const before = Date.now()
  await server.eth.request({ method: 'eth_getBalance', params: [bob.ethereum, 'latest'] })
  assert.ok(Date.now() - before >= 290)
  end()
})
