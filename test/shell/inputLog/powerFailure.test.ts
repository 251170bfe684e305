import test from 'ava'
import { openFileLog, type FileLog } from '../../../src/shell/inputLog/fileLog.ts'
import { stateBytes } from '../../../src/shell/stateFile.ts'
import { localSimulation } from '../../helpers/ethSimulation.ts'
import { createMemoryDisk, type DiskFaults, type MemoryDisk } from '../../helpers/memoryDisk.ts'
import { drawFrom } from '../../helpers/randomTx.ts'

const path = '/home/data/chain.state'
const [first, second, third] = (() => {
  const chain = localSimulation()
  return [1, 2, 3].map(() => {
    chain.command({ type: 'produceBlock', count: 1 })
    return stateBytes(chain.simulation())
  })
})() as [Buffer, Buffer, Buffer]

/** What a client was told: everything up to this entry is kept. */
type Told = { acknowledged: number; isFinished: boolean; refused: unknown[] }

/** Begins, appends, shortens twice, once while entries are appended, and finishes. */
async function life(log: FileLog, told: Told): Promise<void> {
  const append = async (sequence: number) => {
    await log.append({ sequence, text: `entry ${sequence}` })
    told.acknowledged = Math.max(told.acknowledged, sequence)
  }
  await log.shorten({ sequence: 1, bytes: first })
  told.acknowledged = 1
  await append(2)
  await Promise.all([3, 4].map(append))
  await Promise.all([log.shorten({ sequence: 3, bytes: second }), append(5), append(6)])
  await append(7)
  // The chain is replaced by a saved one.
  await log.shorten({ sequence: 8, bytes: third })
  told.acknowledged = 8
  await append(9)
  await log.finish(second)
  told.isFinished = true
}

/** Returns what a disk leads to: the number of the last entry, and the texts since the snapshot. */
async function found(disk: MemoryDisk) {
  const log = await openFileLog(path, { disk })
  const snapshot = await log.snapshot()
  const texts: string[] = []
  for await (const { sequence, text } of log.read(snapshot?.sequence ?? 0)) texts.push(`${sequence} ${text}`)
  await log.close()
  const bytes = snapshot?.bytes
  const which = bytes === undefined ? 0 : [first, second, third].findIndex((one) => one.equals(bytes)) + 1
  return { last: log.last(), texts, which, base: snapshot?.sequence ?? 0 }
}

async function crashed(seed: number, faults: Partial<DiskFaults>, crashAt: number) {
  const disk = createMemoryDisk(drawFrom(seed), { ...faults, crashAt })
  const told: Told = { acknowledged: 0, isFinished: false, refused: [] }
  const done = openFileLog(path, { disk })
    .then((log) => life(log, told))
    .catch((error: unknown) => told.refused.push(error))
  await Promise.race([done, disk.crashed])
  return { told, disk: disk.afterCrash() }
}

/** Throws where an acknowledged entry is missing or another one than it was. */
function assertKept({ last, texts, which, base }: Awaited<ReturnType<typeof found>>, told: Told): void {
  const isFinished = which === 2 && base === 0
  const ends = isFinished ? 9 : last
  if (ends < told.acknowledged) throw new Error(`entry ${told.acknowledged} was acknowledged, the last one is ${ends}`)
  if (told.isFinished && !isFinished) throw new Error('the state file is not the one that it was finished with')
  const wanted = isFinished ? [] : Array.from({ length: last - base }, (_, index) => base + 1 + index)
  const entries = wanted.map((sequence) => `${sequence} entry ${sequence}`).join()
  if (texts.join() !== entries) throw new Error(`expected entries ${entries}, found ${texts.join()}`)
}

test('a power failure at any operation keeps every acknowledged entry, whatever was not synced', async (t) => {
  const lucks = 5
  const ends = new Set<number>()
  for (let crashAt = 1, isOver = false; !isOver; crashAt++) {
    isOver = true
    for (let luck = 0; luck < lucks; luck++) {
      const { told, disk } = await crashed(crashAt * lucks + luck, { shortWrites: 4 }, crashAt)
      t.deepEqual(told.refused, [])
      isOver &&= told.isFinished
      const after = await found(disk)
      ends.add(after.last)
      t.notThrows(() => assertKept(after, told), `operation ${crashAt}, luck ${luck}`)
      // A second failure while it is opened again changes nothing.
      t.deepEqual(await found(disk.afterCrash()), after, `operation ${crashAt}, luck ${luck}, once more`)
    }
  }
  t.true(ends.size >= 8, `only ${[...ends].join()} were seen`)
})

test('after a sync that failed, and on a full disk, nothing is acknowledged that a power failure takes', async (t) => {
  const refusals = new Set<unknown>()
  for (let seed = 0; seed < 300; seed++) {
    const draw = drawFrom(seed)
    const faults: Partial<DiskFaults> =
      seed % 2 === 0 ? { failedSyncs: 2 + draw(20) } : { capacity: 2 * first.length + draw(4000) }
    const { told, disk } = await crashed(seed, { ...faults, shortWrites: 4 }, Infinity)
    for (const { code } of told.refused as { code?: unknown }[]) refusals.add(code)
    const after = await found(disk)
    t.notThrows(() => assertKept(after, told), `seed ${seed}`)
  }
  t.deepEqual([...refusals], ['CANNOT_WRITE'])
})

test('a disk that loses a rename, or does not sync, is found out', async (t) => {
  const lying = (disk: MemoryDisk, isHit: (flags: number) => boolean) => ({
    ...disk,
    open: async (...[at, flags, mode]: Parameters<MemoryDisk['open']>) => {
      const file = await disk.open(at, flags, mode)
      return isHit(flags) ? { ...file, sync: () => Promise.resolve(), datasync: () => Promise.resolve() } : file
    },
  })
  for (const isHit of [(flags: number) => flags === 0, (flags: number) => flags !== 0]) {
    const broken: number[] = []
    for (let seed = 0; seed < 200 && broken.length === 0; seed++) {
      const disk = createMemoryDisk(drawFrom(seed), { crashAt: 20 + (seed % 120) })
      const told: Told = { acknowledged: 0, isFinished: false, refused: [] }
      const done = openFileLog(path, { disk: lying(disk, isHit) }).then((log) => life(log, told))
      await Promise.race([done, disk.crashed])
      await found(disk.afterCrash())
        .then((after) => assertKept(after, told))
        .catch(() => broken.push(seed))
    }
    t.is(broken.length, 1)
  }
})
