/** What it costs to keep a chain: transactions over HTTP, one after another and fifty at a time. */
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { noPlan } from '../../src/plan/plan.ts'
import { profileSettings } from '../../src/settings/profiles.ts'
import { logPathOf, openFileLog } from '../../src/shell/inputLog/fileLog.ts'
import { createKeeping } from '../../src/shell/inputLog/keeping.ts'
import { replayLog } from '../../src/shell/inputLog/replayLog.ts'
import { run } from '../../src/shell/server.ts'
import { post } from '../helpers/raw.ts'
import { freePorts } from '../helpers/server.ts'
import type { Line } from './evm.ts'

const alice = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const transfer = { from: alice, to: alice, value: '0x1', gas: '0x5208' }
const seconds = 2
const modes = ['fsync', 'write', 'none'] as const

/** Resolves with transactions a second of each mode, and what reading the log again takes. */
export async function lines(): Promise<Line[]> {
  const all: Line[] = []
  for (const mode of modes) all.push(...(await measured(mode)))
  return all
}

async function measured(mode: (typeof modes)[number]): Promise<Line[]> {
  const folder = mkdtempSync(join(tmpdir(), 'chainstage-bench-'))
  const path = join(folder, 'chain.state')
  const log = mode === 'none' ? undefined : await openFileLog(path, { durability: mode })
  const say = () => {}
  // Without snapshots: what they cost depends on the chain alone.
  const keeping = log && createKeeping({ log, say, shortenAfter: Infinity })
  const running = await run({
    ...{ settings: { ...profileSettings('local'), ...freePorts }, plan: noPlan },
    ...{ genesis: undefined, home: undefined, log: say, record: () => {}, keeping },
  })
  const rates: Line[] = []
  let sent = 0
  for (const clients of [1, 50]) {
    const [before, began] = [sent, performance.now()]
    const client = async () => {
      while (performance.now() - began < seconds * 1000) {
        await post(running.urls.eth, { jsonrpc: '2.0', id: 1, method: 'eth_sendTransaction', params: [transfer] })
        sent += 1
      }
    }
    await Promise.all(Array.from({ length: clients }, client))
    const rate = ((sent - before) / (performance.now() - began)) * 1000
    rates.push({ name: `${mode}, ${clients} at a time`, value: Math.round(rate), unit: 'tx/s' })
  }
  await keeping?.kept()
  await running.close()
  await log?.close()
  if (log !== undefined) {
    const size = statSync(logPathOf(path)).size
    const began = performance.now()
    const found = await replayLog(await openFileLog(path))
    const each = ((performance.now() - began) * 1000) / Math.max(found?.inputs ?? 1, 1)
    const beside = `${Math.round(size / sent)} bytes of log each`
    rates.push({ name: `${mode}, entered again after a crash`, value: Math.round(each), unit: 'µs/tx', beside })
  }
  rmSync(folder, { recursive: true })
  return rates
}
