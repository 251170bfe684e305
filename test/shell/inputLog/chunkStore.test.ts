import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import type { StoredBytes } from '../../../src/data/segments.ts'
import { partPath, type PartSize } from '../../../src/shell/inputLog/chunkPlace.ts'
import { type Disk, systemDisk } from '../../../src/shell/durable/disk.ts'
import { openChunkStore, type ChunkStore } from '../../../src/shell/inputLog/chunkStore.ts'
import { scratch } from '../../helpers/cli.ts'

const folderOf = () => join(scratch(), 'chain.history')
const bytesOf = (text: string) => new TextEncoder().encode(text)
const textOf = (stored: StoredBytes) => new TextDecoder().decode(stored.load())

/** Writes chunks; a chunk that is not taken is offered again, as the keeper does with the next block. */
async function written(store: ChunkStore, texts: readonly string[]): Promise<StoredBytes[]> {
  const all: StoredBytes[] = []
  for (const text of texts) {
    let stored = store.add(bytesOf(text))
    for (let tries = 0; stored === undefined && tries < 200; tries++) {
      await new Promise((go) => {
        setTimeout(go, 5)
      })
      stored = store.add(bytesOf(text))
    }
    if (stored === undefined) throw new Error(`${text} was not taken`)
    all.push(stored)
  }
  return all
}

/** What a snapshot says about these chunks. */
function referredBy(store: ChunkStore, chunks: readonly StoredBytes[]) {
  const places = chunks.map((one) => store.placeOf(one)!)
  return { places, parts: store.sizesOf(new Set(places.map(({ part }) => part))) }
}

test('chunks are read back from where they are, also after the store is opened again', async (t) => {
  const folder = folderOf()
  const store = await openChunkStore(folder, [], { partBytes: 10 })
  const texts = ['first', 'second', 'third', 'fourth']
  const chunks = await written(store, texts)
  t.deepEqual(chunks.map(textOf), texts)
  const { places, parts } = referredBy(store, chunks)
  t.deepEqual(readdirSync(folder), ['000001', '000002'])
  await store.sync()
  await store.close()
  t.is(store.add(bytesOf('late')), undefined)
  const again = await openChunkStore(folder, parts, { partBytes: 100 })
  t.deepEqual(
    places.map((place) => textOf(again.at(place))),
    texts,
  )
  const [more] = await written(again, ['more'])
  t.is(textOf(more!), 'more')
  t.is(again.placeOf(more!)?.part, 2)
  await again.close()
})

test('what no snapshot refers to is removed by the next start', async (t) => {
  const folder = folderOf()
  const store = await openChunkStore(folder, [], { partBytes: 10 })
  const [first] = await written(store, ['first'])
  const { places, parts } = referredBy(store, [first!])
  await written(store, ['torn by a crash', 'in a later part'])
  await store.close()
  const again = await openChunkStore(folder, parts)
  t.deepEqual(readdirSync(folder), ['000001'])
  t.is(readFileSync(partPath(folder, 1), 'utf8'), 'first')
  t.is(textOf(again.at(places[0]!)), 'first')
  await again.remove()
  t.throws(() => readdirSync(folder), { code: 'ENOENT' })
})

test('a part leaves the disk when two snapshots in a row do not refer to it, and not before', async (t) => {
  const folder = folderOf()
  const store = await openChunkStore(folder, [], { partBytes: 4 })
  const chunks = await written(store, ['one!', 'two!', 'three', 'four!'])
  const keep = (kept: readonly StoredBytes[]) => store.keepOnly(referredBy(store, kept).parts)
  await keep(chunks)
  await keep(chunks.slice(2))
  t.is(textOf(chunks[0]!), 'one!')
  await keep(chunks.slice(2))
  t.deepEqual(readdirSync(folder), ['000003', '000004'])
  t.deepEqual(chunks.slice(2).map(textOf), ['three', 'four!'])
  t.throws(() => chunks[0]!.load(), { code: 'BROKEN_HISTORY' })
  await store.close()
})

test('damage is an error that names the file, and nothing else is removed', async (t) => {
  const folder = folderOf()
  const store = await openChunkStore(folder, [])
  const chunks = await written(store, ['first', 'second'])
  const { parts, places } = referredBy(store, chunks)
  await store.close()
  const path = partPath(folder, 1)
  writeFileSync(path, 'firsXsecond')
  const damaged = await openChunkStore(folder, parts)
  t.throws(() => damaged.at(places[0]!).load(), {
    code: 'BROKEN_HISTORY',
    message: /the 5 bytes at 0 are damaged; restore a copy of it$/,
  })
  t.is(textOf(damaged.at(places[1]!)), 'second')
  await damaged.close()
  truncateSync(path, 8)
  const short = (shown: readonly PartSize[]) => openChunkStore(folder, shown)
  await t.throwsAsync(short(parts), { code: 'BROKEN_HISTORY', message: /expected at least 11 bytes, found 8/ })
  appendFileSync(path, 'ond')
  await (await short(parts)).close()
  await t.throwsAsync(short([...parts, { part: 2, bytes: 1 }]), {
    code: 'BROKEN_HISTORY',
    message: /000002: file not found/,
  })
})

test('a file in place of the folder, and a folder in place of a part, are errors that name them', async (t) => {
  const folder = folderOf()
  const parts = [{ part: 1, bytes: 9 }]
  writeFileSync(folder, 'a file')
  const found = { code: 'BROKEN_HISTORY', message: `${folder}: expected a folder, found a file; restore a copy of it` }
  await t.throwsAsync(openChunkStore(folder, []), found)
  await t.throwsAsync(openChunkStore(folder, parts), found)
  rmSync(folder)
  mkdirSync(partPath(folder, 1), { recursive: true })
  await t.throwsAsync(openChunkStore(folder, parts), {
    code: 'BROKEN_HISTORY',
    message: `${partPath(folder, 1)}: expected a file, found a folder; restore a copy of it`,
  })
})

/** The system's disk, which is full while it is told so: a write leaves a byte, and no file is created. */
function fillingDisk() {
  const is = { full: false }
  const enospc = () => Object.assign(new Error('ENOSPC: no space left'), { code: 'ENOSPC', syscall: 'write' })
  const disk: Disk = {
    ...systemDisk,
    open: (path, flags, mode) =>
      is.full && mode !== undefined ? Promise.reject(enospc()) : systemDisk.open(path, flags, mode),
    now: {
      ...systemDisk.now,
      write: (fd, bytes) => {
        if (!is.full) return systemDisk.now.write(fd, bytes)
        systemDisk.now.write(fd, bytes.subarray(0, 1))
        throw enospc()
      },
    },
  }
  return { is, disk }
}

test('after a full disk has room again, chunks are written and found, and each failure was logged once', async (t) => {
  const folder = folderOf()
  const { is, disk } = fillingDisk()
  const log: string[] = []
  const store = await openChunkStore(folder, [], { disk, say: (_level, text) => log.push(text) })
  const pause = () =>
    new Promise((go) => {
      setTimeout(go, 20)
    })
  const refused = async (text: string) => {
    is.full = true
    for (let tries = 0; tries < 5; tries++) {
      t.is(store.add(bytesOf(text)), undefined)
      await pause()
    }
    is.full = false
  }
  const chunks = await written(store, ['first', 'second'])
  await refused('third')
  t.is(log.length, 1)
  t.regex(log[0] ?? '', /^old blocks stay in memory: cannot write .*chain\.history: the disk is full \(ENOSPC\)$/)
  chunks.push(...(await written(store, ['third'])))
  // This time the next part exists already, and has no chunk when the disk is full again.
  is.full = true
  t.is(store.add(bytesOf('fourth')), undefined)
  is.full = false
  t.is(store.add(bytesOf('fourth')), undefined)
  await pause()
  await refused('fourth')
  chunks.push(...(await written(store, ['fourth'])))
  t.is(log.length, 2)
  const texts = ['first', 'second', 'third', 'fourth']
  t.deepEqual(chunks.map(textOf), texts)
  t.deepEqual(readdirSync(folder), ['000001', '000002', '000003'])
  const { places, parts } = referredBy(store, chunks)
  await store.sync()
  await store.close()
  const again = await openChunkStore(folder, parts)
  t.deepEqual(
    places.map((place) => textOf(again.at(place))),
    texts,
  )
  await again.close()
})
