/** One chain with a token on it and viem before it, for tests of viem's actions one by one. */
import test, { type ExecutionContext } from 'ava'
import {
  BaseError,
  createWalletClient,
  http,
  parseAbi,
  publicActions,
  webSocket,
  type Address,
  type Client as ViemClient,
  type Hash,
  type Hex,
  type PublicActions,
  type TransactionReceipt,
  type Transport,
  type WalletActions,
  type WebSocketTransport,
} from 'viem'
import { mnemonicToAccount, type HDAccount } from 'viem/accounts'
import type { Server } from '../../src/index.ts'
import { compileSolidity } from './contracts.ts'
import { allGone, chainOf, startLocal } from './server.ts'

export type Kind = 'http' | 'ws'

const phrase = 'test test test test test test test test test test test junk'
export const alice = mnemonicToAccount(phrase)
export const bob: Address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

export const abi = parseAbi([
  'function transfer(address to, uint256 amount) returns (bool)',
  'function balanceOf(address who) view returns (uint256)',
  'function symbol() view returns (string)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
])

/** Returns creation code of an ERC-20 with permits, a million of it for whoever deploys it. */
export function permitToken(): Hex {
  const { Permitted } = compileSolidity(`// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;
import "@openzeppelin/contracts/token/ERC20/extensions/ERC20Permit.sol";
contract Permitted is ERC20Permit {
  constructor() ERC20("Demo", "DEMO") ERC20Permit("Demo") { _mint(msg.sender, 1_000_000 ether); }
}`)
  if (Permitted === undefined) throw new Error('Permitted was not compiled')
  return Permitted.bytecode
}

type Chain = ReturnType<typeof chainOf>
type Actions = PublicActions<Transport, Chain, HDAccount> & WalletActions<Chain, HDAccount>
export type Client = ViemClient<Transport, Chain, HDAccount, undefined, Actions>

/** Returns viem with all its public and wallet actions, polling fast. */
export function clientOf(server: Server, kind: Kind): Client {
  const chain = chainOf(server.urls.eth)
  const transport: Transport = kind === 'http' ? http() : socketOf(server)
  const options = { account: alice, chain, pollingInterval: 20, cacheTime: 0, transport } as const
  return createWalletClient(options).extend(publicActions)
}

/** Returns viem's WebSocket, which does not come back once it is closed. */
export function socketOf(server: Server): WebSocketTransport {
  return webSocket(server.urls.ethWs, { reconnect: false, retryCount: 0 })
}

export type Stage = {
  readonly server: Server
  readonly kind: Kind
  readonly client: Client
  readonly token: Address
  /** Of the transfer of 5 to Bob that stands alone in its block. */
  readonly sent: TransactionReceipt
}

/** Returns a fresh chain with a token that Alice gave 5 of to Bob. */
export async function stageOf(kind: Kind): Promise<Stage> {
  const server = await startLocal()
  const client = clientOf(server, kind)
  const deployed = await client.deployContract({ abi, bytecode: permitToken() })
  const { contractAddress } = await client.waitForTransactionReceipt({ hash: deployed })
  if (contractAddress == null) throw new Error('the token has no address')
  const hash = await client.writeContract({
    address: contractAddress,
    abi,
    functionName: 'transfer',
    args: [bob, 5n],
  })
  const sent = await client.waitForTransactionReceipt({ hash })
  return { server, kind, client, token: contractAddress, sent }
}

/** Sends 1 of the token to Bob and returns the transaction's hash. */
export function transferOne({ client, token: address }: Stage): Promise<Hash> {
  return client.writeContract({ address, abi, functionName: 'transfer', args: [bob, 1n] })
}

/** Closes what `stageOf` opened. */
export async function closeStage({ server, client }: Stage): Promise<void> {
  const { getRpcClient } = client.transport
  if (typeof getRpcClient === 'function') (await getRpcClient()).close()
  await allGone(server)
  await server.close()
}

export type Act = (t: ExecutionContext, stage: Stage) => Promise<void>

/**
 * Declares a test for each act, over HTTP and over WebSocket; the acts must be those that viem has.
 */
export function actOnBoth(acts: Readonly<Record<string, Act | string>>, actionsOf: (client: Client) => object): void {
  const stages: Partial<Record<Kind, Stage>> = {}
  test.serial('the actions are those that viem has', async (t) => {
    stages.http = await stageOf('http')
    stages.ws = await stageOf('ws')
    t.deepEqual(Object.keys(acts).sort(), Object.keys(actionsOf(stages.http.client)).sort())
  })
  for (const kind of ['http', 'ws'] as const) {
    for (const [name, act] of Object.entries(acts)) {
      if (typeof act !== 'string')
        test.serial(`viem over ${kind}: ${name}`, async (t) => {
          const stage = stages[kind]
          if (stage !== undefined) await act(t, stage)
        })
    }
  }
  test.after.always('the chains are closed', async () => {
    await Promise.all(Object.values(stages).map(closeStage))
  })
}

/** An act that must end in "the method does not exist", because the node has no such method. */
export function absent(ask: (stage: Stage) => Promise<unknown>): Act {
  return async (t, stage) => {
    const error = await t.throwsAsync(ask(stage))
    const isMissing = (inner: unknown): boolean => codeOf(inner) === -32601
    const found = error instanceof BaseError ? error.walk(isMissing) : error
    t.is(codeOf(found), -32601, String(error))
  }
}

function codeOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined
}
