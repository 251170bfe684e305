import test from 'ava'
import { ContractFactory, JsonRpcProvider, NonceManager, Wallet, WebSocketProvider } from 'ethers'
import {
  createPublicClient,
  createWalletClient,
  http,
  webSocket,
  getContract,
  parseEther,
  type Abi,
  type Address,
  type Hex,
} from 'viem'
import { mnemonicToAccount, privateKeyToAccount } from 'viem/accounts'
import { demoToken } from '../helpers/contracts.ts'
import { allGone, chainOf, eventually, startLocal } from '../helpers/server.ts'

const phrase = 'test test test test test test test test test test test junk'
const alice = mnemonicToAccount(phrase)
const bob: Address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const aliceKey = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'

test('viem connects, deploys an ERC-20, transfers, and reads the log three ways', async (t) => {
  await using server = await startLocal()
  const chain = chainOf(server.urls.eth)
  const reader = createPublicClient({ chain, transport: http(), pollingInterval: 20 })
  const writer = createWalletClient({ chain, transport: http(), account: alice })
  const { abi, bytecode } = demoToken() as { abi: Abi; bytecode: Hex }

  t.is(await reader.getChainId(), 31337)
  t.is(await reader.getBalance({ address: alice.address }), parseEther('10000'))

  const deployed = await writer.deployContract({ abi, bytecode, args: [] })
  const { contractAddress, status } = await reader.waitForTransactionReceipt({ hash: deployed })
  t.is(status, 'success')
  const address = contractAddress as Address
  const token = getContract({ address, abi, client: { public: reader, wallet: writer } })

  const listener = createPublicClient({ chain, transport: webSocket(server.urls.ethWs, { reconnect: false }) })
  const pushed: unknown[] = []
  const stop = listener.watchContractEvent({
    address,
    abi,
    eventName: 'Transfer',
    onLogs: (logs) => pushed.push(...logs),
  })
  const filter = await reader.createContractEventFilter({ address, abi, eventName: 'Transfer' })
  await eventually(() => server.simulation().node.subscriptions.eth.size === 1)

  const hash = await writer.writeContract({ address, abi, functionName: 'transfer', args: [bob, 5n] })
  const receipt = await reader.waitForTransactionReceipt({ hash })
  t.is(receipt.logs.length, 1)
  t.is(await token.read['balanceOf']?.([bob]), 5n)

  const polled = await reader.getFilterChanges({ filter })
  t.is(polled.length, 1)
  t.is(polled[0]?.transactionHash, hash)
  await eventually(() => pushed.length === 1)
  const found = await reader.getContractEvents({ address, abi, eventName: 'Transfer', fromBlock: receipt.blockNumber })
  t.deepEqual(
    found.map((log) => log.logIndex),
    [0],
  )
  stop()
  ;(await listener.transport.getRpcClient()).close()
  await allGone(server)
})

test('viem sees a revert with its reason, and estimates what a transfer costs', async (t) => {
  await using server = await startLocal()
  const chain = chainOf(server.urls.eth)
  const reader = createPublicClient({ chain, transport: http() })
  const writer = createWalletClient({ chain, transport: http(), account: alice })
  const { abi, bytecode } = demoToken() as { abi: Abi; bytecode: Hex }
  const hash = await writer.deployContract({ abi, bytecode, args: [] })
  const { contractAddress } = await reader.waitForTransactionReceipt({ hash })
  const poor = privateKeyToAccount(`0x${'11'.repeat(32)}`)
  const error = await t.throwsAsync(
    reader.simulateContract({
      address: contractAddress as Address,
      abi,
      functionName: 'transfer',
      args: [bob, 1n],
      account: poor,
    }),
  )
  t.regex(String(error?.message), /ERC20InsufficientBalance/)
  t.is(await reader.estimateGas({ account: alice, to: bob, value: 1n }), 21000n)
})

test('viem sends transactions of types 0, 1, 2 and 4', async (t) => {
  await using server = await startLocal()
  const chain = chainOf(server.urls.eth)
  const reader = createPublicClient({ chain, transport: http(), pollingInterval: 20 })
  const writer = createWalletClient({ chain, transport: http(), account: alice })
  const gasPrice = await reader.getGasPrice()
  const authorization = await writer.signAuthorization({ contractAddress: bob, executor: 'self' })
  const hashes = [
    await writer.sendTransaction({ to: bob, value: 1n, type: 'legacy', gasPrice }),
    await writer.sendTransaction({ to: bob, value: 1n, type: 'eip2930', gasPrice, accessList: [] }),
    await writer.sendTransaction({ to: bob, value: 1n, type: 'eip1559' }),
  ]
  const nonce = await reader.getTransactionCount({ address: alice.address })
  const delegate = await writer.signAuthorization({ ...authorization, address: bob, nonce: nonce + 1 })
  hashes.push(await writer.sendTransaction({ to: bob, value: 1n, type: 'eip7702', authorizationList: [delegate] }))
  const receipts = await Promise.all(hashes.map((hash) => reader.waitForTransactionReceipt({ hash })))
  t.deepEqual(
    receipts.map((one) => [one.type, one.status]),
    [
      ['legacy', 'success'],
      ['eip2930', 'success'],
      ['eip1559', 'success'],
      ['eip7702', 'success'],
    ],
  )
  t.is(await reader.getCode({ address: alice.address }), `0xef0100${bob.slice(2).toLowerCase()}` as Hex)
})

test('ethers connects, deploys, transfers, and hears of the log over its WebSocket', async (t) => {
  await using server = await startLocal()
  const provider = new JsonRpcProvider(server.urls.eth, undefined, {
    polling: true,
    pollingInterval: 20,
    cacheTimeout: -1,
  })
  const signer = new NonceManager(new Wallet(aliceKey, provider))
  const { abi, bytecode } = demoToken()
  const token = await new ContractFactory(JSON.parse(JSON.stringify(abi)), bytecode, signer).deploy()
  await token.waitForDeployment()
  const listener = new WebSocketProvider(server.urls.ethWs)
  const heard: string[] = []
  await listener.on({ address: await token.getAddress() }, (log: { transactionHash: string }) =>
    heard.push(log.transactionHash),
  )
  await eventually(() => server.simulation().node.subscriptions.eth.size === 1)
  const sent = (await token.getFunction('transfer')(bob, 7n)) as {
    hash: string
    wait: () => Promise<{ status: number }>
  }
  t.is((await sent.wait()).status, 1)
  t.is(await token.getFunction('balanceOf')(bob), 7n)
  await eventually(() => heard.length === 1)
  t.deepEqual(heard, [sent.hash])
  await listener.destroy()
  await allGone(server)
  provider.destroy()
})

test('a checkpoint brings chain and nonces back, and time moves on command', async (t) => {
  await using server = await startLocal()
  const chain = chainOf(server.urls.eth)
  const reader = createPublicClient({ chain, transport: http(), cacheTime: 0 })
  const writer = createWalletClient({ chain, transport: http(), account: alice })
  const ask = <Result>(method: string, ...params: unknown[]) =>
    reader.request({ method: method as 'eth_chainId', params: params as never }) as Promise<Result>

  const id = await ask<string>('evm_snapshot')
  await writer.sendTransaction({ to: bob, value: 1n })
  t.is(await reader.getTransactionCount({ address: alice.address }), 1)
  t.true(await ask<boolean>('evm_revert', id))
  t.is(await reader.getTransactionCount({ address: alice.address }), 0)

  await ask('evm_mine')
  const before = (await reader.getBlock()).timestamp
  await ask('evm_increaseTime', 3600)
  await ask('evm_mine')
  t.true((await reader.getBlock()).timestamp >= before + 3600n)

  await ask('anvil_setBalance', bob, '0x5')
  t.is(await reader.getBalance({ address: bob }), 5n)
})
