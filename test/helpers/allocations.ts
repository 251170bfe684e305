/**
 * A program for `allocations.test.ts`: prints what a chain allocates for calls, transactions and
 * blocks. It runs with a young generation that holds all of it, so that nothing is collected.
 */
import { mnemonicToAccount } from 'viem/accounts'
import { localSimulation } from './ethSimulation.ts'

const sender = mnemonicToAccount('test test test test test test test test test test test junk')
// Both numbers of transactions close chunks of 128, in proportion.
const [warm, few, many, blocks, calls] = [128, 256, 512, 100, 500] as const

const signed = await Promise.all(
  Array.from({ length: warm + few + many }, (_, nonce) =>
    sender.signTransaction({
      chainId: 31_337,
      nonce,
      to: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
      value: 1n,
      gas: 21_000n,
      maxFeePerGas: 10_000_000_000n,
      maxPriorityFeePerGas: 1n,
    }),
  ),
)

const chain = localSimulation()
chain.call('evm_setAutomine', false)

/** Returns bytes of the heap for each of `count` things. */
function bytesEach(count: number, act: () => void): number {
  const before = process.memoryUsage().heapUsed
  act()
  return Math.round((process.memoryUsage().heapUsed - before) / count)
}

let sent = 0
function transactions(count: number): { accepted: number; mined: number } {
  const accepted = bytesEach(count, () => {
    for (let index = 0; index < count; index++) chain.call('eth_sendRawTransaction', signed[sent++])
  })
  return { accepted, mined: bytesEach(count, () => chain.call('evm_mine')) }
}

function emptyBlocks(): number {
  return bytesEach(blocks, () => {
    for (let index = 0; index < blocks; index++) chain.call('evm_mine')
  })
}

function reads(): number {
  return bytesEach(calls, () => {
    for (let index = 0; index < calls; index++) chain.call('eth_blockNumber')
  })
}

transactions(warm)
// So many that the block of the transactions is written before anything is measured.
for (let times = 0; times < 3; times++) emptyBlocks()
reads()
process.stdout.write(
  JSON.stringify({ few: transactions(few), many: transactions(many), emptyBlock: emptyBlocks(), read: reads() }),
)
