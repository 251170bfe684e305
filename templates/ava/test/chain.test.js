import anyTest from 'ava'
import { withChain } from 'chainstage/ava'
import { createWalletClient, http, parseEther, publicActions } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'

// One server per test file, and a session for each test: a chain of its own at the same genesis.
const test = /** @type {import('ava').TestFn<import('chainstage/ava').ChainContext>} */ (anyTest)
withChain(test, { scenario: 'chainstage.json5' })

const words = 'test test test test test test test test test test test junk'
const [alice, bob] = [0, 1].map((addressIndex) => mnemonicToAccount(words, { addressIndex }))
const aliceInCosmos = 'cosmos17w0adeg64ky0daxwd2ugyuneellmjgnxramjtq'
const clientOf = (chain) =>
  createWalletClient({ account: alice, transport: http(chain.urls.eth, { retryDelay: 20 }) }).extend(publicActions)

test('Ethereum JSON-RPC mines a transfer at once', async (t) => {
  const client = clientOf(t.context.chain)
  const hash = await client.sendTransaction({ to: bob.address, value: parseEther('1'), chain: null })
  const { status } = await client.waitForTransactionReceipt({ hash })
  t.is(status, 'success')
})

test('CometBFT RPC shows the same blocks', async (t) => {
  const { chain } = t.context
  chain.mine(3)
  const { sync_info } = await chain.comet.call('status')
  t.is(BigInt(sync_info.latest_block_height), await clientOf(chain).getBlockNumber())
})

test('the Cosmos REST API shows the same balances', async (t) => {
  const { chain } = t.context
  const answer = await fetch(`${chain.urls.rest}/cosmos/bank/v1beta1/balances/${aliceInCosmos}`)
  const { balances } = await answer.json()
  const wei = await clientOf(chain).getBalance({ address: alice.address })
  t.is(BigInt(balances.find(({ denom }) => denom === 'atest').amount), wei)
})

test('gRPC answers, here as gRPC-web', async (t) => {
  const { chain } = t.context
  // An empty message, framed for gRPC-web: a flag byte and four bytes of length.
  const answer = await fetch(`${chain.urls.rest}/cosmos.base.tendermint.v1beta1.Service/GetLatestBlock`, {
    method: 'POST',
    headers: { 'content-type': 'application/grpc-web+proto' },
    body: new Uint8Array(5),
  })
  const text = Buffer.from(await answer.arrayBuffer()).toString('latin1')
  t.regex(text, /grpc-status: ?0/)
})

test('a client that is rate limited once succeeds when it retries', async (t) => {
  const { chain } = t.context
  await chain.fault('rate-limited')
  t.is(await clientOf(chain).getBalance({ address: alice.address }), parseEther('10000'))
  t.is(chain.journal().masked.length, 1)
})
