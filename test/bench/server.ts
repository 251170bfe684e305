/** The server's benchmarks, each over real sockets against a process of its own. */
import { spawn, type ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import http from 'node:http'
import { performance } from 'node:perf_hooks'
import { fileURLToPath } from 'node:url'
import { encodeFunctionData, type Hex } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { demoToken } from '../helpers/contracts.ts'
import type { Line } from './evm.ts'

const main = fileURLToPath(new URL('../../src/main.js', import.meta.url))
const phrase = 'test test test test test test test test test test test junk'
const bob = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const agent = new http.Agent({ keepAlive: true, maxSockets: 64 })

type Node = { readonly url: string; readonly process: ChildProcess; readonly startMs: number }

/** Starts the command line on free ports and waits for its first answer. */
async function startNode(): Promise<Node> {
  const started = performance.now()
  const child = spawn(process.execPath, [main, 'start', '--no-watch', '--rpc.laddr', '', '--json-rpc.address', '127.0.0.1:0', '--json-rpc.ws-address', '', '--accounts', '17'], { stdio: ['ignore', 'pipe', 'inherit'] })
  let text = ''
  const url = await new Promise<string>((done, fail) => {
    child.stdout.on('data', (part: Buffer) => {
      text += String(part)
      const found = /Listening on (http:\S+)/.exec(text)?.[1]
      if (found !== undefined) done(found)
    })
    child.once('exit', (code) => fail(new Error(`the server ended with ${code}`)))
  })
  await ask(url, 'eth_blockNumber')
  return { url, process: child, startMs: performance.now() - started }
}

function ask(url: string, method: string, ...params: readonly unknown[]): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  return new Promise((done, fail) => {
    const request = http.request(url, { method: 'POST', agent, headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) } }, (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('end', () => {
        const { result, error } = JSON.parse(Buffer.concat(parts).toString()) as { result?: unknown; error?: { message: string } }
        if (error === undefined) done(result)
        else fail(new Error(`${method}: ${error.message}`))
      })
    })
    request.on('error', fail)
    request.end(body)
  })
}

/** Returns calls a second, `clients` at a time. */
async function rate(count: number, clients: number, call: (index: number) => Promise<unknown>): Promise<number> {
  let next = 0
  const started = performance.now()
  await Promise.all(Array.from({ length: clients }, async () => {
    for (let index = next++; index < count; index = next++) await call(index)
  }))
  return Math.round(count / ((performance.now() - started) / 1000))
}

/** Transfers signed beforehand: by one account in turn, or by several side by side. */
async function signed(senders: number, each: number, firstNonce: number): Promise<Hex[][]> {
  return Promise.all(Array.from({ length: senders }, async (_, sender) => {
    const account = mnemonicToAccount(phrase, { addressIndex: sender })
    return Promise.all(Array.from({ length: each }, (_one, index) => account.signTransaction({
      chainId: 31337, type: 'eip1559', to: bob, value: 1n, gas: 21_000n, nonce: firstNonce + index,
      maxFeePerGas: 10_000_000_000n, maxPriorityFeePerGas: 1n,
    })))
  }))
}

async function transfers(url: string, lists: readonly (readonly Hex[])[]): Promise<number> {
  const started = performance.now()
  await Promise.all(lists.map(async (list) => {
    for (const raw of list) await ask(url, 'eth_getTransactionReceipt', await ask(url, 'eth_sendRawTransaction', raw))
  }))
  return Math.round(lists.flat().length / ((performance.now() - started) / 1000))
}

function idleMegabytes({ process: child }: Node): number {
  const pages = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]
  return Math.round(Number(pages) / 1024)
}

async function mined(url: string, count: number): Promise<number> {
  const started = performance.now()
  await ask(url, 'anvil_mine', `0x${count.toString(16)}`)
  return Math.round(count / ((performance.now() - started) / 1000))
}

/** Returns the figures of one fresh server. */
export async function lines(): Promise<Line[]> {
  const node = await startNode()
  const { url } = node
  try {
    const idle = process.platform === 'linux' ? [{ name: 'idle memory', value: idleMegabytes(node), unit: 'MB' }] : []
    const early = await mined(url, 1000)
    const one = await transfers(url, await signed(1, 500, 0))
    const fifteen = await transfers(url, (await signed(16, 40, 0)).slice(1))
    const numbers = await rate(5000, 16, () => ask(url, 'eth_blockNumber'))
    const { abi, bytecode } = demoToken()
    const account = mnemonicToAccount(phrase, { addressIndex: 16 })
    const raw = await account.signTransaction({
      chainId: 31337, type: 'eip1559', data: bytecode, gas: 3_000_000n, nonce: 0, maxFeePerGas: 10_000_000_000n, maxPriorityFeePerGas: 1n,
    })
    const { contractAddress } = await ask(url, 'eth_getTransactionReceipt', await ask(url, 'eth_sendRawTransaction', raw)) as { contractAddress: string }
    const data = encodeFunctionData({ abi, functionName: 'balanceOf', args: [account.address] })
    const calls = await rate(5000, 16, () => ask(url, 'eth_call', { to: contractAddress, data }, 'latest'))
    await mined(url, 9000)
    const late = await mined(url, 1000)
    return [
      { name: 'start to first answer', value: Math.round(node.startMs), unit: 'ms' }, ...idle,
      { name: 'send and receipt, 1 client', value: one, unit: 'tx/s' },
      { name: 'send and receipt, 15 clients', value: fifteen, unit: 'tx/s' },
      { name: 'eth_blockNumber, 16 at a time', value: numbers, unit: '/s' },
      { name: 'eth_call balanceOf, 16 at a time', value: calls, unit: '/s' },
      { name: 'empty blocks mined at height 1', value: early, unit: '/s' },
      { name: 'empty blocks mined beyond height 10,000', value: late, unit: '/s' },
    ]
  } finally {
    node.process.kill('SIGTERM')
    agent.destroy()
  }
}
