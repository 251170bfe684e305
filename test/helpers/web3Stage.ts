/** One chain with a token on it and web3 before it, for tests of what web3 asks. */
import test, { type ExecutionContext } from 'ava'
import { Web3, WebSocketProvider } from 'web3'
import type { Server } from '../../src/index.ts'
import { allGone, startLocal } from './server.ts'
import { permitToken } from './viemStage.ts'

export const alice = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
export const bob = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const uint = { type: 'uint256', name: 'amount' } as const
const to = { type: 'address', name: 'to', indexed: true } as const
const from = { type: 'address', name: 'from', indexed: true } as const
const who = { type: 'address', name: 'who' } as const
const abi = [
  {
    type: 'function',
    name: 'transfer',
    stateMutability: 'nonpayable',
    inputs: [who, uint],
    outputs: [],
  },
  { type: 'function', name: 'balanceOf', stateMutability: 'view', inputs: [who], outputs: [uint] },
  { type: 'event', name: 'Transfer', inputs: [from, to, uint] },
] as const

export type Kind = 'http' | 'ws'
export type Stage = {
  readonly server: Server
  readonly kind: Kind
  readonly web3: Web3
  readonly token: string
  readonly hash: string
  readonly block: bigint
  readonly blockHash: string
}
export type Act = (t: ExecutionContext, stage: Stage) => Promise<void>

/** An act that must end in "the method does not exist", because the node has no such method. */
export function absent(ask: (stage: Stage) => Promise<unknown>): Act {
  return async (t, stage) => {
    await t.throwsAsync(ask(stage), { message: /does not exist\/is not available/ })
  }
}

/** Returns the token, as web3 sees it. */
export function contractOf({ web3, token }: Stage) {
  return new web3.eth.Contract(abi, token)
}

/** Sends 1 of the token to Bob and returns the transaction's hash. */
export async function transferOne(stage: Stage): Promise<string> {
  const { transactionHash } = await contractOf(stage).methods.transfer(bob, 1).send({ from: alice })
  return transactionHash
}

/** Returns a fresh chain with a token that Alice gave 5 of to Bob. */
export async function stageOf(kind: Kind): Promise<Stage> {
  const server = await startLocal()
  const { eth: url, ethWs } = server.urls
  const web3 = kind === 'http' ? new Web3(url) : new Web3(new WebSocketProvider(ethWs, {}, { autoReconnect: false }))
  web3.eth.transactionPollingInterval = 20
  const deployment = new web3.eth.Contract(abi).deploy({ data: permitToken() })
  const made = await deployment.send({ from: alice })
  const token = made.options.address ?? ''
  const {
    transactionHash: hash,
    blockNumber: block,
    blockHash,
  } = await new web3.eth.Contract(abi, token).methods.transfer(bob, 5).send({ from: alice })
  return { server, kind, web3, token, hash, block, blockHash: String(blockHash) }
}

/** Closes what `stageOf` opened. */
export async function closeStage({ web3, server }: Stage): Promise<void> {
  // What web3 asks on its own, to count confirmations, would fail where nobody catches it.
  if (web3.provider instanceof WebSocketProvider) await web3.provider.safeDisconnect()
  await allGone(server)
  await server.close()
}

/** Declares a test for each act over each transport, and one that calls `check` before them. */
export function overBoth(
  groups: Readonly<Record<string, Readonly<Record<string, Act | string>>>>,
  check: (t: ExecutionContext, stage: Stage) => void,
): void {
  const stages: Partial<Record<Kind, Stage>> = {}
  test.serial('the actions are those that web3 has', async (t) => {
    stages.http = await stageOf('http')
    stages.ws = await stageOf('ws')
    check(t, stages.http)
  })
  for (const kind of ['http', 'ws'] as const) {
    for (const [group, acts] of Object.entries(groups)) {
      for (const [name, act] of Object.entries(acts)) {
        if (typeof act === 'string') continue
        test.serial(`web3 over ${kind}: ${group} ${name}`, async (t) => {
          const stage = stages[kind]
          if (stage !== undefined) await act(t, stage)
        })
      }
    }
  }
  test.after.always('the chains are closed', async () => {
    for (const stage of Object.values(stages)) await closeStage(stage)
  })
}

/** Returns the methods that a web3 object has by its own class. */
export function methodsOf(part: object): string[] {
  const all = Object.getOwnPropertyDescriptors(Object.getPrototypeOf(part))
  return Object.keys(all)
    .filter((name) => typeof all[name]?.value === 'function')
    .sort()
}
