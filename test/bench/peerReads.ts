/** Rows of reads over kept connections. */
import { load, callOf, postOf, type Measured } from './load.ts'
import { ask, type Node } from './node.ts'
import type { Anvil, Row } from './peers.ts'
import { median } from '../helpers/median.ts'
import { startProgram } from './peerNodes.ts'
import { balanceOf, balanceOfOther, bob, deploy, first, manyOf, sent, signed, transferOf } from './peerWork.ts'

const [rounds, milliseconds, logs, transactions] = [5, 600, 51, 50]

export type Read = {
  readonly name: string
  readonly connections: number
  readonly atLeast: number
  readonly microsMost?: number
  /** Returns a request, or those that are sent in turn. */
  readonly request: (place: Place) => Buffer | readonly Buffer[]
}

export type Place = { readonly node: Node; readonly contract: string; readonly hash: unknown; readonly block: string }

const call =
  (method: string, ...params: readonly unknown[]) =>
  ({ node: { url } }: Place): Buffer =>
    callOf(url, method, params)
const hundred = Array.from({ length: 100 }, (_, id) => ({
  jsonrpc: '2.0',
  id,
  method: 'eth_getBalance',
  params: [bob, 'latest'],
}))

export const reads: readonly Read[] = [
  ...[1, 16, 64].map((connections) => ({
    name: 'eth_blockNumber',
    connections,
    atLeast: 0.5,
    microsMost: 25,
    request: call('eth_blockNumber'),
  })),
  { name: 'eth_getBalance', connections: 16, atLeast: 0.5, request: call('eth_getBalance', bob, 'latest') },
  {
    name: 'eth_getTransactionReceipt',
    connections: 16,
    atLeast: 0.5,
    request: (at) => call('eth_getTransactionReceipt', at.hash)(at),
  },
  {
    name: 'eth_call balanceOf',
    connections: 16,
    atLeast: 0.7,
    request: (at) => call('eth_call', { to: at.contract, data: balanceOf }, 'latest')(at),
  },
  {
    // What was asked before on an unchanged chain is not executed again, so here nothing repeats soon.
    name: 'eth_call balanceOf of 20,000 accounts by turns',
    connections: 16,
    atLeast: 0.7,
    request: (at) =>
      Array.from({ length: 20_000 }, (_, account) =>
        call('eth_call', { to: at.contract, data: balanceOfOther(account) }, 'latest')(at),
      ),
  },
  {
    name: 'eth_estimateGas of an ERC-20 transfer',
    connections: 16,
    atLeast: 0.7,
    request: (at) => call('eth_estimateGas', { from: first, to: at.contract, data: transferOf })(at),
  },
  {
    name: 'eth_getTransactionByHash',
    connections: 16,
    atLeast: 2.5,
    request: (at) => call('eth_getTransactionByHash', at.hash)(at),
  },
  {
    name: `eth_getBlockByNumber, ${transactions} in full`,
    connections: 16,
    atLeast: 2.5,
    request: (at) => call('eth_getBlockByNumber', at.block, true)(at),
  },
  {
    name: `eth_getLogs, ${logs} logs`,
    connections: 4,
    atLeast: 1,
    request: (at) => call('eth_getLogs', { address: at.contract, fromBlock: '0x0', toBlock: 'latest' })(at),
  },
  {
    name: 'batch of 100 eth_getBalance',
    connections: 4,
    atLeast: 0.5,
    request: ({ node }) => postOf(node.url, hundred),
  },
]

/** Returns the rows: on either node a contract, 51 logs and a block of transfers. */
export async function readRows(anvil: Anvil): Promise<Row[]> {
  const ours = await startProgram(['eth'])
  const theirs = await anvil()
  try {
    const [here, there] = [await prepared(ours), theirs && (await prepared(theirs))]
    const rows: Row[] = []
    for (const read of reads) rows.push(await rowOf(read, here, there))
    return rows
  } finally {
    ours.stop()
    theirs?.stop()
  }
}

async function rowOf(read: Read, here: Place, there: Place | undefined): Promise<Row> {
  const [ours, theirs]: [Measured[], Measured[]] = [[], []]
  for (let round = 0; round <= rounds; round++) {
    const one = await measured(read, here)
    const other = there && (await measured(read, there))
    // The first round warms up.
    if (round === 0) continue
    ours.push(one)
    if (other !== undefined) theirs.push(other)
  }
  const { name, connections, atLeast, microsMost } = read
  return {
    name: `${name}, ${connections} at a time`,
    unit: '/s',
    ours: median(ours.map(({ perSecond }) => perSecond)),
    theirs: theirs.length === 0 ? undefined : median(theirs.map(({ perSecond }) => perSecond)),
    atLeast,
    micros: median(ours.map(({ micros }) => micros)),
    ...(microsMost === undefined ? {} : { microsMost }),
  }
}

function measured({ request, connections }: Read, place: Place): Promise<Measured> {
  const { url, process: child } = place.node
  return load({ url, pid: child.pid, requests: [request(place)].flat(), connections, milliseconds })
}

/** Deploys the contract, emits the logs and mines the block of transfers that the reads ask for. */
export async function prepared(node: Node): Promise<Place> {
  const { url } = node
  const contract = await deploy(url)
  await sent(url, await signed(0, 1, { to: contract, data: manyOf(logs), gas: 2_000_000n }))
  await ask(url, 'evm_setAutomine', false)
  let hash: unknown
  for (let nonce = 0; nonce < transactions; nonce++)
    hash = await ask(url, 'eth_sendRawTransaction', await signed(1, nonce, { to: bob, value: 1n, gas: 21_000n }))
  await ask(url, 'evm_mine')
  await ask(url, 'evm_setAutomine', true)
  const block = (await ask(url, 'eth_blockNumber')) as string
  return { node, contract, hash, block }
}
