import test from 'ava'
import { openGrowingFile } from '../../../src/shell/durable/growingFile.ts'
import { lockPath } from '../../../src/shell/durable/lock.ts'
import { restoreFolder } from '../../../src/shell/durable/part.ts'
import { replaceFolder } from '../../../src/shell/durable/replaceFolder.ts'
import { writeFileWhole } from '../../../src/shell/durable/writeFile.ts'
import { createMemoryDisk, type MemoryDisk } from '../../helpers/memoryDisk.ts'
import { drawFrom } from '../../helpers/randomTx.ts'

type Crash = { readonly disk: MemoryDisk; readonly isDone: boolean; readonly where: string }

/**
 * Fails the power before each operation of some work in turn, several times with other luck, and
 * looks at what is left. Returns how many operations there are.
 */
async function atEveryOperation(
  prepare: (disk: MemoryDisk) => Promise<unknown>,
  work: (disk: MemoryDisk) => Promise<unknown>,
  look: (crash: Crash) => Promise<void>,
): Promise<number> {
  for (let operation = 1; ; operation++) {
    let ended = 0
    for (let luck = 0; luck < lucks; luck++) {
      const before = createMemoryDisk(drawFrom(operation * lucks + luck), { shortWrites: 3 })
      await prepare(before)
      before.fail({ crashAt: before.operations() + operation })
      const done = work(before).then(
        () => true,
        (error: unknown) => {
          if (before.hasCrashed()) return false
          throw error
        },
      )
      const isDone = await Promise.race([done, before.crashed.then(() => false)])
      if (isDone) ended += 1
      await look({ disk: before.afterCrash(), isDone, where: `operation ${operation}, luck ${luck}` })
    }
    if (ended === lucks) return operation - 1
  }
}

const lucks = 6
const rec = '/a/b/rec'
const ours = { isOwn: (path: string) => path === 'one.json' || path.startsWith('blocks/') }

test('a power failure at any operation leaves the old file or the new one', async (t) => {
  const path = '/a/b/file'
  const write = (text: string) => (disk: MemoryDisk) => writeFileWhole(path, text, disk)
  const operations = await atEveryOperation(write('old'), write('newer'), async ({ disk, isDone, where }) => {
    const { [path]: found } = disk.files()
    t.true(found === 'newer' || (found === 'old' && !isDone), `${where}: ${found}`)
    await writeFileWhole(path, 'next', disk)
    t.deepEqual(disk.files(), { [path]: 'next' }, `${where}: leftovers`)
  })
  t.true(operations > 5)
})

test('a file in folders that are made for it is there when it is written', async (t) => {
  const path = '/a/b/c/file'
  await atEveryOperation(
    () => Promise.resolve(),
    (disk) => writeFileWhole(path, 'text', disk),
    async ({ disk, isDone, where }) => {
      const { [path]: found } = disk.files()
      t.true(found === 'text' || (found === undefined && !isDone), `${where}: ${found}`)
    },
  )
})

test('a power failure at any operation leaves the old folder or the new one, and what is not ours', async (t) => {
  const prepare = async (disk: MemoryDisk) => {
    await replaceFolder(
      rec,
      new Map([
        ['one.json', '1'],
        ['blocks/1.json', '2'],
      ]),
      { ...ours, disk },
    )
    await writeFileWhole(`${rec}/hand/own.json5`, 'own', disk)
  }
  const work = (disk: MemoryDisk) => replaceFolder(rec, new Map([['one.json', '3']]), { ...ours, disk })
  const old = { 'one.json': '1', 'blocks/1.json': '2', 'hand/own.json5': 'own' }
  const next = { 'one.json': '3', 'hand/own.json5': 'own' }
  const operations = await atEveryOperation(prepare, work, async ({ disk, isDone, where }) => {
    await restoreFolder(rec, disk)
    const found = Object.fromEntries(
      Object.entries(disk.files()).flatMap(([path, text]) =>
        path.startsWith(`${rec}/`) ? [[path.slice(rec.length + 1), text]] : [],
      ),
    )
    const wanted = found['one.json'] === '3' || isDone ? next : old
    t.deepEqual(found, wanted, where)
    await work(disk)
    t.deepEqual(Object.keys(disk.files()).toSorted(), [`${rec}/hand/own.json5`, `${rec}/one.json`], where)
  })
  t.true(operations > 20)
})

test('a file that grows is on disk when it is closed, with its folders', async (t) => {
  const path = '/a/b/run.jsonl'
  const lines = ['one\n', 'two\n', 'three\n']
  await atEveryOperation(
    () => Promise.resolve(),
    async (disk) => {
      const file = openGrowingFile(path, disk)
      lines.forEach(file.append)
      file.close()
    },
    async ({ disk, isDone, where }) => {
      const { [path]: found = '' } = disk.files()
      if (isDone) t.is(found, lines.join(''), where)
      else t.true(found.length <= lines.join('').length, where)
    },
  )
})

test('the lock of a process that ended with the power is taken over, and one that runs is refused', async (t) => {
  const work = async (disk: MemoryDisk) => {
    lockPath(rec, disk)
  }
  await atEveryOperation(
    () => Promise.resolve(),
    work,
    async ({ disk, where }) => {
      const lock = lockPath(rec, disk)
      t.throws(() => lockPath(rec, disk), { code: 'IN_USE' }, where)
      lock.release()
      lockPath(rec, disk).release()
      t.deepEqual(disk.files(), {}, where)
    },
  )
})

test('a full disk changes nothing, and short writes are carried on', async (t) => {
  const disk = createMemoryDisk(drawFrom(1), { shortWrites: 1 })
  await writeFileWhole('/f', 'a'.repeat(100), disk)
  disk.fail({ capacity: 150 })
  await t.throwsAsync(writeFileWhole('/f', 'b'.repeat(100), disk), { code: 'CANNOT_WRITE', message: /ENOSPC/ })
  await t.throwsAsync(replaceFolder(rec, new Map([['one.json', 'b'.repeat(100)]]), { ...ours, disk }), {
    code: 'CANNOT_WRITE',
  })
  t.deepEqual(disk.files(), { '/f': 'a'.repeat(100) })
  t.is(disk.afterCrash().files()['/f'], 'a'.repeat(100))
})

test('a file whose sync fails does not take the place of the old one', async (t) => {
  const disk = createMemoryDisk(drawFrom(2))
  await writeFileWhole('/f', 'old', disk)
  disk.fail({ failedSyncs: 1 })
  await t.throwsAsync(writeFileWhole('/f', 'new', disk), { code: 'CANNOT_WRITE' })
  t.deepEqual(disk.files(), { '/f': 'old' })
})
