/**
 * `npm run bench history [BLOCKS]`: what a long chain leaves in memory when it is kept in a home,
 * and for how long a snapshot stops it. Every tenth block has a transaction.
 */
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { noPlan } from '../../src/plan/plan.ts'
import { profileSettings } from '../../src/settings/profiles.ts'
import { openFileLog } from '../../src/shell/inputLog/fileLog.ts'
import { createKeeping } from '../../src/shell/inputLog/keeping.ts'
import { replayLog } from '../../src/shell/inputLog/replayLog.ts'
import { referring } from '../../src/shell/inputLog/storedHistory.ts'
import { ethProvider } from '../../src/shell/provider.ts'
import { run } from '../../src/shell/server.ts'
import { bytesOfState } from '../../src/shell/stateFile.ts'
import type { Line } from './evm.ts'

const alice = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const transfer = { from: alice, to: alice, value: '0x1', gas: '0x5208' }
const unheard = {
  ...{ rpcLaddr: '', ethAddress: '', ethWsAddress: '', apiAddress: '', grpcAddress: '', controlAddress: '' },
  prometheusAddress: '',
}
const slice = 50

/** Of younger chains, the state itself grows: it has the headers of the last 10,000 blocks. */
const firstLength = 11_000

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

/** Resolves with the figures of a chain at two lengths, the second of `blocks`. */
export async function lines(blocks = 15_000): Promise<Line[]> {
  const folder = mkdtempSync(join(tmpdir(), 'chainstage-bench-'))
  const path = join(folder, 'chain.state')
  const log = await openFileLog(path)
  const say = (level: string, text: string) => {
    if (level === 'warn' || level === 'error') process.stderr.write(`${text}\n`)
  }
  const keeping = createKeeping({ log, say })
  const running = await run({
    ...{ settings: { ...profileSettings('local'), ...unheard, blocks: 'manual' }, plan: noPlan },
    ...{ genesis: undefined, home: undefined, log: say, record: () => {}, keeping },
  })
  const { request } = ethProvider(running.main.queue, running.main.sockets.openLocal)
  const first = Math.min(firstLength, Math.floor(blocks / 2))
  const all: Line[] = []
  const used: number[] = []
  for (const length of [first, blocks]) {
    const began = performance.now()
    const from = Number(running.simulation().node.chain.height)
    while (Number(running.simulation().node.chain.height) < length) {
      for (let sent = 0; sent < slice / 10; sent++) {
        await request({ method: 'eth_sendTransaction', params: [transfer] })
        await request({ method: 'anvil_mine', params: ['0xa'] })
      }
    }
    await keeping.kept()
    const each = (performance.now() - began) / (length - from)
    collect()
    const { heapUsed, external } = process.memoryUsage()
    used.push(heapUsed + external)
    const stopped = performance.now()
    const { state, parts } = referring(running.simulation(), log.history)
    const bytes = bytesOfState(state, parts)
    const pause = performance.now() - stopped
    all.push(
      { name: `memory after ${length} blocks`, value: Math.round((heapUsed + external) / 1e6), unit: 'MB' },
      { name: `a block, up to ${length}`, value: Number(each.toFixed(2)), unit: 'ms' },
      { name: `a snapshot of ${length} blocks`, value: Math.round(pause), unit: 'ms', beside: `${bytes.length} bytes` },
    )
  }
  const [before = 0, after = 0] = used
  const files = readdirSync(`${path}.history`).reduce(
    (sum, name) => sum + statSync(join(`${path}.history`, name)).size,
    0,
  )
  all.push(
    { name: 'memory for each further block', value: Math.round((after - before) / (blocks - first)), unit: 'bytes' },
    { name: 'history on disk for each block', value: Math.round(files / blocks), unit: 'bytes' },
  )
  await running.close()
  const { state, parts } = referring(running.simulation(), log.history)
  await log.finish(bytesOfState(state, parts))
  const began = performance.now()
  const again = await openFileLog(path)
  await replayLog(again)
  all.push({
    name: `to read ${blocks} blocks at the next start`,
    value: Math.round(performance.now() - began),
    unit: 'ms',
  })
  await again.close()
  rmSync(folder, { recursive: true })
  return all
}
