/** Machines that sleep, processes that are stopped, and clocks that are set while a chain serves. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { freePorts, scratch, startCli } from '../../helpers/cli.ts'
import { rpc } from '../../helpers/control.ts'
import { eventually } from '../../helpers/server.ts'

type Clocks = { readonly steady: boolean; readonly date: boolean }

const hour = 3_600_000

/** Returns a module for Node's flag `--import`, whose clocks go ahead by 12 hours once the file exists. */
function leaping(file: string, { steady, date }: Clocks): string {
  const code = `import { existsSync } from 'node:fs'
    import { performance } from 'node:perf_hooks'
    const [now, dateNow] = [performance.now.bind(performance), Date.now]
    let leapMs = 0
    if (${steady}) performance.now = () => now() + leapMs
    if (${date}) Date.now = () => dateNow() + leapMs
    setInterval(() => { if (existsSync(${JSON.stringify(file)})) leapMs = ${12 * hour} }, 20).unref()`
  return `--import=data:text/javascript,${encodeURIComponent(code)}`
}

const goesOn = test.macro(async (t, clocks: Clocks) => {
  const file = join(scratch(), 'sleeps')
  const flags = ['--blocks', 'interval', '--interval', '200ms', '--time', 'wall', '--json']
  const chain = startCli(['start', ...flags, ...freePorts], { NODE_OPTIONS: leaping(file, clocks) })
  const [text] = await chain.says(/\{"chainstage".*\}/)
  const { urls } = JSON.parse(text) as { urls: { eth: string } }
  const latest = async () => {
    const block = await rpc(urls.eth, 'eth_getBlockByNumber', 'latest', false)
    const { number = '0', timestamp = '0' } = (block ?? {}) as { number?: string; timestamp?: string }
    return { height: Number(number), timeMs: Number(timestamp) * 1000 }
  }
  await eventually(async () => (await latest()).height > 2)
  writeFileSync(file, '')
  const [before, from] = [await latest(), Date.now()]
  await eventually(async () => (await latest()).timeMs > before.timeMs + 11 * hour)
  const after = await latest()
  const most = (Date.now() - from) / 200 + 2
  t.true(after.height - before.height <= most, `${after.height - before.height} blocks, expected at most ${most}`)
  t.true(Math.abs(after.timeMs - Date.now() - 12 * hour) < 15_000, `block time ${after.timeMs}`)
  await eventually(async () => (await latest()).height > after.height + 2)
  chain.process.kill('SIGTERM')
  t.is((await chain.ended).code, 0)
})

test.serial(
  'after 12 hours of sleep that the steady clock counts, a chain mines one block per interval, not the missed ones',
  goesOn,
  { steady: true, date: true },
)
test.serial(
  'after 12 hours of sleep that the steady clock does not count, blocks carry the time of the machine again',
  goesOn,
  { steady: false, date: true },
)
