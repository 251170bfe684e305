/** Packed files, HAR, merging and pruning of the recorded clients' traffic. */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deflateRawSync } from 'node:zlib'
import { fileURLToPath } from 'node:url'
import test from 'ava'
import { differencesOf } from '../../../src/recording/folder/differences.ts'
import { mergeLibraries } from '../../../src/recording/folder/merge.ts'
import { pruned } from '../../../src/recording/folder/prune.ts'
import { BadRecording, type RecordingFiles } from '../../../src/recording/folder/files.ts'
import { breaksOf } from '../../../src/recording/folder/manifest.ts'
import { recordingSummary } from '../../../src/recording/folder/summary.ts'
import { writeFolder } from '../../../src/recording/folder/writeFolder.ts'
import { toHar } from '../../../src/recording/har/toHar.ts'
import { magic } from '../../../src/recording/pack/format.ts'
import type { Library } from '../../../src/recording/playback/library.ts'
import { createPlayer } from '../../../src/recording/playback/player.ts'
import { loadLibrary, originOf, saveLibrary } from '../../../src/shell/recordings/folderFiles.ts'
import { importFile } from '../../../src/shell/recordings/importFile.ts'
import { loadPack, packBreaks, savePack } from '../../../src/shell/recordings/packFile.ts'
import { cli, main, scratch } from '../../helpers/cli.ts'
import { askUntil } from '../../helpers/tap.ts'

const traffic = (name: string) =>
  fileURLToPath(new URL(`../../../../test/recording/traffic/${name}.jsonl`, import.meta.url))
const origin = { version: '1', recordedAt: '2026-01-01T00:00:00Z', level: 0 } as const

function said({ answers, streams, ...rest }: Library): unknown {
  const lists = [...answers.keys()]
    .toSorted()
    .map((key) => [key, answers.get(key)?.map(({ since, answer }) => ({ since, answer }))])
  return { ...rest, streams: [...streams].toSorted(), lists }
}

const packed = test.macro(async (t, name: string) => {
  const library = await loadLibrary(traffic(name))
  const file = join(scratch(), `${name}.pack`)
  await savePack(file, library, origin)
  t.deepEqual(said(loadPack(file)), said(library))
  t.deepEqual(packBreaks(file), [])
  t.is(loadPack(file).answers.get('eth eth_never []'), undefined)
})

for (const name of ['token', 'cosmos', 'mixed']) {
  test(`the packed form of ${name} says what the traffic said`, packed, name)
}

const damaged = test.macro(async (t, change: (bytes: Buffer) => Buffer, message: RegExp) => {
  const file = join(scratch(), 'damaged.pack')
  await savePack(file, await loadLibrary(traffic('token')), origin)
  writeFileSync(file, change(readFileSync(file)))
  t.regex(packBreaks(file).join(), message)
  t.throws(() => [...loadPack(file).answers.keys()], { code: 'INVALID_RECORDING' })
})

test(
  'a flipped byte in a packed file is found',
  damaged,
  (bytes) => {
    bytes[100] = (bytes[100] ?? 0) ^ 1
    return bytes
  },
  /chunk 0 at byte 16/,
)
test('a packed file whose index unpacks to too much is refused', (t) => {
  const path = join(scratch(), 'bomb.pack')
  const [start, bomb] = [Buffer.from(magic), deflateRawSync(Buffer.alloc(257 * 1024 * 1024))]
  const numbers = [start.length, bomb.length].map((number) => number.toString(16).padStart(8, '0')).join('')
  writeFileSync(path, Buffer.concat([start, bomb, Buffer.from(`${numbers}${'0'.repeat(64)}${magic}`)]))
  t.throws(() => loadPack(path), {
    code: 'INVALID_RECORDING',
    message: /the index unpacks to more than 268435456 bytes/,
  })
})

test('a packed file that is cut off is found', damaged, (bytes) => bytes.subarray(0, -10), /truncated/)

test('HAR that was written is read again', async (t) => {
  const library = await loadLibrary(traffic('token'))
  const file = join(scratch(), 'token.har')
  writeFileSync(file, toHar(library, { version: '1', timeOf: (ms) => new Date(ms).toISOString() }))
  const { library: read, withheld } = await importFile(file, `${file}.log`)
  t.deepEqual(withheld, [])
  const { onlyFirst, changed } = differencesOf(library, read)
  t.deepEqual(
    onlyFirst.filter((key) => !key.includes('Filter')),
    [],
  )
  t.deepEqual(
    changed.map(({ key, first, second }) => [key, first?.text, second?.text]).filter(([, a, b]) => a !== b),
    [],
  )
})

test('a recording that was HAR in between lasts as long, and plays to its end', async (t) => {
  const library = await loadLibrary(traffic('token'))
  const file = join(scratch(), 'times.har')
  writeFileSync(file, toHar(library, { version: '1', timeOf: (ms) => new Date(ms).toISOString() }))
  const { library: read } = await importFile(file, `${file}.log`)
  t.true(Math.abs(recordingSummary(read).lastsMs - recordingSummary(library).lastsMs) < 100)
  t.deepEqual(
    read.heads.map(({ height }) => height),
    library.heads.map(({ height }) => height),
  )
  const shift = (read.heads[0]?.at ?? 0) - (library.heads[0]?.at ?? 0)
  for (const [index, { at }] of read.heads.entries()) {
    t.true(Math.abs(at - shift - (library.heads[index]?.at ?? 0)) < 100, `block ${index}`)
  }
  t.deepEqual(
    read.writes.map(({ key }) => key),
    library.writes.map(({ key }) => key),
  )
  const player = createPlayer(read)
  for (const { key, answer } of library.writes) {
    const receipt = `eth eth_getTransactionReceipt [${answer.ok === true ? answer.text : ''}]`
    const { at } = askUntil(player, key, 0)
    const found = askUntil(player, receipt, at)
    t.true(found.answer?.ok === true && found.answer.text !== 'null', key.slice(0, 80))
  }
})

test('pack, unpack, merge and prune keep when and how a recording was made', async (t) => {
  const folder = join(scratch(), 'kept')
  const made = { ...origin, recordedAt: '2026-02-03T04:05:06Z', level: 1 } as const
  await saveLibrary(folder, await loadLibrary(traffic('token')), made)
  const [one, two, again, both] = ['one.pack', 'two.pack', 'again', 'both'].map((name) => join(folder, '..', name)) as [
    string,
    string,
    string,
    string,
  ]
  for (const words of [
    ['pack', folder, '--out', one],
    ['pack', folder, '--out', two],
    ['unpack', one, '--out', again],
    ['merge', folder, again, '--out', both],
    ['prune', folder, '--heights', '1..999', '--out', `${both}2`],
  ])
    await cli(['recording', ...words])
  t.deepEqual(readFileSync(one), readFileSync(two))
  for (const path of [one, again, both, `${both}2`]) {
    t.like(await originOf(path), { recordedAt: made.recordedAt, level: 1 }, path)
  }
})

test('pack says which patches and rules it leaves out', async (t) => {
  const folder = join(scratch(), 'patched')
  await saveLibrary(folder, await loadLibrary(traffic('token')), origin)
  writeFileSync(join(folder, 'rules.json5'), '{}')
  const { code, err } = await cli(['recording', 'pack', folder])
  t.is(code, 0, err)
  t.regex(err, /rules\.json5 is not in the packed file: play the folder to use it/)
  t.notRegex(err, /patches/)
})

test('a flipped bit anywhere in the first file of a folder is found', async (t) => {
  const files = writeFolder(await loadLibrary(traffic('wallet')), origin)
  const bytes = Buffer.from(files.get('manifest.json') ?? '')
  t.deepEqual(breaksOf(files), [])
  for (let at = 0; at < bytes.length; at++) {
    const flipped = Buffer.from(bytes)
    flipped[at] = (flipped[at] ?? 0) ^ (1 << (at % 7))
    const changed = new Map([...files, ['manifest.json', flipped.toString('utf8')]])
    const isSame = isSameJson(flipped.toString('utf8'), bytes.toString('utf8'))
    t.true(isSame || isRefused(changed), `byte ${at}: ${flipped.toString('latin1', at - 9, at + 9)}`)
  }
})

function isRefused(files: RecordingFiles): boolean {
  try {
    return breaksOf(files).length > 0
  } catch (error) {
    return error instanceof BadRecording
  }
}

/** A blank for another one changes nothing. */
function isSameJson(a: string, b: string): boolean {
  try {
    return JSON.stringify(JSON.parse(a)) === JSON.stringify(JSON.parse(b))
  } catch {
    return false
  }
}

test('pruning keeps what was used and what was true at the heights', async (t) => {
  const library = await loadLibrary(traffic('token'))
  const used = new Set(['eth eth_blockNumber []'])
  const { library: kept, removed } = pruned(library, { used, heights: [0, Infinity] })
  t.deepEqual([...kept.answers.keys()], [...used])
  t.is(removed.length, library.answers.size + library.streams.size - 1)
  const [, middle = { height: 0 }] = library.heads
  const { library: late } = pruned(library, { used: undefined, heights: [middle.height, Infinity] })
  t.is(late.heads[0]?.height, middle.height)
})

test('a recording merged with itself is itself, and two that say different things are refused', async (t) => {
  const library = await loadLibrary(traffic('token'))
  t.deepEqual(differencesOf(library, mergeLibraries(library, library, 'refuse')), {
    onlyFirst: [],
    onlySecond: [],
    changed: [],
  })
  const [key = ''] = library.answers.keys()
  const other: Library = {
    ...library,
    answers: new Map([[key, [{ since: -Infinity, answer: { ok: true, text: '"0x1"' }, count: 1 }]]]),
  }
  t.throws(() => mergeLibraries(library, other, 'refuse'), { code: 'MERGE_CONFLICT' })
  const merged = mergeLibraries(library, other, 'second')
  t.like(differencesOf(library, merged), { changed: [{ key, second: { text: '"0x1"' } }] })
})

test('git merges two branches that recorded different calls, and the result is sealed', async (t) => {
  const folder = scratch()
  const path = join(folder, 'snap')
  const git = (...words: string[]) =>
    execFileSync('git', words, {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        GIT_AUTHOR_NAME: 'a',
        GIT_AUTHOR_EMAIL: 'a@b',
        GIT_COMMITTER_NAME: 'a',
        GIT_COMMITTER_EMAIL: 'a@b',
      },
    })
  const library = await loadLibrary(traffic('token'))
  const without = (pattern: RegExp): Library => ({
    ...library,
    answers: new Map(
      [...library.answers.keys()]
        .filter((key) => !pattern.test(key))
        .map((key) => [key, library.answers.get(key) ?? []]),
    ),
  })
  const commit = async (one: Library, text: string) => {
    await saveLibrary(path, one, origin)
    git('add', '-A')
    git('commit', '-qm', text)
  }
  git('init', '-q', '-b', 'one')
  git('config', 'merge.chainstage.driver', `"${process.execPath}" "${main}" recording merge-driver %O %A %B %P`)
  await commit(without(/eth_call|eth_getBalance/), 'base')
  git('checkout', '-qb', 'two')
  await commit(without(/eth_call/), 'two')
  git('checkout', '-q', 'one')
  await commit(without(/eth_getBalance/), 'one')
  git('merge', '-q', 'two')
  const sealed = await cli(['recording', 'merge', path, '--out', path])
  t.is(sealed.code, 0, sealed.err)
  t.deepEqual(differencesOf(library, await loadLibrary(path)), { onlyFirst: [], onlySecond: [], changed: [] })
  t.is((await cli(['recording', 'verify', path])).code, 0)
})
