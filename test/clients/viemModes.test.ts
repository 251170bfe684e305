/** Every test action of viem in its three modes, over real sockets (`peers.md` §2.4). */
import test from 'ava'
import {
  createTestClient,
  http,
  parseEther,
  parseGwei,
  publicActions,
  testActions,
  walletActions,
  type Address,
  type Hex,
} from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { demoToken } from '../helpers/contracts.ts'
import { chainOf, startLocal } from '../helpers/server.ts'

const account = mnemonicToAccount('test test test test test test test test test test test junk')
const whale: Address = '0x1111111111111111111111111111111111111111'
const bob: Address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

const acts = test.macro(async (t, mode: 'anvil' | 'hardhat' | 'ganache') => {
  await using server = await startLocal()
  const chain = chainOf(server.urls.eth)
  const plain = createTestClient({ mode, chain, account, cacheTime: 0, transport: http(`${server.urls.eth}/${mode}`) })
    .extend(publicActions)
    .extend(walletActions)
  const used = new Set<string>()
  const client = new Proxy(plain, {
    get: (from, name) => {
      used.add(String(name))
      return Reflect.get(from, name)
    },
  })

  await client.mine({ blocks: 2 })
  t.is(await client.getBlockNumber(), 3n)
  const { timestamp: before } = await client.getBlock()
  await client.mine({ blocks: 2, interval: 12 })
  const { timestamp: after } = await client.getBlock()
  // viem does not tell Ganache the interval.
  t.is(after - before >= 13n, mode !== 'ganache', `${after - before}`)

  await client.setBalance({ address: bob, value: 255n })
  t.is(await client.getBalance({ address: bob }), 255n)
  await client.setNonce({ address: bob, nonce: 420 })
  t.is(await client.getTransactionCount({ address: bob }), 420)
  await client.setCode({ address: whale, bytecode: '0x6001' })
  t.is(await client.getCode({ address: whale }), '0x6001')
  await client.setCode({ address: whale, bytecode: '0x' })
  const word: Hex = `0x${'42'.padStart(64, '0')}`
  await client.setStorageAt({ address: bob, index: 2, value: word })
  t.is(await client.getStorageAt({ address: bob, slot: '0x2' }), word)

  await client.increaseTime({ seconds: 420 })
  await client.mine({ blocks: 1 })
  const moved = await client.getBlock()
  t.true(moved.timestamp - after >= 420n)
  await client.setNextBlockTimestamp({ timestamp: moved.timestamp + 1000n })
  await client.mine({ blocks: 1 })
  t.is((await client.getBlock()).timestamp, moved.timestamp + 1000n)
  await client.setBlockTimestampInterval({ interval: 5 })
  await client.mine({ blocks: 1 })
  t.is((await client.getBlock()).timestamp, moved.timestamp + 1005n)
  await client.removeBlockTimestampInterval()

  const id = await client.snapshot()
  await client.mine({ blocks: 5 })
  await client.revert({ id })
  t.is(await client.getBlockNumber(), 8n)

  await client.setAutomine(false)
  t.false(await client.getAutomine())
  const waiting = await client.sendTransaction({ to: bob, value: 1n })
  t.is((await client.getTxpoolStatus()).pending, 1)
  t.regex(JSON.stringify(await client.inspectTxpool()), /1 wei/)
  t.is(Object.keys((await client.getTxpoolContent()).pending).length, 1)
  await client.dropTransaction({ hash: waiting })
  t.is((await client.getTxpoolStatus()).pending, 0)
  await client.setAutomine(true)
  t.true(await client.getAutomine())

  await client.setBalance({ address: whale, value: parseEther('2') })
  await client.impersonateAccount({ address: whale })
  const sent = await client.sendTransaction({ account: whale, to: bob, value: 1n })
  t.is((await client.getTransactionReceipt({ hash: sent })).status, 'success')
  const unsigned = await client.sendUnsignedTransaction({ from: whale, to: bob, value: 1n })
  t.is((await client.getTransactionReceipt({ hash: unsigned })).from, whale)
  await client.stopImpersonatingAccount({ address: whale })
  await t.throwsAsync(client.sendTransaction({ account: whale, to: bob, value: 1n }))

  await client.setNextBlockBaseFeePerGas({ baseFeePerGas: parseGwei('20') })
  await client.mine({ blocks: 1 })
  t.is((await client.getBlock()).baseFeePerGas, parseGwei('20'))
  await client.setBlockGasLimit({ gasLimit: 12_345_678n })
  await client.mine({ blocks: 2 })
  t.is((await client.getBlock()).gasLimit, 12_345_678n)
  await client.setLoggingEnabled(true)

  await client.setIntervalMining({ interval: 5 })
  t.is(server.simulation().node.chain.policy.intervalMs, 5000n)
  await client.setIntervalMining({ interval: 0 })
  t.is(server.simulation().node.chain.policy.mode, mode === 'anvil' ? 'manual' : 'auto')
  await client.setAutomine(true)
  await client.reset()
  t.true((await client.getBlockNumber()) <= 1n)

  const refused = { message: /not supported by chainstage/ }
  await client.setCoinbase({ address: whale })
  await client.mine({ blocks: 1 })
  t.is((await client.getBlock()).miner as string, whale.toLowerCase())
  await t.throwsAsync(client.setMinGasPrice({ gasPrice: 1n }), refused)
  await t.throwsAsync(client.setRpcUrl('http://127.0.0.1:1'), refused)
  await client.setBalance({ address: whale, value: 77n })
  const dump = await client.dumpState()
  await client.setBalance({ address: whale, value: 78n })
  await client.loadState({ state: dump })
  t.is(await client.getBalance({ address: whale }), 77n)
  const left = Object.keys(testActions({ mode })(plain)).filter((name) => !used.has(name))
  t.deepEqual(left, [])
})
test('viem acts in the mode of Anvil', acts, 'anvil')
test('viem acts in the mode of Hardhat', acts, 'hardhat')
test('viem acts in the mode of Ganache', acts, 'ganache')

test('an ERC-20 balance is dealt by finding its slot', async (t) => {
  await using server = await startLocal()
  const client = createTestClient({ mode: 'anvil', chain: chainOf(server.urls.eth), account, transport: http() })
    .extend(publicActions)
    .extend(walletActions)
  const { abi, bytecode } = demoToken() as { abi: readonly unknown[]; bytecode: Hex }
  const hash = await client.deployContract({ abi, bytecode, args: [] })
  const { contractAddress: address } = await client.getTransactionReceipt({ hash })
  for (const method of ['anvil_dealERC20', 'anvil_setERC20Balance', 'hardhat_dealERC20']) {
    await client.request({ method: method as 'anvil_mine', params: [whale, address, '0x7b'] as never })
  }
  t.is(await client.readContract({ abi, address: address as Address, functionName: 'balanceOf', args: [whale] }), 123n)
})
