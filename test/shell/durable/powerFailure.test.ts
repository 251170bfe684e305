import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import test from 'ava'
import { importTap } from '../../../src/recording/playback/importTap.ts'
import { cometNames } from '../../../src/shell/playback.ts'
import { createRecordingFile } from '../../../src/shell/recordingFile.ts'
import { loadPack, packBreaks, savePack } from '../../../src/shell/recordings/packFile.ts'
import { openSink } from '../../../src/shell/recordings/sink.ts'
import { openGrowingFile } from '../../../src/shell/durable/growingFile.ts'
import { lockPath } from '../../../src/shell/durable/lock.ts'
import { restoreFolder } from '../../../src/shell/durable/part.ts'
import { replaceFolder } from '../../../src/shell/durable/replaceFolder.ts'
import { openLog } from '../../../src/shell/instances.ts'
import { writeFileAtExit, writeFileWhole, writeNewFile } from '../../../src/shell/durable/writeFile.ts'
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

const traffic = ['wallet', 'mixed'].map((name) =>
  importTap(
    readFileSync(fileURLToPath(new URL(`../../../../test/recording/traffic/${name}.jsonl`, import.meta.url)), 'utf8'),
    cometNames,
  ),
)
const origin = { version: '1', recordedAt: '2026-01-01T00:00:00Z', level: 0 } as const
const pack = '/a/b/run.pack'

/** Writes one of two recordings. */
const packing = (which: number) => (disk: MemoryDisk) => {
  const library = traffic[which]
  if (library === undefined) throw new Error(`there are two recordings, no ${which}`)
  return savePack(pack, library, origin, disk)
}

test('a power failure at any operation leaves the old packed recording or the new one', async (t) => {
  const [old, next] = traffic.map(({ answers }) => answers.size)
  t.not(old, next)
  const operations = await atEveryOperation(packing(0), packing(1), async ({ disk, isDone, where }) => {
    t.deepEqual(packBreaks(pack, disk), [], where)
    const found = loadPack(pack, disk).answers.size
    t.true(found === next || (found === old && !isDone), `${where}: ${found} answers`)
  })
  t.true(operations > 10)
})

test('a packed recording does not replace the old one on a full disk or after a failed sync', async (t) => {
  const disk = createMemoryDisk(drawFrom(3), { shortWrites: 2 })
  await packing(0)(disk)
  const before = disk.files()
  for (const trouble of [{ capacity: (before[pack] ?? '').length + 5000 }, { failedSyncs: 1 }]) {
    disk.fail({ capacity: Infinity, failedSyncs: 0, ...trouble })
    await t.throwsAsync(packing(1)(disk), { code: 'CANNOT_WRITE' }, JSON.stringify(trouble))
    t.deepEqual(disk.files(), before)
  }
})

const recorded = '/a/b/recording.jsonl'
const texts = ['header', 'one', 'two', 'three', ''].join('\n')

test('a power failure at any operation leaves whole lines of a recording, or a torn last one, and no lock', async (t) => {
  const work = async (disk: MemoryDisk) => {
    const file = createRecordingFile(recorded, disk)
    file.note('one')
    file.begin('header')
    file.note('two')
    file.note('three')
    file.end()
  }
  const operations = await atEveryOperation(
    () => Promise.resolve(),
    work,
    async ({ disk, isDone, where }) => {
      const { [recorded]: found = '' } = disk.files()
      const sound = found.replace(/\0+$/, '')
      t.true(isDone ? found === texts : texts.startsWith(sound), `${where}: ${found}`)
      createRecordingFile(recorded, disk).end()
    },
  )
  t.true(operations > 8)
})

test('a recording that cannot be written says so when it ends, and is unlocked', async (t) => {
  const disk = createMemoryDisk(drawFrom(4))
  const file = createRecordingFile(recorded, disk)
  file.begin('header')
  disk.fail({ capacity: 400 })
  file.note('x'.repeat(1000))
  t.true(file.failed.aborted)
  t.throws(file.end, { code: 'CANNOT_WRITE', message: /ENOSPC/ })
  disk.fail({ capacity: Infinity })
  const again = createRecordingFile(recorded, disk)
  again.begin('again')
  again.end()
  t.deepEqual(disk.files(), { [recorded]: 'again\n' })
})

test('a recording of a real node that cannot be written throws the error of the disk', (t) => {
  const disk = createMemoryDisk(drawFrom(5), { capacity: 10 })
  t.throws(() => openSink(recorded, [], disk), { code: 'CANNOT_WRITE', message: /ENOSPC/ })
})

test('a power failure at any operation of an exit leaves the old exit code, the new one or none', async (t) => {
  const path = '/a/b/1.log.exit'
  const write = (code: string) => async (disk: MemoryDisk) => writeFileAtExit(path, code, disk)
  const operations = await atEveryOperation(
    async (disk) => {
      await writeFileWhole('/a/b/1.log', 'log', disk)
      await write('130')(disk)
    },
    write('1'),
    async ({ disk, isDone, where }) => {
      const { [path]: found } = disk.files()
      t.true(found === '1' || (found === '130' && !isDone), `${where}: ${found}`)
    },
  )
  t.true(operations > 4)
})

test('an exit code that does not fit on the disk leaves the old file and nothing else', async (t) => {
  const disk = createMemoryDisk(drawFrom(6))
  await writeFileWhole('/f', 'old', disk)
  disk.fail({ capacity: 3 })
  t.throws(() => writeFileAtExit('/f', '7', disk), { code: 'CANNOT_WRITE', message: /ENOSPC/ })
  disk.fail({ capacity: Infinity, failedSyncs: 1 })
  t.throws(() => writeFileAtExit('/f', '7', disk), { code: 'CANNOT_WRITE', message: /EIO/ })
  t.deepEqual(disk.files(), { '/f': 'old' })
})

test('the log of a detached chain is made with its folder, emptied, and not opened through a link', async (t) => {
  const disk = createMemoryDisk(drawFrom(7))
  const first = await openLog('/state/instances/1.log', disk)
  await first.write(Buffer.from('old'))
  await first.close()
  const second = await openLog('/state/instances/1.log', disk)
  t.deepEqual(disk.files(), { '/state/instances/1.log': '' })
  t.is((await disk.lstat('/state/instances/1.log')).mode & 0o777, 0o600)
  disk.fail({ capacity: 2 })
  await t.throwsAsync(
    async () => {
      await second.write(Buffer.from('longer'))
      await second.write(Buffer.from('longer'))
    },
    { code: 'ENOSPC' },
  )
  await disk.symlink('/etc/passwd', '/state/instances/2.log')
  await t.throwsAsync(openLog('/state/instances/2.log', disk), { code: 'CANNOT_WRITE', message: /ELOOP/ })
})

test('a new file is whole or missing after a power failure at any operation', async (t) => {
  const path = '/a/b/new.json5'
  await atEveryOperation(
    () => Promise.resolve(),
    (disk) => writeNewFile(path, 'text', disk),
    async ({ disk, isDone, where }) => {
      const { [path]: found } = disk.files()
      if (isDone) t.is(found, 'text', where)
    },
  )
})
