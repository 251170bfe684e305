/**
 * Measures the dashboard under load: `node dist/test/dashboard/load.js`. A chain with 10,000 blocks
 * takes transactions at a steady rate, by itself and then with the page open. Prints the frames of
 * the page and the processor time of the chain for each.
 */
import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { startBrowser } from '../helpers/browser.ts'
import { rpc } from '../helpers/control.ts'

const seconds = Number(process.argv[2] ?? 20)
const perSecond = Number(process.argv[3] ?? 500)

if (process.send === undefined) await measure()
else await serve()

/** The chain in a process of its own, so that its processor time is its own. */
async function serve(): Promise<void> {
  const { start } = await import('../../src/index.ts')
  const server = await start({
    ports: 'free',
    settings: { controlAddress: '127.0.0.1:0', blocks: 'interval', interval: '500ms', profile: 'local' },
  })
  process.on('message', () => process.send?.(process.cpuUsage()))
  process.send?.({ eth: server.urls.eth, control: server.urls.control })
}

type Usage = { readonly user: number; readonly system: number }

async function measure(): Promise<void> {
  const child = fork(fileURLToPath(import.meta.url))
  const next = <Value>() => new Promise<Value>((done) => child.once('message', done as (value: unknown) => void))
  const { eth, control } = await next<{ eth: string; control: string }>()
  await rpc(eth, 'anvil_mine', '0x2710')
  const usage = async () => {
    const asked = next<Usage>()
    child.send('usage')
    const { user, system } = await asked
    return (user + system) / 1000
  }
  // Runs differ by more than the page costs: each page is compared with a run before and after it.
  const under = async (name: string) => {
    const before = await usage()
    const sent = await load(eth)
    const spent = (await usage()) - before
    console.log(`${name}: ${sent} transactions in ${seconds} s, ${(spent / seconds / 10).toFixed(1)} % of a core`)
    return spent
  }
  await under('warm-up')
  let before = await under('without the page')
  const browser = await startBrowser()
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  for (const path of ['overview', 'blocks', 'transactions', 'requests']) {
    await page.goto(`${control}/#/${path}`)
    await page.waitForSelector('main h1')
    await page.evaluate(`(() => {
      window.frames2 = []
      let last = performance.now()
      const frame = (now) => { window.frames2.push(now - last); last = now; requestAnimationFrame(frame) }
      requestAnimationFrame(frame)
      window.tasks = []
      new PerformanceObserver((list) => window.tasks.push(...list.getEntries().map((one) => one.duration)))
        .observe({ entryTypes: ['longtask'] })
    })()`)
    const open = await under(`with ${path} open`)
    const { frames, tasks } = (await page.evaluate('({ frames: window.frames2, tasks: window.tasks })')) as {
      frames: number[]
      tasks: number[]
    }
    await page.goto('about:blank')
    const after = await under('without the page')
    const alone = (before + after) / 2
    before = after
    const sorted = frames.slice(5).toSorted((a, b) => a - b)
    const at = (share: number) => (sorted[Math.floor((sorted.length - 1) * share)] ?? 0).toFixed(0)
    console.log(
      `  frames: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, slowest ${at(1)} ms; tasks over 50 ms: ${tasks.length}; ` +
        `chain ${((open - alone) / seconds / 10).toFixed(1)} % of a core more`,
    )
  }
  await browser.close()
  child.kill()
}

/** Sends transfers at the wanted rate, ten at a time, and returns how many were sent. */
async function load(eth: string): Promise<number> {
  const until = performance.now() + seconds * 1000
  const batch = Array.from({ length: 10 }, (_, id) => ({
    jsonrpc: '2.0',
    id,
    method: 'eth_sendTransaction',
    params: [
      {
        from: '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
        to: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
        value: '0x1',
        gas: '0x5208',
      },
    ],
  }))
  const body = JSON.stringify(batch)
  let sent = 0
  const startMs = performance.now()
  while (performance.now() < until) {
    await fetch(eth, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body }).then((one) =>
      one.text(),
    )
    sent += 10
    const aheadMs = startMs + (sent / perSecond) * 1000 - performance.now()
    if (aheadMs > 0) await new Promise((done) => setTimeout(done, aheadMs))
  }
  return sent
}
