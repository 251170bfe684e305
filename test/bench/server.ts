/** The server's benchmarks, each over real sockets against a process of its own. */
import { readFileSync } from 'node:fs'
import { performance } from 'node:perf_hooks'
import { encodeFunctionData, type Hex } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { demoToken } from '../helpers/contracts.ts'
import type { Line } from './evm.ts'
import { ask, rate, startNode, type Node } from './node.ts'

const phrase = 'test test test test test test test test test test test junk'
const bob = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

/** Transfers signed beforehand: by one account in turn, or by several side by side. */
async function signed(senders: number, each: number, firstNonce: number): Promise<Hex[][]> {
  return Promise.all(
    Array.from({ length: senders }, async (_, sender) => {
      const account = mnemonicToAccount(phrase, { addressIndex: sender })
      return Promise.all(
        Array.from({ length: each }, (_one, index) =>
          account.signTransaction({
            chainId: 31337,
            type: 'eip1559',
            to: bob,
            value: 1n,
            gas: 21_000n,
            nonce: firstNonce + index,
            maxFeePerGas: 10_000_000_000n,
            maxPriorityFeePerGas: 1n,
          }),
        ),
      )
    }),
  )
}

async function transfers(url: string, lists: readonly (readonly Hex[])[]): Promise<number> {
  const started = performance.now()
  await Promise.all(
    lists.map(async (list) => {
      for (const raw of list) {
        await ask(url, 'eth_getTransactionReceipt', await ask(url, 'eth_sendRawTransaction', raw))
      }
    }),
  )
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
  const started = performance.now()
  const node = await startNode(['--rpc.laddr', '', '--json-rpc.address', '127.0.0.1:0', '--accounts', '17'])
  const { url } = node
  await ask(url, 'eth_blockNumber')
  const startMs = performance.now() - started
  try {
    const idle = process.platform === 'linux' ? [{ name: 'idle memory', value: idleMegabytes(node), unit: 'MB' }] : []
    const early = await mined(url, 1000)
    const one = await transfers(url, await signed(1, 500, 0))
    const fifteen = await transfers(url, (await signed(16, 40, 0)).slice(1))
    const numbers = await rate(5000, 16, () => ask(url, 'eth_blockNumber'))
    const { abi, bytecode } = demoToken()
    const account = mnemonicToAccount(phrase, { addressIndex: 16 })
    const raw = await account.signTransaction({
      chainId: 31337,
      type: 'eip1559',
      data: bytecode,
      gas: 3_000_000n,
      nonce: 0,
      maxFeePerGas: 10_000_000_000n,
      maxPriorityFeePerGas: 1n,
    })
    const { contractAddress } = (await ask(
      url,
      'eth_getTransactionReceipt',
      await ask(url, 'eth_sendRawTransaction', raw),
    )) as { contractAddress: string }
    const data = encodeFunctionData({ abi, functionName: 'balanceOf', args: [account.address] })
    const calls = await rate(5000, 16, () => ask(url, 'eth_call', { to: contractAddress, data }, 'latest'))
    await mined(url, 9000)
    const late = await mined(url, 1000)
    return [
      { name: 'start to first answer', value: Math.round(startMs), unit: 'ms' },
      ...idle,
      { name: 'send and receipt, 1 client', value: one, unit: 'tx/s' },
      { name: 'send and receipt, 15 clients', value: fifteen, unit: 'tx/s' },
      { name: 'eth_blockNumber, 16 at a time', value: numbers, unit: '/s' },
      { name: 'eth_call balanceOf, 16 at a time', value: calls, unit: '/s' },
      { name: 'empty blocks mined at height 1', value: early, unit: '/s' },
      { name: 'empty blocks mined beyond height 10,000', value: late, unit: '/s' },
    ]
  } finally {
    node.stop()
  }
}
