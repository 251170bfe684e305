/**
 * CometBFT RPC's benchmarks: over real sockets against a process of its own, searches in this one.
 */
import { performance } from 'node:perf_hooks'
import { WebSocket } from 'ws'
import { kvstore } from '../../src/app/kvstore/kvstore.ts'
import { KvSimulation } from '../helpers/kvSimulation.ts'
import type { Line } from './evm.ts'
import { ask, rate, startNode } from './node.ts'

const searched = 100_000
/** The node lets one subscriber fewer in than the limit says. */
const clients = 500
const told = 40

/** Returns the figures of one fresh server, then of a chain with many transactions. */
export async function lines(): Promise<Line[]> {
  const node = await startNode([
    '--control',
    '',
    '--json-rpc.address',
    '',
    '--rpc.laddr',
    'tcp://127.0.0.1:0',
    '--rpc.max_subscription_clients',
    String(clients + 1),
  ])
  try {
    const status = await rate(5000, 16, () => ask(node.url, 'status'))
    const block = await rate(5000, 16, () => ask(node.url, 'block', '1'))
    const frames = await fanOut(node.url)
    return [
      { name: 'status, 16 at a time', value: status, unit: '/s' },
      { name: 'block, 16 at a time', value: block, unit: '/s' },
      { name: `NewBlock to ${clients} subscribers`, value: frames, unit: 'frames/s' },
      ...searches(),
    ]
  } finally {
    node.stop()
  }
}

/** Returns events a second that reach all subscribers together. */
async function fanOut(url: string): Promise<number> {
  const sockets = Array.from(
    { length: clients },
    () => new WebSocket(`${url.replace('http', 'ws')}/websocket`, { perMessageDeflate: false }),
  )
  let frames = 0
  let all = (): void => {}
  const wanted = clients * (told + 1)
  const done = new Promise<void>((resolve) => {
    all = resolve
  })
  for (const socket of sockets) {
    // The answer to subscribe is the first frame.
    socket.on('message', () => {
      if (++frames === wanted) all()
    })
    socket.on('open', () =>
      socket.send(
        JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'subscribe', params: { query: "tm.event='NewBlock'" } }),
      ),
    )
  }
  while (frames < clients)
    await new Promise((next) => {
      setTimeout(next, 5)
    })
  const started = performance.now()
  for (let made = 0; made < told; made++) await ask(url, 'advance_blocks', '1')
  await done
  const perSecond = Math.round((clients * told) / ((performance.now() - started) / 1000))
  for (const socket of sockets) socket.terminate()
  return perSecond
}

/**
 * Searches of a chain whose application answers at once, so that the index is what is measured.
 * Keys are words, values numbers; both are filed under `app.key`.
 */
function searches(): Line[] {
  const chain = new KvSimulation({ app: kvstore })
  const enter = (command: Parameters<KvSimulation['command']>[0]) => chain.command(command)
  enter({ type: 'setBlockPolicy', policy: { mode: 'manual' } })
  for (let sent = 0; sent < searched; sent++) {
    enter({ type: 'submitTx', mode: 'admit', tx: new TextEncoder().encode(`k${sent % 100}=${sent}`) })
    if (sent % 500 === 499) enter({ type: 'produceBlock' })
  }
  const per = (name: string, query: string, count = 50): Line => {
    const started = performance.now()
    for (let asked = 0; asked < count; asked++) chain.ask('tx_search', { query })
    const value = Math.round(((performance.now() - started) / count) * 1000)
    return { name: `tx_search ${name} of 100,000`, value, unit: 'µs' }
  }
  return [
    per('one height (500)', 'tx.height=77'),
    per('of heights (1,000)', 'tx.height>50 AND tx.height<=52'),
    per('of numbers, asked first', 'app.key>=7 AND app.key<=16', 1),
    per('of numbers (10)', 'app.key>=777 AND app.key<787'),
    per('of numbers (99,222)', 'app.key>777', 10),
    per('containing (280)', "app.key CONTAINS '777'"),
    per('one value (1,000)', "app.key='k7'"),
    per('all', 'tx.height>0'),
    per('two conditions (10)', "app.key='k7' AND tx.height>=50 AND tx.height<=51"),
  ]
}
