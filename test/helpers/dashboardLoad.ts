/**
 * A chain with 10,000 blocks in a process of its own, under transactions at a steady rate, and what
 * the dashboard costs it. Processor times are read from the process, so other work on the machine
 * disturbs them little.
 */
import { fork, type ChildProcess } from 'node:child_process'
import { Agent, get } from 'node:http'
import { fileURLToPath } from 'node:url'
import type { Browser } from 'playwright-core'
import { pageRead } from './browser.ts'
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

/** What one open page does: its reads by path and per second, and the frames that it draws. */
export type Watched = {
  readonly reads: readonly { readonly path: string; readonly perSecond: number }[]
  /** The processor time that the page's main thread used for each frame, in milliseconds. */
  readonly framesMs: readonly number[]
}

/** Opens a page in a tab of its own while transactions come, for a time. */
export async function watchPage(browser: Browser, chain: LoadedChain, path: string, seconds: number): Promise<Watched> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  await page.goto(`${chain.control}/#/${path}`)
  await pageRead(page)
  const counts = new Map<string, number>()
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    counts.set(pathname + search, (counts.get(pathname + search) ?? 0) + 1)
  })
  await browser.startTracing(page, { categories: ['devtools.timeline', 'disabled-by-default-devtools.timeline'] })
  const startMs = performance.now()
  await chain.load(seconds)
  const tookSeconds = (performance.now() - startMs) / 1000
  const { traceEvents } = JSON.parse(String(await browser.stopTracing())) as { traceEvents: readonly TraceEvent[] }
  await page.close()
  return {
    reads: [...counts].map(([read, count]) => ({ path: read, perSecond: count / tookSeconds })),
    framesMs: framesOf(traceEvents),
  }
}

type TraceEvent = {
  readonly name: string
  readonly ph: string
  readonly pid: number
  readonly tid: number
  readonly ts: number
  /** The processor time of the thread, in microseconds. */
  readonly tdur?: number
  readonly args: { readonly name?: string }
}

/**
 * Returns the processor time of the main thread between one frame and the next. Unlike the time
 * between frames, it does not grow when other programs use the processor.
 */
function framesOf(events: readonly TraceEvent[]): readonly number[] {
  const mains = events.filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
  const isMain = ({ pid, tid }: TraceEvent) => mains.some((one) => one.pid === pid && one.tid === tid)
  const frames = [0]
  for (const { name, tdur = 0 } of events
    .filter((one) => one.ph === 'X' && ['RunTask', 'Commit'].includes(one.name) && isMain(one))
    .toSorted((a, b) => a.ts - b.ts)) {
    if (name === 'Commit') frames.push(0)
    else frames.push((frames.pop() ?? 0) + tdur / 1000)
  }
  return frames.slice(1, -1)
}

/** Does to the chain what many open pages do, until the function that it returns is called. */
export function openCopies({ control }: LoadedChain, { reads }: Watched, copies: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: 8 })
  const live = Array.from({ length: copies }, () => get(`${control}/api/live`, (answer) => answer.resume()))
  const startMs = performance.now()
  let isOver = false
  const reading = reads.map(async ({ path, perSecond }) => {
    for (let count = 1; !isOver; count++) {
      await readOnce(`${control}${path}`, agent)
      const aheadMs = startMs + (count / (perSecond * copies)) * 1000 - performance.now()
      if (aheadMs > 0) await new Promise((done) => setTimeout(done, aheadMs))
    }
  })
  return async () => {
    isOver = true
    await Promise.all(reading)
    for (const request of live) request.destroy()
    agent.destroy()
  }
}

function readOnce(url: string, agent: Agent): Promise<void> {
  return new Promise((done, failed) => {
    get(url, { agent }, (answer) => {
      answer.resume()
      answer.on('end', () => done())
    }).on('error', failed)
  })
}
