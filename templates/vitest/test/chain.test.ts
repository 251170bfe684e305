import { createWalletClient, http, parseEther, publicActions, testActions } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { expect, test as base } from 'vitest'
import { chainFixtures, type ChainContext } from 'chainstage/vitest'

// One server per worker, and a session for each test: a chain of its own at the same genesis.
const test = base.extend<ChainContext>(chainFixtures({ scenario: 'chainstage.json5' }))

const words = 'test test test test test test test test test test test junk'
const [alice, bob] = [0, 1].map((addressIndex) => mnemonicToAccount(words, { addressIndex }))
const aliceInCosmos = 'cosmos17w0adeg64ky0daxwd2ugyuneellmjgnxramjtq'

const clientOf = (url: string) =>
  createWalletClient({ account: alice, transport: http(url, { retryDelay: 20 }) })
    .extend(publicActions)
    .extend(testActions({ mode: 'anvil' }))

test('Ethereum JSON-RPC mines a transfer at once', async ({ chain }) => {
  const client = clientOf(chain.urls.eth)
  const hash = await client.sendTransaction({ to: bob!.address, value: parseEther('1'), chain: null })
  const receipt = await client.waitForTransactionReceipt({ hash })
  expect(receipt.status).toBe('success')
  expect(await client.getBalance({ address: bob!.address })).toBe(parseEther('10001'))
})

test('CometBFT RPC shows the same blocks', async ({ chain }) => {
  await clientOf(chain.urls.eth).mine({ blocks: 3 })
  const answer = await fetch(`${chain.urls.comet}/status`)
  const { result } = (await answer.json()) as { result: { sync_info: { latest_block_height: string } } }
  expect(BigInt(result.sync_info.latest_block_height)).toBe(await clientOf(chain.urls.eth).getBlockNumber())
})

test('the Cosmos REST API shows the same balances', async ({ chain }) => {
  const answer = await fetch(`${chain.urls.rest}/cosmos/bank/v1beta1/balances/${aliceInCosmos}`)
  const { balances } = (await answer.json()) as { balances: { denom: string; amount: string }[] }
  const wei = await clientOf(chain.urls.eth).getBalance({ address: alice!.address })
  expect(balances).toContainEqual({ denom: 'atest', amount: String(wei) })
})

test('gRPC answers, here as gRPC-web', async ({ chain }) => {
  // An empty message, framed for gRPC-web: a flag byte and four bytes of length.
  const answer = await fetch(`${chain.urls.rest}/cosmos.base.tendermint.v1beta1.Service/GetLatestBlock`, {
    method: 'POST',
    headers: { 'content-type': 'application/grpc-web+proto' },
    body: new Uint8Array(5),
  })
  const text = Buffer.from(await answer.arrayBuffer()).toString('latin1')
  expect(text).toMatch(/grpc-status: ?0/)
})

test('a client that is rate limited once succeeds when it retries', async ({ chain }) => {
  await chain.fault('rate-limited')
  expect(await clientOf(chain.urls.eth).getBalance({ address: alice!.address })).toBe(parseEther('10000'))
  expect(chain.journal().masked).toHaveLength(1)
})
