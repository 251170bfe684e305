/** Rows of transactions, blocks, searches of many logs and pushes. */
import type { Hex } from 'viem'
import { WebSocket } from 'ws'
import { ask, askAll, type Node } from './node.ts'
import type { Anvil, Row } from './peers.ts'
import { millisecondsOf, startProgram } from './peerNodes.ts'
import { deploy, manyOf, senders, sent, signed, transfers } from './peerWork.ts'

const [one, full, logsEach, logTxs, listeners, heads, empty] = [300, 5000, 500, 100, 500, 20, 10_000]
const parallel = 3000

type Figures = Readonly<Record<string, number>>
type Wish = Pick<Row, 'atLeast' | 'atMost' | 'limit'>

const wishes: Readonly<Record<string, { readonly unit: string } & Wish>> = {
  'send and wait for the receipt, one client, automine': { unit: 'tx/s', atLeast: 1 },
  '5,000 transactions accepted in batches of 500': { unit: 'ms', atMost: 0.7 },
  'block of 5,000 transfers mined': { unit: 'ms', limit: 200 },
  'its receipts': { unit: 'ms', atMost: 1 },
  'the full block': { unit: 'ms', atMost: 1 },
  'eth_getLogs, all 50,000': { unit: 'ms', atMost: 1 },
  'eth_getLogs, 1,000 of them by topic': { unit: 'ms', atMost: 1 },
  'newHeads to 500 subscribers': { unit: 'frames/s', atLeast: 1 },
  '10,000 empty blocks in one call': { unit: 'ms', limit: 2000 },
  '10 senders, blocks of 1 s, accepted': { unit: 'tx/s', atLeast: 0.7 },
}

/** Returns the rows: first ours, then Anvil's, each with a machine of its own. */
export async function writeRows(anvil: Anvil): Promise<Row[]> {
  const signedOnes = {
    one: await Promise.all(
      Array.from({ length: one }, (_, nonce) =>
        signed(1, nonce, { to: `0x${'9'.repeat(40)}`, value: 1n, gas: 21_000n }),
      ),
    ),
    many: await transfers(full, 2),
    parallel: await transfers(parallel, 0),
  }
  const ours = await figures(
    (flags) => startProgram(['eth'], [...flags, '--json-rpc.logs-cap', '100000']),
    signedOnes,
    ['--blocks', 'interval', '--interval', '1s'],
  )
  const theirs = await figures((flags) => anvil(flags), signedOnes, ['--block-time', '1'])
  return Object.entries(wishes).map(([name, wish]) => ({
    name,
    ...wish,
    ours: ours[name] ?? Number.NaN,
    theirs: theirs[name],
  }))
}

type Signed = { readonly one: readonly Hex[]; readonly many: readonly Hex[]; readonly parallel: readonly Hex[] }
type Start = (flags: readonly string[]) => Promise<Node | undefined>

async function figures(start: Start, work: Signed, everySecond: readonly string[]): Promise<Figures> {
  const node = await start([])
  if (node === undefined) return {}
  const contract = await deploy(node.url)
  const all = {
    ...(await transactions(node.url, work)),
    ...(await pushes(node.url)),
    ...(await logs(node.url, contract)),
    '10,000 empty blocks in one call': await millisecondsOf(() =>
      ask(node.url, 'anvil_mine', `0x${empty.toString(16)}`),
    ),
  }
  node.stop()
  const slow = await start(everySecond)
  if (slow === undefined) return all
  const took = await millisecondsOf(() => besideEachOther(slow.url, work.parallel))
  slow.stop()
  return { ...all, '10 senders, blocks of 1 s, accepted': parallel / (took / 1000) }
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
