/**
 * A dApp of three libraries at once: what it shows at the end is the same however often it polls.
 */
import { DirectEthSecp256k1Wallet } from '@cosmjs/proto-signing'
import { calculateFee, coin, GasPrice, SigningStargateClient } from '@cosmjs/stargate'
import { Comet38Client } from '@cosmjs/tendermint-rpc'
import { JsonRpcProvider, parseEther as ether, Wallet } from 'ethers'
import { createPublicClient, createWalletClient, http, parseEther, webSocket, type Address, type Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { Urls } from '../../src/shell/urls.ts'
import { CosmjsSocket } from './cosmjsSocket.ts'

/** Of the recorded node's genesis; test keys. */
const keys = [
  '0x88cbead91aee890d27bf06e003ade3d4e952427e88f88d31d61d3ef5e5d54305',
  '0x741de4f8988ea941d3ff0287911ca4074e62b7d45c991a51186455366f10b544',
  '0x3b7955d25189c99a7468192fcbc6429205c158834053ebe3f78f4512ab432db9',
] as const satisfies readonly Hex[]
const fees = { maxFeePerGas: 2_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n }
const sleep = (ms: number) =>
  new Promise((done) => {
    setTimeout(done, ms)
  })

export type Where = Pick<Urls, 'comet' | 'cometWs' | 'eth' | 'ethWs'>

/** Resolves with everything that three dApps saw; each asks every `pollMs`. */
export async function dappSession(urls: Where, pollMs: number): Promise<unknown> {
  const viem = await viemSession(urls, pollMs)
  const ethers = await ethersSession(urls, pollMs)
  const cosmjs = await cosmjsSession(urls, pollMs)
  return { viem, ethers, cosmjs }
}

async function viemSession({ eth, ethWs }: Where, pollMs: number): Promise<unknown> {
  const chain = {
    id: 262144,
    name: 'recorded',
    nativeCurrency: { name: 'Test', symbol: 'TEST', decimals: 18 },
    rpcUrls: { default: { http: [eth] } },
  }
  const to: Address = '0x00000000000000000000000000000000000a11ce'
  const account = privateKeyToAccount(keys[0])
  const reader = createPublicClient({ chain, transport: http(eth), pollingInterval: pollMs })
  const live = createPublicClient({ chain, transport: webSocket(ethWs, { reconnect: false }) })
  const wallet = createWalletClient({ chain, account, transport: http(eth) })
  const [heads, polled]: [bigint[], bigint[]] = [[], []]
  const stops = [
    live.watchBlockNumber({
      onBlockNumber: (height) => {
        heads.push(height)
      },
    }),
    reader.watchBlockNumber({
      onBlockNumber: (height) => {
        polled.push(height)
      },
      pollingInterval: pollMs,
    }),
  ]
  const before = [
    await reader.getChainId(),
    await reader.getBalance({ address: to }),
    await reader.getTransactionCount({ address: account.address }),
  ]
  const hash = await wallet.sendTransaction({ to, value: parseEther('1.5'), gas: 21_000n, ...fees })
  const receipt = await reader.waitForTransactionReceipt({ hash, pollingInterval: pollMs })
  const [block, after] = [
    await reader.getBlock({ blockNumber: receipt.blockNumber }),
    await reader.getBalance({ address: to }),
  ]
  const isAbove = (await reader.getBlockNumber({ cacheTime: 0 })) >= receipt.blockNumber
  await sleep(1200)
  for (const stop of stops) stop()
  const rises = (list: readonly bigint[]) => list.every((height, at) => at === 0 || height > (list[at - 1] ?? 0n))
  await live.transport.getRpcClient().then((client: { close: () => void }) => client.close())
  return {
    before: before.map(String),
    hash,
    status: receipt.status,
    height: String(receipt.blockNumber),
    blockHash: block.hash,
    after: String(after),
    isAbove,
    rising: [rises(heads), rises(polled), heads.length > 0, polled.length > 0],
  }
}

async function ethersSession({ eth }: Where, pollMs: number): Promise<unknown> {
  const provider = new JsonRpcProvider(eth, undefined, { pollingInterval: pollMs })
  const wallet = new Wallet(keys[1], provider)
  const to = '0x0000000000000000000000000000000000000B0b'
  const { chainId } = await provider.getNetwork()
  const nonce = await wallet.getNonce()
  const sent = await wallet.sendTransaction({ to, value: ether('0.25'), gasLimit: 21_000, ...fees })
  const receipt = await sent.wait()
  const [block, balance] = await Promise.all([provider.getBlock(receipt?.blockNumber ?? 0), provider.getBalance(to)])
  provider.destroy()
  return {
    chainId: String(chainId),
    nonce,
    hash: sent.hash,
    status: receipt?.status,
    height: receipt?.blockNumber,
    block: block?.hash,
    balance: String(balance),
  }
}

async function cosmjsSession({ comet, cometWs }: Where, pollMs: number): Promise<unknown> {
  const live = Comet38Client.create(new CosmjsSocket(cometWs))
  const heights: number[] = []
  const listening = live.subscribeNewBlock().subscribe({
    next: ({ header }) => {
      heights.push(header.height)
    },
    error: () => {},
  })
  const signer = await DirectEthSecp256k1Wallet.fromKey(Uint8Array.from(Buffer.from(keys[2].slice(2), 'hex')), 'cosmos')
  const [{ address: me } = { address: '' }] = await signer.getAccounts()
  const gasPrice = GasPrice.fromString('2000000000atest')
  const client = await SigningStargateClient.connectWithSigner(comet, signer, {
    gasPrice,
    broadcastPollIntervalMs: pollMs,
  })
  const to = 'cosmos1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqnrql8a'
  const before = await client.getBalance(me, 'atest')
  const sent = await client.sendTokens(
    me,
    to,
    [coin('250000000000000000', 'atest')],
    calculateFee(200_000, gasPrice),
    'coffee',
  )
  const after = [await client.getBalance(to, 'atest'), await client.getSequence(me)]
  const isAbove = (await client.getHeight()) >= sent.height
  await sleep(700)
  listening.unsubscribe()
  await sleep(100)
  live.disconnect()
  client.disconnect()
  const rises = heights.every((height, at) => at === 0 || height === (heights[at - 1] ?? 0) + 1)
  return {
    before,
    hash: sent.transactionHash,
    code: sent.code,
    height: sent.height,
    gas: String(sent.gasUsed),
    after,
    isAbove,
    rises,
    some: heights.length > 0,
  }
}
