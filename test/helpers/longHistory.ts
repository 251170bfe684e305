/**
 * A program for `longHistory.full.test.ts` and for measuring by hand: keeps a chain of copied blocks
 * (`copiedBlocks.ts`) in files, and prints a line of JSON at each length that it is told.
 */
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { recordAt, stateAt } from '../../src/chain/history.ts'
import { ethTxPlace, recordByHash, txByHash } from '../../src/chain/lookups.ts'
import { openFileLog } from '../../src/shell/inputLog/fileLog.ts'
import { moveHistory, referring } from '../../src/shell/inputLog/storedHistory.ts'
import { bytesOfState, simulationInFile } from '../../src/shell/stateFile.ts'
import type { Simulation } from '../../src/simulation/turn.ts'
import { beginning, hashAt, lengthened } from './copiedBlocks.ts'
import { inMemory } from './keptHistory.ts'
import { memoryInUse } from './memoryInUse.ts'

/** What is measured at one length; times are in milliseconds. */
export type LengthReport = {
  readonly length: number
  readonly memoryBytes: number
  readonly snapshotBytes: number
  readonly diskBytes: number
  /** The processor time of a block, and the longest time that ten took. */
  readonly blockMs: number
  readonly tenBlocksMostMs: number
  /** At the last length only, because look-ups leave blocks in caches. */
  readonly found?: Found
}

/** How many of the old blocks, transactions and states were found, and the mean time of each kind. */
type Found = {
  readonly reopenMs: number
  readonly blockMs: number
  readonly txMs: number
  readonly ethTxMs: number
  readonly unknownTxMs: number
  readonly count: number
  readonly of: number
}

const slice = 10
const askedEach = 20

async function main(lengths: readonly number[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'chainstage-long-'))
  const path = join(folder, 'chain.state')
  const log = await openFileLog(path, { durability: 'write' })
  let copied = beginning()
  const kept = (simulation: Simulation) => {
    const { state, parts } = referring(simulation, log.history)
    return bytesOfState(state, parts)
  }
  await log.shorten({ sequence: 1, bytes: kept(copied.simulation) })
  for (const length of lengths) {
    const from = Number(copied.simulation.node.chain.height)
    const cpu = process.cpuUsage()
    let most = 0
    for (let height = from; height < length; height += slice) {
      const began = performance.now()
      copied = lengthened(copied, Math.min(slice, length - height))
      moveHistory(log.history, copied.simulation)
      most = Math.max(most, performance.now() - began)
      await new Promise(setImmediate)
    }
    const { user, system } = process.cpuUsage(cpu)
    const memoryBytes = await memoryInUse()
    const bytes = kept(copied.simulation)
    const files = readdirSync(`${path}.history`).map((name) => statSync(join(`${path}.history`, name)).size)
    const report: LengthReport = {
      ...{ length, memoryBytes, snapshotBytes: bytes.length },
      diskBytes: files.reduce((sum, size) => sum + size, 0),
      blockMs: (user + system) / 1000 / (length - from),
      tenBlocksMostMs: most,
      ...(length === lengths.at(-1) && { found: lookedUp(() => simulationInFile(bytes, log.history.at), length) }),
    }
    process.stdout.write(`${JSON.stringify(report)}\n`)
    if (inMemory(copied.simulation) > 0) throw new Error('some old blocks are still in memory')
  }
  await log.close()
  rmSync(folder, { recursive: true })
}

function lookedUp(reopened: () => Simulation, length: number): Found {
  const began = performance.now()
  const { history } = reopened().node.chain
  const reopenMs = performance.now() - began
  let count = 0
  const timed = (find: (height: number) => boolean): number => {
    const began = performance.now()
    for (let index = 0; index < askedEach; index++) {
      const height = 10 * Math.ceil((((index * 7919) % 1000) / 1000) * (length / 10 - 100) + 1)
      if (find(height)) count++
    }
    return (performance.now() - began) / askedEach
  }
  const blockMs = timed(
    (height) => recordByHash(history, hashAt(height, 'block'))?.block.header.height === BigInt(height),
  )
  const txMs = timed((height) => txByHash(history, hashAt(height, 'tx'))?.height === BigInt(height))
  const ethTxMs = timed((height) => ethTxPlace(history, hashAt(height, 'ethereum'))?.height === BigInt(height))
  const unknownTxMs = timed((height) => txByHash(history, hashAt(height, 'unknown')) === undefined)
  for (const height of [2000n, BigInt(length / 2)]) {
    if (recordAt(history, height) !== undefined && stateAt(history, height)?.height === height) count++
  }
  return { reopenMs, blockMs, txMs, ethTxMs, unknownTxMs, count, of: 4 * askedEach + 2 }
}

await main(process.argv.slice(2).map(Number))
process.exit()
