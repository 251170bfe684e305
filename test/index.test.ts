/** chainstage inside a program, as its users call it. */
import { Comet38Client } from '@cosmjs/tendermint-rpc'
import { SigningStargateClient, GasPrice } from '@cosmjs/stargate'
import { DirectSecp256k1HdWallet } from '@cosmjs/proto-signing'
import test from 'ava'
import { BrowserProvider } from 'ethers'
import { createPublicClient, createTestClient, createWalletClient, custom, parseEther } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { start, type RpcFailed, type SimError } from '../src/index.ts'
import { chainOf } from './helpers/server.ts'

const phrase = 'test test test test test test test test test test test junk'
const alice = mnemonicToAccount(phrase)
const bob = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

test('viem and ethers work without a socket', async (t) => {
  await using chain = await start({ ports: 'none' })
  t.deepEqual(
    Object.values(chain.urls).filter((url) => url !== ''),
    [],
  )
  const viemChain = chainOf('http://nowhere.invalid')
  const transport = custom(chain.eth)
  const writer = createWalletClient({ chain: viemChain, transport, account: alice })
  const reader = createPublicClient({ chain: viemChain, transport })
  const hash = await writer.sendTransaction({ to: bob, value: 5n })
  t.is((await reader.waitForTransactionReceipt({ hash })).status, 'success')
  const tester = createTestClient({ chain: viemChain, transport, mode: 'anvil' })
  await tester.mine({ blocks: 2 })
  const ethers = new BrowserProvider(chain.eth)
  t.is(await ethers.getBlockNumber(), 4)
  t.is(await ethers.getBalance(bob), parseEther('10000') + 5n)
  ethers.destroy()
})

test('cosmjs works without a socket', async (t) => {
  await using chain = await start({ ports: 'none' })
  const comet = Comet38Client.create(chain.comet)
  t.is((await comet.status()).nodeInfo.network, 'chainstage-1')
  const wallet = await DirectSecp256k1HdWallet.fromMnemonic(phrase)
  const [account] = await wallet.getAccounts()
  const sender = account?.address ?? ''
  const client = await SigningStargateClient.createWithSigner(comet, wallet, {
    gasPrice: GasPrice.fromString('2000000000atest'),
    broadcastPollIntervalMs: 20,
  })
  const sent = await client.sendTokens(sender, sender, [{ denom: 'atest', amount: '1' }], 1.5)
  t.is(sent.code, 0, sent.rawLog)
  t.is(
    (await chain.comet.call<{ block: { header: { height: string } } }>('block')).block.header.height,
    String(sent.height),
  )
})

test('a program does what an operator does', async (t) => {
  await using chain = await start({ ports: 'none' })
  t.is(chain.mine(), 2)
  t.is(chain.mine(2, '1m'), 4)
  const before = [chain.digest(), chain.digest('node')] as const
  const checkpoint = chain.checkpoint()
  t.is(chain.moveTime('1h'), 4)
  chain.mine()
  chain.faucet(bob, 7n)
  t.is(
    await chain.eth.request({ method: 'eth_getBalance', params: [bob, 'latest'] }),
    `0x${(parseEther('10000') + 7n).toString(16)}`,
  )
  checkpoint.restore()
  t.is(await chain.eth.request({ method: 'eth_blockNumber' }), '0x4')
  t.throws(checkpoint.restore, { message: /there is no checkpoint/ })
  t.is(chain.digest(), before[0])
  t.not(chain.digest('node'), before[1])
  t.deepEqual(chain.journal().counts, { eth_getBalance: 1, eth_blockNumber: 1 })
  t.is(chain.journal().exchanges.length, 2)
})

test('mine returns when all blocks are there, however many', async (t) => {
  await using chain = await start({ ports: 'none', settings: { pace: 'manual' } })
  t.is(chain.mine(23), 24)
  t.is(chain.mine(23, '1m'), 47)
  await chain.advance(0)
  t.is(await chain.eth.request({ method: 'eth_blockNumber' }), '0x2f')
})

for (const pace of ['wall', 'instant', 'manual'] as const) {
  test(`others are answered while many blocks are mined: pace ${pace}`, async (t) => {
    await using chain = await start({ ports: { control: 0 }, settings: { pace } })
    const answered: string[] = []
    const control = (path: string, body?: object) =>
      fetch(`${chain.urls.control}/api${path}`, {
        ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
        headers: { 'content-type': 'application/json' },
      }).then((response) => response.json() as Promise<{ height: number; mining: unknown }>)
    const mined = chain.eth.request({ method: 'anvil_mine', params: [1000] }).then(() => {
      answered.push('anvil_mine')
    })
    t.is(await chain.eth.request({ method: 'eth_blockNumber' }), '0x6')
    const { mining, height } = await control('/status')
    t.deepEqual(mining, [{ asked: 1000, mined: height - 1 }])
    answered.push('status')
    await mined
    t.deepEqual(answered, ['status', 'anvil_mine'])
    t.is((await control('/mine', { blocks: 100 })).height, 1101)
  })
}

test('two chains that were told the same have the same digest', async (t) => {
  const told = async () => {
    await using chain = await start({ ports: 'none', settings: { pace: 'manual' } })
    await chain.eth.request({ method: 'eth_sendTransaction', params: [{ from: alice.address, to: bob, value: '0x1' }] })
    await chain.advance('10s')
    return [chain.digest(), chain.digest('node')]
  }
  const first = await told()
  t.deepEqual(await told(), first)
  t.not(first[0], first[1])
})

test('a fault hits calls until it is ended, and an error has its code', async (t) => {
  await using chain = await start({ ports: 'none' })
  const end = await chain.fault('limited', {
    match: { method: 'eth_gasPrice' },
    effect: { rpcError: { code: -32005, message: 'slow down' } },
  })
  t.throws(chain.assertClean, { message: /"limited" is on, but was never applied/ })
  const error = await t.throwsAsync<RpcFailed>(chain.eth.request({ method: 'eth_gasPrice' }))
  t.is(error.code, -32005)
  t.notThrows(chain.assertClean)
  end()
  await t.notThrowsAsync(chain.eth.request({ method: 'eth_gasPrice' }))
  await t.throwsAsync(chain.fault('nonsense', { effect: { latency: 'soon' } }), { message: /latency/ })
  const absent = await t.throwsAsync<SimError>(chain.fault('absent'), { message: /the scenario has no fault "absent"/ })
  t.regex(absent?.hint ?? '', /Describe a new one: --rule FILE, or "rule" in the control API\.$/)
})

test('a call that nothing answers is not clean', async (t) => {
  await using chain = await start({ ports: 'none' })
  const error = await t.throwsAsync<RpcFailed>(chain.eth.request({ method: 'eth_blockNumbr' }))
  t.is(error.code, -32601)
  t.throws(chain.assertClean, { message: /Ethereum JSON-RPC cannot answer .*eth_blockNumbr/ })
})

test('what viem asks to find out whether a node has it does not count', async (t) => {
  await using chain = await start({ ports: 'none' })
  const writer = createWalletClient({
    chain: chainOf('http://nowhere.invalid'),
    transport: custom(chain.eth),
    account: alice.address,
  })
  await writer.sendTransaction({ to: bob, value: 1n })
  t.true(
    chain.journal().calls.some(({ method }) => method === 'eth_fillTransaction') ||
      (await t.throwsAsync(chain.eth.request({ method: 'eth_fillTransaction' }))) !== undefined,
  )
  t.notThrows(chain.assertClean)
})

test('sessions of a program are chains of their own', async (t) => {
  await using chain = await start({ ports: 'free' })
  await using one = chain.session('one')
  await using other = chain.session()
  one.mine(3)
  t.is(await one.eth.request({ method: 'eth_blockNumber' }), '0x4')
  t.is(await other.eth.request({ method: 'eth_blockNumber' }), '0x1')
  t.is(one.urls.eth, `${chain.urls.eth}/s/one`)
  const overSocket = createPublicClient({
    transport: custom({
      request: async ({ method }: { method: string }) => {
        const answer = await fetch(one.urls.eth, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: [] }),
        })
        return ((await answer.json()) as { result: unknown }).result
      },
    }),
  })
  t.is(await overSocket.getBlockNumber(), 4n)
})

test('simulation time that follows the clock cannot be advanced', async (t) => {
  await using chain = await start({ ports: 'none' })
  await t.throwsAsync(chain.advance('1s'), { message: /follows the clock/ })
})

test('a provider brings what was subscribed to, until it is unsubscribed', async (t) => {
  await using chain = await start({ ports: 'none' })
  const heard: [string, string][] = []
  chain.eth.on('message', ({ data: { subscription, result } }) =>
    heard.push([subscription, (result as { number: string }).number]),
  )
  const id = await chain.eth.request<string>({ method: 'eth_subscribe', params: ['newHeads'] })
  chain.mine(2)
  t.deepEqual(heard, [
    [id, '0x2'],
    [id, '0x3'],
  ])
  t.true(await chain.eth.request({ method: 'eth_unsubscribe', params: [id] }))
  chain.mine()
  t.is(heard.length, 2)
})

test('a provider whose connection a fault has closed can subscribe again', async (t) => {
  await using chain = await start({ ports: 'none' })
  const heard: string[] = []
  chain.eth.on('message', ({ data: { subscription } }) => heard.push(subscription))
  const subscribe = () => chain.eth.request<string>({ method: 'eth_subscribe', params: ['newHeads'] })
  await subscribe()
  const end = await chain.fault('cut', { effect: { ws: { close: { code: 1001 } } } })
  end()
  const again = await subscribe()
  chain.mine()
  t.deepEqual(heard, [again])
  t.is(chain.simulation().node.subscriptions.eth.size, 1)
})

test('a refusal in HTTP alone is no result, whatever its body says', async (t) => {
  await using chain = await start({ ports: 'none' })
  for (const [status, body] of [
    [429, { busy: true }],
    [503, { jsonrpc: '2.0', id: 1, result: '0x1' }],
    [200, {}],
  ] as const) {
    await chain.fault('busy', { match: { method: 'eth_*' }, effect: { http: { status, body } } })
    const error = await t.throwsAsync<RpcFailed>(chain.eth.request({ method: 'eth_blockNumber' }))
    t.deepEqual([error?.code, error?.message], [-32603, `HTTP ${status}: ${JSON.stringify(body)}`])
  }
  await chain.fault('busy', { match: { method: 'eth_*' }, effect: { http: { status: 503 } } })
  await t.throwsAsync(chain.eth.request({ method: 'eth_blockNumber' }), { message: 'HTTP 503' })
})
