/** Rows of transactions, blocks, searches of many logs and pushes. */
import type { Hex } from 'viem'
import { WebSocket } from 'ws'
import { ask, askAll, type Node } from './node.ts'
import type { Anvil, Row } from './peers.ts'
import { millisecondsOf, startProgram } from './peerNodes.ts'
import { deploy, manyOf, senders, sent, signed, transfers } from './peerWork.ts'

const [one, full, logsEach, logTxs, listeners, heads, empty] = [300, 5000, 500, 100, 500, 20, 10_000]
const parallel = 3000

const fromAll = `${senders} senders, blocks of 1 s, accepted`

type Figures = Readonly<Record<string, number>>
type Wish = Pick<Row, 'atLeast' | 'atMost' | 'limit'>

const wishes: Readonly<Record<string, { readonly unit: string } & Wish>> = {
  'send and wait for the receipt, one client, automine': { unit: 'tx/s', atLeast: 1 },
  '5,000 transactions accepted in batches of 500': { unit: 'ms', atMost: 0.7 },
  'block of 5,000 transfers mined': { unit: 'ms', limit: 200 },
  'its receipts': { unit: 'ms', limit: 64 },
  'the full block': { unit: 'ms', limit: 77 },
  'eth_getLogs, all 50,000': { unit: 'ms', atMost: 1 },
  'eth_getLogs, 1,000 of them by topic': { unit: 'ms', atMost: 1 },
  'newHeads to 500 subscribers': { unit: 'frames/s', atLeast: 1 },
  '10,000 empty blocks in one call': { unit: 'ms', limit: 2000 },
  [fromAll]: { unit: 'tx/s', atLeast: 0.7 },
}

/** Returns the rows: the same steps on both servers, each step by turns, and who begins alternates. */
export async function writeRows(anvil: Anvil): Promise<Row[]> {
  const work = {
    one: await Promise.all(
      Array.from({ length: one }, (_, nonce) =>
        signed(1, nonce, { to: `0x${'9'.repeat(40)}`, value: 1n, gas: 21_000n }),
      ),
    ),
    many: await transfers(full, 2),
    parallel: await transfers(parallel, 0),
  }
  const accounts = ['--accounts', String(senders)]
  const program: Start = (flags) => startProgram(['eth'], [...flags, ...accounts, '--json-rpc.logs-cap', '100000'])
  const other: Start = (flags) => anvil([...flags, ...accounts])
  const [ours, theirs] = await byTurns(
    [await program([]), await other([])],
    [
      async ({ url }) => ({ contract: await deploy(url), figures: await transactions(url, work) }),
      async ({ url }) => ({ figures: await pushes(url) }),
      async ({ url }, contract) => ({ figures: await logs(url, contract) }),
      async ({ url }) => ({ figures: await emptyBlocks(url) }),
    ],
  )
  const everySecond = [
    await program(['--blocks', 'interval', '--interval', '1s']),
    await other(['--block-time', '1']),
  ] as const
  const accepted = async ({ url }: Node) => {
    const took = await millisecondsOf(() => besideEachOther(url, work.parallel))
    return { figures: { [fromAll]: parallel / (took / 1000) } }
  }
  const [oursFromAll, theirsFromAll] = await byTurns(everySecond, [accepted])
  const [here, there] = [
    { ...ours, ...oursFromAll },
    { ...theirs, ...theirsFromAll },
  ]
  return Object.entries(wishes).map(([name, wish]) => ({
    name,
    ...wish,
    ours: here[name] ?? Number.NaN,
    theirs: there[name],
  }))
}

type Signed = { readonly one: readonly Hex[]; readonly many: readonly Hex[]; readonly parallel: readonly Hex[] }
type Start = (flags: readonly string[]) => Promise<Node | undefined>
type Step = (node: Node, contract: Hex) => Promise<{ readonly contract?: Hex; readonly figures: Figures }>

/** Carries out each step on one server, then on the other, ends both and returns the figures of each. */
async function byTurns(
  nodes: readonly (Node | undefined)[],
  steps: readonly Step[],
): Promise<readonly [Figures, Figures]> {
  const figures: [Record<string, number>, Record<string, number>] = [{}, {}]
  const contracts: Hex[] = []
  try {
    for (const [index, step] of steps.entries()) {
      for (const turn of index % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
        const node = nodes[turn]
        if (node === undefined) continue
        const done = await step(node, contracts[turn] ?? '0x')
        if (done.contract !== undefined) contracts[turn] = done.contract
        Object.assign(figures[turn], done.figures)
      }
    }
  } finally {
    for (const node of nodes) node?.stop()
  }
  return figures
}

async function emptyBlocks(url: string): Promise<Figures> {
  const took = await millisecondsOf(() => ask(url, 'anvil_mine', `0x${empty.toString(16)}`))
  return { '10,000 empty blocks in one call': took }
}

/** Each sender waits for the answer to its last transaction, and for nobody else's. */
async function besideEachOther(url: string, raws: readonly Hex[]): Promise<void> {
  await Promise.all(
    Array.from({ length: senders }, async (_, sender) => {
      for (let index = sender; index < raws.length; index += senders)
        await ask(url, 'eth_sendRawTransaction', raws[index])
    }),
  )
}

async function transactions(url: string, work: Signed): Promise<Figures> {
  const each = await millisecondsOf(async () => {
    for (const raw of work.one) await sent(url, raw)
  })
  await ask(url, 'evm_setBlockGasLimit', '0x11e1a300')
  await ask(url, 'evm_mine')
  await ask(url, 'evm_setAutomine', false)
  const accepted = await millisecondsOf(async () => {
    for (let start = 0; start < full; start += 500) {
      await askAll(
        url,
        work.many.slice(start, start + 500).map((raw) => ['eth_sendRawTransaction', raw]),
      )
    }
  })
  const mined = await millisecondsOf(() => ask(url, 'evm_mine'))
  const block = (await ask(url, 'eth_getBlockByNumber', 'latest', false)) as { transactions: [] }
  if (block.transactions.length !== full) throw new Error(`${block.transactions.length} in the block`)
  const receipts = await millisecondsOf(() => ask(url, 'eth_getBlockReceipts', 'latest'))
  const read = await millisecondsOf(() => ask(url, 'eth_getBlockByNumber', 'latest', true))
  await ask(url, 'evm_setAutomine', true)
  return {
    'send and wait for the receipt, one client, automine': one / (each / 1000),
    '5,000 transactions accepted in batches of 500': accepted,
    'block of 5,000 transfers mined': mined,
    'its receipts': receipts,
    'the full block': read,
  }
}

async function logs(url: string, contract: Hex): Promise<Figures> {
  const data = manyOf(logsEach)
  for (let count = 0; count < logTxs; count++)
    await sent(url, await signed(0, 1 + count, { to: contract, data, gas: 2_000_000n }))
  const range = { address: contract, fromBlock: '0x0', toBlock: 'latest' }
  const third = `0x${'3'.padStart(64, '0')}`
  let found: unknown[] = []
  const all = await millisecondsOf(async () => {
    found = (await ask(url, 'eth_getLogs', range)) as unknown[]
  })
  if (found.length !== logsEach * logTxs) throw new Error(`${found.length} logs`)
  const some = await millisecondsOf(() => ask(url, 'eth_getLogs', { ...range, topics: [null, third] }))
  return { 'eth_getLogs, all 50,000': all, 'eth_getLogs, 1,000 of them by topic': some }
}

async function pushes(url: string): Promise<Figures> {
  let frames = 0
  let tell = (): void => {}
  const reached = (count: number) =>
    new Promise<void>((done) => {
      tell = () => {
        if (frames >= count) done()
      }
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
  const took = await millisecondsOf(async () => {
    for (let count = 0; count < heads; count++) await ask(url, 'evm_mine')
    await reached(listeners * (heads + 1))
  })
  for (const socket of sockets) socket.terminate()
  return { 'newHeads to 500 subscribers': (listeners * heads) / (took / 1000) }
}
