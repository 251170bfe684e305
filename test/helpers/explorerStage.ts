/** A chain on which every page of the dashboard has something to show, and the list of these pages. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { GasPrice, SigningStargateClient } from '@cosmjs/stargate'
import { DirectSecp256k1HdWallet } from '@cosmjs/proto-signing'
import { createWalletClient, encodeFunctionData, http, parseEther, type Abi, type Hex } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { start, type Server } from '../../src/index.ts'
import { buildInfoOf, compileSolidity } from './contracts.ts'
import { api, rpc } from './control.ts'
import { chainOf } from './server.ts'
import { scratch } from './cli.ts'

const scenario = `{
  chainstage: 1, name: 'shop', description: 'A shop takes payments while its node is slow now and then.', seed: 'shop',
  chain: { profile: 'local' },
  faults: {
    slow: { match: { iface: 'eth', method: 'eth_call' }, effect: { latency: '80ms' } },
    'rate-limit': { match: { iface: 'eth', method: 'eth_gasPrice' }, select: { count: 1 }, effect: { http: { status: 429 } } },
  },
  steps: [
    { id: 'opening', do: [{ log: 'the shop opens' }] },
    { id: 'paid', when: { signal: 'paid' }, do: { mine: 1 }, timeout: '10m' },
    { id: 'shipped', when: { after: '5s' }, do: [{ clearFault: 'slow' }] },
  ],
  rules: [{ id: 'gossip', when: { request: { method: 'eth_chainId' } }, times: 5, do: { log: 'who asks?' } }],
}`

const source = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;
import "@openzeppelin/contracts/token/ERC20/ERC20.sol";
contract Coin is ERC20 {
  constructor() ERC20("Demo Coin", "DEMO") { _mint(msg.sender, 1_000_000 ether); }
}
contract Shop {
  error TooLittle(uint256 paid, uint256 price);
  event Sold(address indexed buyer, string what, uint256 price);
  Coin public coin; uint256 public price = 5 ether; uint256 public sold;
  constructor(Coin c) { coin = c; }
  function buy(string calldata what, uint256 paid) external returns (uint256) {
    if (paid < price) revert TooLittle(paid, price);
    coin.transferFrom(msg.sender, address(this), paid);
    emit Sold(msg.sender, what, paid);
    return ++sold;
  }
  function setPrice(uint256 next) external { price = next; }
}`

const mnemonic = 'test test test test test test test test test test test junk'
const alice = mnemonicToAccount(mnemonic)

export type ExplorerStage = {
  readonly server: Server
  readonly shop: string
  readonly bought: string
  readonly failed: string
  readonly cosmos: string
  readonly waiting: string
  /** The address of each page by its name, after `#/`. */
  readonly pages: Readonly<Record<string, string>>
  readonly [Symbol.asyncDispose]: () => Promise<void>
}

/** Starts the chain and plays a day on it. */
export async function startExplorerStage(): Promise<ExplorerStage> {
  const folder = scratch()
  const { Coin, Shop } = compileSolidity(source) as Record<'Coin' | 'Shop', { abi: Abi; bytecode: Hex }>
  const artifacts = join(folder, 'out')
  mkdirSync(join(artifacts, 'build-info'), { recursive: true })
  writeFileSync(join(artifacts, 'build-info', 'test.json'), JSON.stringify(buildInfoOf(source)))
  writeFileSync(join(folder, 's.json5'), scenario)
  const server = await start({
    scenario: join(folder, 's.json5'),
    ports: 'free',
    settings: { checkpoints: join(folder, 'checkpoints'), artifacts: [artifacts] },
  })
  const { eth } = server.urls
  const writer = createWalletClient({ chain: chainOf(eth), transport: http(), account: alice })
  await api(server, '/abis', { abi: Coin.abi })
  await api(server, '/abis', { abi: { contractName: 'Shop', abi: Shop.abi } })
  await api(server, '/mine', { blocks: 20, interval: '6s' })
  const made = async (hash: Hex) =>
    ((await rpc(eth, 'eth_getTransactionReceipt', hash)) as { contractAddress: Hex }).contractAddress
  const coin = await made(await writer.deployContract({ abi: Coin.abi, bytecode: Coin.bytecode, args: [] }))
  const shop = await made(await writer.deployContract({ abi: Shop.abi, bytecode: Shop.bytecode, args: [coin] }))
  const sent = async (to: Hex, abi: Abi, functionName: string, args: readonly unknown[], gas = 400_000n) =>
    writer.sendTransaction({ to, gas, data: encodeFunctionData({ abi, functionName, args }) })
  await sent(coin, Coin.abi, 'approve', [shop, parseEther('1000')])
  await api(server, '/checkpoint', {})
  const bought = await sent(shop, Shop.abi, 'buy', ['a chair', parseEther('5')])
  const failed = await sent(shop, Shop.abi, 'buy', ['a table', parseEther('3')])
  await api(server, '/time', { by: '1h', mine: true })
  await api(server, '/checkpoint', {})
  for (let count = 1; count <= 12; count++) {
    const to = mnemonicToAccount(mnemonic, { addressIndex: 1 + (count % 8) }).address
    await writer.sendTransaction({ to, value: parseEther(String(count)) })
    if (count % 3 === 0) await sent(shop, Shop.abi, 'buy', [`thing ${count}`, parseEther('6')])
  }
  const cosmos = await cosmosTransfer(server)
  await propose(server)
  await stake(server)
  const waiting = await writer.sendTransaction({ to: shop as Hex, nonce: 90, gas: 50_000n, value: 0n })
  await server.fault('busy', { match: { iface: 'eth', method: 'eth_feeHistory' }, effect: { latency: '50ms' } })
  await rpc(eth, 'eth_feeHistory', '0x4', 'latest', []).catch(() => {})
  await api(server, '/checkpoints/saved', { name: 'before-lunch' })
  await rpc(eth, 'eth_newBlockFilter')
  await api(server, '/sessions', { name: 'second-test' })
  const height = Number(await rpc(eth, 'eth_blockNumber'))
  const { body } = await api(server, '/journal?limit=1')
  const [validator] = (await api(server, '/validators')).body
  const { failure } = (await api(server, `/transactions/${failed}/steps?limit=1`)).body
  return {
    server,
    shop,
    bought,
    failed,
    cosmos,
    waiting,
    pages: {
      ...Object.fromEntries(listed.map((name) => [name, name])),
      block: `block/${height - 2}`,
      transaction: `tx/${bought}`,
      'transaction-failed': `tx/${failed}?tab=calls`,
      'transaction-changes': `tx/${bought}?tab=changes`,
      'transaction-opcodes': `tx/${bought}?tab=steps`,
      'transaction-failure': `tx/${failed}?tab=steps&from=${Math.floor(failure / 100) * 100}&step=${failure}`,
      'transaction-waiting': `tx/${waiting}`,
      'transaction-raw': `tx/${bought}?tab=raw`,
      'transaction-events': `tx/${cosmos}?tab=cosmos`,
      'transaction-simulate': `tx/${bought}?tab=simulate`,
      'transaction-logs': `tx/${bought}?tab=logs`,
      'transaction-cosmos': `tx/${cosmos}`,
      address: `address/${alice.address}`,
      'address-assets': `address/${alice.address}?tab=assets`,
      contract: `address/${shop}?tab=contract`,
      'contract-logs': `address/${shop}?tab=logs`,
      'contract-storage': `address/${shop}?tab=storage`,
      'contract-code': `address/${shop}?tab=code`,
      precompile: 'address/0x0000000000000000000000000000000000000800?tab=contract',
      'address-staking': `address/${alice.address}?tab=staking`,
      'address-raw': `address/${alice.address}?tab=raw`,
      'events-cosmos': 'events?tab=cosmos',
      'events-filtered': 'events?event=Sold',
      denoms: 'tokens?tab=denoms',
      token: `token/${coin}`,
      'token-holders': `token/${coin}?tab=holders`,
      'token-denom': 'token/atest',
      'token-denom-holders': 'token/atest?tab=holders',
      'transaction-step': `tx/${bought}?tab=steps&step=40`,
      'transaction-cosmos-changes': `tx/${cosmos}?tab=changes`,
      'transaction-cosmos-simulate': `tx/${cosmos}?tab=simulate`,
      validator: `address/${validator.operator}?tab=staking`,
      proposal: 'proposal/1',
      missing: `tx/0x${'7'.repeat(64)}`,
      request: `request/${body.recent[0].seq}`,
    },
    [Symbol.asyncDispose]: () => server.close(),
  }
}

const listed = [
  'overview',
  'blocks',
  'transactions',
  'accounts',
  'contracts',
  'tokens',
  'events',
  'mempool',
  'validators',
  'proposals',
  'scenario',
  'faults',
  'checkpoints',
  'requests',
  'subscriptions',
  'sessions',
]

/** Submits a proposal through the gov precompile with a deposit that opens its vote. */
async function propose(server: Server): Promise<void> {
  const proposal = {
    messages: [],
    metadata: 'ipfs://hours',
    title: 'Longer opening hours',
    summary: 'The shop opens at six.',
  }
  const args = [
    alice.address,
    `0x${Buffer.from(JSON.stringify(proposal)).toString('hex')}`,
    [['atest', '10000000000000000000']],
  ]
  const signature = 'submitProposal(address,bytes,(string,uint256)[])'
  const address = '0x0000000000000000000000000000000000000805'
  await api(server, '/contracts/write', { address, signature, args, from: alice.address })
}

/** Delegates stake and starts to unbond some of it, through the staking precompile. */
async function stake(server: Server): Promise<void> {
  const [{ operator }] = (await api(server, '/validators')).body as [{ operator: string }]
  const address = '0x0000000000000000000000000000000000000800'
  for (const [name, amount] of [
    ['delegate', '7000000000000000000'],
    ['undelegate', '2000000000000000000'],
  ] as const) {
    const args = [alice.address, operator, amount]
    await api(server, '/contracts/write', {
      address,
      signature: `${name}(address,string,uint256)`,
      args,
      from: alice.address,
    })
  }
}

async function cosmosTransfer(server: Server): Promise<string> {
  const told = (await api(server, '/accounts')).body as { ethereum: string; cosmos: string }[]
  const key = await import('@cosmjs/crypto')
  const wallet = await DirectSecp256k1HdWallet.fromMnemonic(mnemonic, {
    prefix: 'cosmos',
    hdPaths: [key.stringToPath("m/44'/118'/0'/0/0")],
  })
  const [{ address }] = (await wallet.getAccounts()) as unknown as [{ address: string }]
  await api(server, '/faucet', { address, tokens: '10' })
  await api(server, '/mine', {})
  const client = await SigningStargateClient.connectWithSigner(String(server.urls.comet), wallet, {
    gasPrice: GasPrice.fromString('1000000000atest'),
  })
  const sending = client.sendTokens(
    address,
    told[1]?.cosmos ?? address,
    [{ denom: 'atest', amount: '1500000000000000000' }],
    { amount: [{ denom: 'atest', amount: '1000000000000000' }], gas: '200000' },
    'thanks for lunch',
  )
  const { transactionHash } = await sending
  client.disconnect()
  return transactionHash
}
