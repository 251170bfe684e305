/** A chain with a token and a history, and chains that go on from it. */
import {
  createPublicClient,
  createWalletClient,
  getContractAddress,
  http,
  parseAbi,
  type Chain,
  type Hex,
  type PublicClient,
  type Transport,
  type WalletClient,
} from 'viem'
import { privateKeyToAccount, type PrivateKeyAccount } from 'viem/accounts'
import { start, type Server } from '../../src/index.ts'
import { demoToken } from './contracts.ts'
import { startLocal } from './server.ts'

export const tokenAbi = parseAbi([
  'function balanceOf(address) view returns (uint256)',
  'function transfer(address, uint256) returns (bool)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
])

export const friend = `0x${'f1'.repeat(20)}` as const

export type Clients = {
  readonly account: PrivateKeyAccount
  readonly wallet: WalletClient<Transport, Chain, PrivateKeyAccount>
  readonly reader: PublicClient<Transport, Chain>
}

/** viem clients of a server; the wallet is that of its first key. */
export function clientsOf({ urls, keys }: Pick<Server, 'urls' | 'keys'>, id: number): Clients {
  const chain = {
    id,
    name: 'test',
    nativeCurrency: { name: 'Test', symbol: 'TEST', decimals: 18 },
    rpcUrls: { default: { http: [urls.eth] } },
  }
  const account = privateKeyToAccount(`0x${Buffer.from(keys[0]?.privateKey ?? []).toString('hex')}`)
  const transport = http(urls.eth, { retryCount: 0, timeout: 120_000 })
  return {
    account,
    wallet: createWalletClient({ account, chain, transport }),
    reader: createPublicClient({ chain, transport, pollingInterval: 20, cacheTime: 0 }),
  }
}

export type Upstream = Server & { readonly token: Hex; readonly blockOfTransfer: bigint }

/**
 * Starts a node of the recorded kind with a token, ten of which the friend has, and blocks after
 * it.
 */
export async function startUpstream(): Promise<Upstream> {
  const server = await startLocal({ profile: 'evmd', blocks: 'auto', lazy: false })
  const { account, wallet, reader } = clientsOf(server, server.settings.evmChainId)
  const { abi, bytecode } = demoToken()
  await reader.waitForTransactionReceipt({ hash: await wallet.deployContract({ abi, bytecode }) })
  const token = getContractAddress({ from: account.address, nonce: 0n })
  const hash = await wallet.writeContract({
    address: token,
    abi: tokenAbi,
    functionName: 'transfer',
    args: [friend, 10n],
    gas: 100_000n,
  })
  const { blockNumber } = await reader.waitForTransactionReceipt({ hash })
  server.mine(2)
  return Object.assign(server, { token, blockOfTransfer: blockNumber })
}

/** Starts a chain that goes on from a server, or from a recording. */
export function forkOf(from: readonly string[]): Promise<Server> {
  return start({ ports: 'free', fork: { from, timeoutMs: 300_000 } })
}

/** Returns the answer to a call as text, without the envelope. */
export async function raw(url: string, method: string, params: unknown): Promise<string> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  return (await answer.text()).trim()
}
