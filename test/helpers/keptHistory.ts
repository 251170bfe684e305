/** A chain whose old blocks leave memory, on a disk whose power fails. */
import type { ExecutionContext } from 'ava'
import { keepsAll, recordAt, stateAt } from '../../src/chain/history.ts'
import { heldIn } from '../../src/chain/heldHistory.ts'
import { eventKey } from '../../src/chain/indexing.ts'
import { recordByHash, txByHash } from '../../src/chain/lookups.ts'
import { numbersOf } from '../../src/data/appendIndex.ts'
import { openFileLog, type FileLog } from '../../src/shell/inputLog/fileLog.ts'
import { moveHistory, referring } from '../../src/shell/inputLog/storedHistory.ts'
import { bytesOfState, stateBytes, simulationInFile } from '../../src/shell/stateFile.ts'
import type { Simulation } from '../../src/simulation/turn.ts'
import { KvSimulation } from './kvSimulation.ts'
import { createMemoryDisk, type DiskFaults, type MemoryDisk } from './memoryDisk.ts'
import { drawFrom } from './randomTx.ts'

/** A chain at three heights, as bytes: each simulation that is read from them has all chunks in memory. */
export const stages = (() => {
  const chain = new KvSimulation()
  Object.assign(chain.world, { retention: { ...keepsAll, open: 0 } })
  return [140, 130, 130].map((count) => {
    chain.command({ type: 'submitTx', tx: new TextEncoder().encode(`k=${count}${chain.height}`), mode: 'admit' })
    chain.command({ type: 'produceBlock', count })
    return stateBytes(chain.simulation)
  })
})() as [Buffer, Buffer, Buffer]

/** Returns how many chunks of old blocks and states are in memory. */
export const inMemory = ({ node }: Simulation) =>
  [...heldIn(node.chain.history)].filter(({ bytes }) => bytes instanceof Uint8Array).length

/** Returns everything about some old heights, and how the indexes find them. */
export function seen({ node: { chain } }: Simulation) {
  const { history } = chain
  return [1, 2, 100, 128, 129, 250, 390].flatMap((height) => {
    const [record, state] = [recordAt(history, BigInt(height)), stateAt(history, BigInt(height))]
    if (record === undefined) return []
    const found = [
      recordByHash(history, record.id.hash)?.block.header.height,
      ...record.txs.map(({ hash }) => txByHash(history, hash)?.height),
      numbersOf(history.blockEvents, eventKey('block.height', String(height))),
    ]
    return [Buffer.from(record.id.hash).toString('hex'), state?.height, record.txs.length, found]
  })
}

/** Resolves when something is done. */
export const until = async (isDone: () => boolean) => {
  for (let turn = 0; turn < 1000 && !isDone(); turn++) {
    await new Promise((go) => {
      setTimeout(go, 2)
    })
  }
}

/** Moves old blocks as the keeper does after an input. */
export async function led(log: FileLog, to: Simulation): Promise<void> {
  await until(() => {
    moveHistory(log.history, to)
    return inMemory(to) === 0
  })
}

/** Keeps the chain at three heights, and ends as a home does. */
async function life(log: FileLog, told: { kept: number }): Promise<void> {
  for (const [index, bytes] of stages.entries()) {
    const simulation = simulationInFile(bytes)
    await log.shorten({ sequence: 2 * index + 1, bytes: index === 0 ? bytes : kept(log, simulation) })
    told.kept = index + 1
    await led(log, simulation)
    await log.append({ sequence: 2 * index + 2, text: 'moved' })
    await log.shorten({ sequence: 2 * index + 2, bytes: kept(log, simulation) })
    if (index === 2) await log.finish(kept(log, simulation))
  }
}

function kept(log: FileLog, simulation: Simulation): Buffer {
  const { state, parts } = referring(simulation, log.history)
  return bytesOfState(state, parts)
}

const expected = stages.map((bytes) => seen(simulationInFile(bytes)))

async function crashed(seed: number, faults: Partial<DiskFaults>) {
  const disk = createMemoryDisk(drawFrom(seed), faults)
  const told = { kept: 0 }
  const done = openFileLog('/home/chain.state', { disk })
    .then((log) => life(log, told))
    .catch((error: unknown) => {
      if ((error as { code?: unknown }).code !== 'CANNOT_WRITE') throw error
    })
  await Promise.race([done, disk.crashed])
  return { disk, told }
}

/** Returns which of the three chains a disk leads to, 0 for none. */
async function found(disk: MemoryDisk): Promise<number> {
  const log = await openFileLog('/home/chain.state', { disk })
  const snapshot = await log.snapshot()
  await log.close()
  if (snapshot === undefined) return 0
  const simulation = simulationInFile(Buffer.from(snapshot.bytes), log.history.at)
  return expected.findIndex((one) => JSON.stringify(one, text) === JSON.stringify(seen(simulation), text)) + 1
}

const text = (_key: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value)

/**
 * Fails if a chain that was kept is not found after a power failure, which loses what was not
 * synced. Returns which of the three chains is found, 0 for none.
 */
export async function assertKept(t: ExecutionContext, seed: number, faults: Partial<DiskFaults>): Promise<number> {
  const { disk, told } = await crashed(seed, faults)
  const after = disk.afterCrash()
  const which = await found(after)
  t.true(which >= told.kept, `seed ${seed}: chain ${told.kept} was kept, ${which} is found`)
  t.is(await found(after.afterCrash()), which, `seed ${seed}, once more`)
  return which
}
