/**
 * A chain with 10,000 blocks in a process of its own, under transactions at a steady rate, and what
 * the dashboard costs it. Processor times are read from the process, so other work on the machine
 * disturbs them little.
 */
import { fork, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { rpc } from './control.ts'

/** Of transactions. */
const perSecond = 500
const blocksHex = '0x2710'

export type LoadedChain = {
  readonly eth: string
  readonly control: string
  /** Resolves with the processor time of the chain so far, in milliseconds. */
  readonly usedMs: () => Promise<number>
  /** Sends transactions for a time; resolves with how many were sent. */
  readonly load: (seconds: number) => Promise<number>
  readonly end: () => void
}

if (process.argv[2] === 'dashboard-load') await serve()

/** The chain in a process of its own, so that its processor time is its own. */
async function serve(): Promise<void> {
  const { start } = await import('../../src/index.ts')
  const server = await start({
    ports: 'free',
    settings: { controlAddress: '127.0.0.1:0', blocks: 'interval', interval: '500ms', profile: 'local' },
  })
  process.on('message', () => process.send?.(process.cpuUsage()))
  process.on('disconnect', () => process.exit())
  process.send?.({ eth: server.urls.eth, control: server.urls.control })
}

/** Starts the chain and mines its blocks. */
export async function startLoadedChain(): Promise<LoadedChain> {
  const child = fork(fileURLToPath(import.meta.url), ['dashboard-load'])
  const { eth, control } = await told<{ eth: string; control: string }>(child)
  await rpc(eth, 'anvil_mine', blocksHex)
  return {
    eth,
    control,
    usedMs: async () => {
      const asked = told<{ user: number; system: number }>(child)
      child.send('usage')
      const { user, system } = await asked
      return (user + system) / 1000
    },
    load: (seconds) => load(eth, seconds),
    end: () => child.kill(),
  }
}

function told<Value>(child: ChildProcess): Promise<Value> {
  return new Promise((done) => child.once('message', done as (value: unknown) => void))
}

/** Sends transfers at the wanted rate, ten at a time. */
async function load(eth: string, seconds: number): Promise<number> {
  const transfer = {
    from: '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
    to: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
    value: '0x1',
    gas: '0x5208',
  }
  const body = JSON.stringify(
    Array.from({ length: 10 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'eth_sendTransaction', params: [transfer] })),
  )
  const total = perSecond * seconds
  const startMs = performance.now()
  for (let sent = 10; sent <= total; sent += 10) {
    const options = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body }
    await fetch(eth, options).then((one) => one.text())
    const aheadMs = startMs + (sent / perSecond) * 1000 - performance.now()
    if (aheadMs > 0) await new Promise((done) => setTimeout(done, aheadMs))
  }
  return total
}
