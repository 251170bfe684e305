/** Interface B's benchmarks: ours in a process of its own, then Anvil if it is there. */
import { performance } from 'node:perf_hooks'
import { encodeFunctionData, parseAbi, type Hex } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { WebSocket } from 'ws'
import { compileSolidity } from '../helpers/contracts.ts'
import { startAnvil } from './anvil.ts'
import type { Line } from './evm.ts'
import { ask, askAll, rate, startNode } from './node.ts'

const phrase = 'test test test test test test test test test test test junk'
const accounts = Array.from({ length: 10 }, (_, addressIndex) => (
  mnemonicToAccount(phrase, { addressIndex })
))
const [bob, gwei10] = ['0x70997970C51812dc3A010C7d01b50e0d17dc79C8', 10_000_000_000n] as const
const [fullBlock, logsEach, logTxs, listeners, heads] = [5000, 500, 100, 500, 20]
const abi = parseAbi(['function many(uint256 count)', 'function last() view returns (uint256)'])
const fees = { chainId: 31337, maxFeePerGas: gwei10, maxPriorityFeePerGas: 1n } as const

type Prepared = {
  readonly deploy: Hex
  readonly transfers: readonly Hex[]
  readonly one: readonly Hex[]
}
type Figure = Omit<Line, 'beside'>

/** Everything that is signed, once for all nodes: the same accounts have the same nonces there. */
async function prepare(): Promise<Prepared> {
  const { Many } = compileSolidity(`// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;
contract Many {
  uint256 public last;
  event Counted(uint256 indexed tens, address indexed by, uint256 index);
  function many(uint256 count) external {
    for (uint256 i = 0; i < count; i++) emit Counted(i / 10, msg.sender, i);
    last += count;
  }
}`)
  if (Many === undefined) throw new Error('Many was not compiled')
  const [first] = accounts
  if (first === undefined) throw new Error('no accounts')
  const transfer = (index: number, count: number) => accounts[index]?.signTransaction({
    ...fees, to: bob, value: 1n, gas: 21_000n, nonce: count,
  }) ?? Promise.reject(new Error('no account'))
  const senders = accounts.length - 2
  return {
    deploy: await first.signTransaction({
      ...fees, data: Many.bytecode, gas: 1_000_000n, nonce: 0,
    }),
    one: await Promise.all(Array.from({ length: 300 }, (_, index) => transfer(1, index))),
    transfers: await Promise.all(Array.from({ length: fullBlock }, (_, index) => (
      transfer(2 + index % senders, Math.floor(index / senders))
    ))),
  }
}

async function sent(url: string, raw: Hex): Promise<{ contractAddress: string }> {
  const hash = await ask(url, 'eth_sendRawTransaction', raw)
  for (;;) {
    const receipt = await ask(url, 'eth_getTransactionReceipt', hash)
    if (receipt !== null) return receipt as { contractAddress: string }
  }
}

async function seconds(act: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await act()
  return (performance.now() - started) / 1000
}

async function milliseconds(name: string, act: () => Promise<unknown>): Promise<Figure> {
  return { name, value: Math.round(await seconds(act) * 1000), unit: 'ms' }
}

/** Reads: small ones, calls, batches. */
async function reads(url: string, contract: string): Promise<Figure[]> {
  const data = encodeFunctionData({ abi, functionName: 'last' })
  const hundred = Array.from({ length: 100 }, () => ['eth_getBalance', bob, 'latest'] as const)
  return [
    {
      name: 'eth_blockNumber, 16 at a time', unit: '/s',
      value: await rate(3000, 16, () => ask(url, 'eth_blockNumber')),
    },
    {
      name: 'eth_getBalance, 16 at a time', unit: '/s',
      value: await rate(3000, 16, () => ask(url, 'eth_getBalance', bob, 'latest')),
    },
    {
      name: 'eth_call, 16 at a time', unit: '/s',
      value: await rate(3000, 16, () => ask(url, 'eth_call', { to: contract, data }, 'latest')),
    },
    {
      name: 'batch of 100 eth_getBalance', unit: 'batches/s',
      value: await rate(100, 4, () => askAll(url, hundred)),
    },
  ]
}

/** Searches among 50,000 logs. */
async function logs(url: string, contract: string): Promise<Figure[]> {
  const data = encodeFunctionData({ abi, functionName: 'many', args: [BigInt(logsEach)] })
  for (let count = 0; count < logTxs; count++) {
    const raw = await accounts[0]?.signTransaction({
      ...fees, to: contract as Hex, data, gas: 2_000_000n, nonce: 1 + count,
    })
    await sent(url, raw ?? '0x')
  }
  const range = { address: contract, fromBlock: '0x0', toBlock: 'latest' }
  const third = `0x${'3'.padStart(64, '0')}`
  const found = await ask(url, 'eth_getLogs', range) as unknown[]
  if (found.length !== logsEach * logTxs) throw new Error(`${found.length} logs`)
  return [
    await milliseconds('eth_getLogs, all of 50,000', () => ask(url, 'eth_getLogs', range)),
    await milliseconds('eth_getLogs, 1,000 of 50,000 by a topic', () => (
      ask(url, 'eth_getLogs', { ...range, topics: [null, third] })
    )),
  ]
}

/** Transactions one after another, then 5,000 in one block. */
async function transactions(url: string, { one, transfers }: Prepared): Promise<Figure[]> {
  const each = await seconds(async () => { for (const raw of one) await sent(url, raw) })
  await ask(url, 'evm_setBlockGasLimit', '0x11e1a300')
  await ask(url, 'evm_mine')
  await ask(url, 'evm_setAutomine', false)
  const taken = await milliseconds('5,000 transactions taken', async () => {
    for (let start = 0; start < transfers.length; start += 500) {
      const part = transfers.slice(start, start + 500)
      await askAll(url, part.map((raw) => ['eth_sendRawTransaction', raw]))
    }
  })
  const mined = await milliseconds('block of 5,000 mined', () => ask(url, 'evm_mine'))
  const block = await ask(url, 'eth_getBlockByNumber', 'latest', false) as { transactions: [] }
  if (block.transactions.length !== fullBlock) throw new Error(`${block.transactions.length} in it`)
  const read = await milliseconds('block of 5,000 read in full', () => (
    ask(url, 'eth_getBlockByNumber', 'latest', true)
  ))
  const receipts = await milliseconds('its 5,000 receipts read', () => (
    ask(url, 'eth_getBlockReceipts', 'latest')
  ))
  await ask(url, 'evm_setAutomine', true)
  const perSecond = Math.round(one.length / each)
  return [
    { name: 'send and receipt, 1 client', value: perSecond, unit: 'tx/s' },
    taken, mined, read, receipts,
  ]
}

/** Heads pushed to 500 subscribers. */
async function pushes(url: string): Promise<Figure[]> {
  let frames = 0
  let tell = (): void => {}
  const reached = (count: number) => new Promise<void>((done) => {
    tell = () => { if (frames >= count) done() }
    tell()
  })
  const sockets = Array.from({ length: listeners }, () => {
    const socket = new WebSocket(url.replace('http', 'ws'), { perMessageDeflate: false })
    const call = { jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params: ['newHeads'] }
    socket.on('open', () => socket.send(JSON.stringify(call)))
    socket.on('message', () => {
      frames++
      tell()
    })
    return socket
  })
  // The answer to eth_subscribe is the first frame.
  await reached(listeners)
  const took = await seconds(async () => {
    for (let count = 0; count < heads; count++) await ask(url, 'evm_mine')
    await reached(listeners * (heads + 1))
  })
  for (const socket of sockets) socket.terminate()
  const value = Math.round(listeners * heads / took)
  return [{ name: `newHeads to ${listeners} subscribers`, value, unit: 'frames/s' }]
}

async function figures(url: string, prepared: Prepared): Promise<Figure[]> {
  const { contractAddress } = await sent(url, prepared.deploy)
  return [
    ...await reads(url, contractAddress), ...await transactions(url, prepared),
    ...await pushes(url), ...await logs(url, contractAddress),
  ]
}

/** Returns the figures of a fresh server of ours, beside Anvil's where it is installed. */
export async function lines(): Promise<Line[]> {
  const prepared = await prepare()
  const node = await startNode([
    '--rpc.laddr', '', '--control', '', '--json-rpc.address', '127.0.0.1:0',
    '--json-rpc.logs-cap', '100000',
  ])
  const ours = await figures(node.url, prepared).finally(node.stop)
  const anvil = await startAnvil()
  if (anvil === undefined) return ours
  const theirs = await figures(anvil.url, prepared).finally(anvil.stop)
  return ours.map((line, index) => ({ ...line, beside: `Anvil ${theirs[index]?.value}` }))
}
