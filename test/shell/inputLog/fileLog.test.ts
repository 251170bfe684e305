import { execFileSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import type { SimError } from '../../../src/errors.ts'
import { type Disk, type DiskFile, systemDisk } from '../../../src/shell/durable/disk.ts'
import { historyPathOf, partPath } from '../../../src/shell/inputLog/chunkPlace.ts'
import { openChunkStore } from '../../../src/shell/inputLog/chunkStore.ts'
import { logPathOf, openFileLog } from '../../../src/shell/inputLog/fileLog.ts'
import { bytesOfState, stateBytes, stateHeader } from '../../../src/shell/stateFile.ts'
import { resting } from '../../../src/simulation/resume.ts'
import { scratch } from '../../helpers/cli.ts'
import { localSimulation } from '../../helpers/ethSimulation.ts'

/** State files that differ; a log asks nothing else of them. */
const states = (() => {
  const chain = localSimulation()
  return Array.from({ length: 3 }, () => {
    chain.command({ type: 'produceBlock', count: 1 })
    return stateBytes(chain.simulation())
  })
})()
const [first, second, third] = states as [Buffer, Buffer, Buffer]

async function read(path: string) {
  const log = await openFileLog(path)
  const snapshot = await log.snapshot()
  const entries: string[] = []
  for await (const { sequence, text } of log.read(snapshot?.sequence ?? 0)) entries.push(`${sequence} ${text}`)
  await log.close()
  return { entries, last: log.last(), snapshot: snapshot?.sequence }
}

/** Returns the path of a state file whose log has entries after it, each acknowledged before the next. */
async function written(texts: readonly string[]): Promise<string> {
  const path = join(scratch(), 'chain.state')
  const log = await openFileLog(path)
  await log.shorten({ sequence: 1, bytes: first })
  let sequence = 1
  for (const text of texts) await log.append({ sequence: ++sequence, text })
  await log.close()
  return path
}

const texts = ['one', '{"a":"ü"}', '', 'x'.repeat(40), 'last']

test('a log that is cut at any byte has every entry that is whole before the cut, and takes the next one', async (t) => {
  const path = await written(texts)
  const logPath = logPathOf(path)
  const whole = readFileSync(logPath)
  const [head] = whole.toString().split('\n')
  for (let size = Buffer.byteLength(head ?? '') + 1; size <= whole.length; size++) {
    writeFileSync(logPath, whole.subarray(0, size))
    const complete = whole.subarray(0, size).toString().split('\n').length - 2
    const found = await read(path)
    t.deepEqual(
      found.entries,
      texts.slice(0, complete).map((text, index) => `${index + 2} ${text}`),
      `cut at ${size}`,
    )
    const log = await openFileLog(path)
    await log.append({ sequence: found.last + 1, text: 'more' })
    await log.close()
    t.is((await read(path)).entries.at(-1), `${found.last + 1} more`, `cut at ${size}`)
  }
})

test('a bit that has changed before an acknowledged entry is an error that says where, and changes nothing', async (t) => {
  const path = await written(texts)
  const logPath = logPathOf(path)
  const whole = readFileSync(logPath)
  // The last line alone may have been torn: nothing later says that it was acknowledged.
  const lastLine = whole.lastIndexOf(10, whole.length - 2) + 1
  const problems = new Set<unknown>()
  for (let at = 0; at < whole.length; at++) {
    const damaged = Buffer.from(whole)
    damaged[at] = (damaged[at] ?? 0) ^ 4
    writeFileSync(logPath, damaged)
    if (at >= lastLine) {
      t.is((await read(path)).last, texts.length, `byte ${at}`)
      continue
    }
    const problem = await t.throwsAsync(read(path), undefined, `byte ${at}`)
    problems.add((problem as { code?: unknown } | undefined)?.code)
    t.deepEqual(readFileSync(logPath), damaged)
  }
  t.deepEqual([...problems], ['BROKEN_LOG'])
  writeFileSync(logPath, Buffer.concat([whole.subarray(0, lastLine - 3), whole.subarray(lastLine)]))
  const { message = '', hint = '' } = (await t.throwsAsync<Error & { hint?: string }>(read(path))) ?? {}
  t.regex(message, /chain\.state\.log: the line at byte \d+, after entry 4, is damaged, and later entries were acknow/)
  const [, size = ''] = /"truncate -s (\d+) /.exec(hint) ?? []
  truncateSync(logPath, Number(size))
  t.deepEqual((await read(path)).entries.length, 3)
})

const obstacle = test.macro(async (t, make: (path: string) => void) => {
  const path = await written(texts)
  const logPath = logPathOf(path)
  rmSync(logPath)
  make(logPath)
  const error = await t.throwsAsync<Error & { hint?: string }>(openFileLog(path), { code: 'BROKEN_LOG' })
  t.is(error?.message, `${logPath}: expected a file, found a folder, a symbolic link or a device`)
  rmSync(logPath, { recursive: true })
  t.deepEqual((await read(path)).entries, [])
})

test('a folder in place of a log is an error that names it', obstacle, mkdirSync)
test('so is a link to nothing', obstacle, (path: string) => {
  symlinkSync('nothing', path)
})

/** A disk that lets nobody open a file. */
const denying = (path: string): Disk => ({
  ...systemDisk,
  open: (one, flags, mode) =>
    one === path
      ? Promise.reject(Object.assign(new Error('EACCES'), { code: 'EACCES', syscall: 'open' }))
      : systemDisk.open(one, flags, mode),
})

test('a log or part of the history without permissions is not answered with another path', async (t) => {
  const path = await written(texts)
  const advice = (error: unknown) => (error as SimError).hint
  const log = await t.throwsAsync(openFileLog(path, { disk: denying(logPathOf(path)) }))
  t.regex(String(advice(log)), /^Correct its permissions/)
  const folder = historyPathOf(path)
  mkdirSync(folder, { recursive: true })
  writeFileSync(partPath(folder, 1), '')
  const opened = openChunkStore(folder, [{ part: 1, bytes: 0 }], { disk: denying(partPath(folder, 1)) })
  const part = await t.throwsAsync(opened, { message: /000001: permission denied/ })
  t.regex(String(advice(part)), /^Correct its permissions/)
})

test('a log that cannot be read is an error that names it', async (t) => {
  const path = await written(texts)
  const logPath = logPathOf(path)
  const disk = denying(logPath)
  await t.throwsAsync(openFileLog(path, { disk }), {
    code: 'CANNOT_WRITE',
    message: `cannot write ${logPath}: permission denied (EACCES)`,
  })
})

const ifPipes = process.platform === 'win32' ? test.skip : test
ifPipes('a named pipe in place of a state file or a log is an error: a start waited for ever', async (t) => {
  const path = await written(texts)
  rmSync(logPathOf(path))
  execFileSync('mkfifo', [logPathOf(path)])
  await t.throwsAsync(openFileLog(path), { code: 'BROKEN_LOG' })
  rmSync(path)
  execFileSync('mkfifo', [path])
  await t.throwsAsync(openFileLog(path), { code: 'BAD_STATE', message: `${path}: expected a file, received a pipe` })
})

test('entries that come together are written together, and a number that does not follow is refused', async (t) => {
  const path = await written([])
  const log = await openFileLog(path)
  await Promise.all(Array.from({ length: 50 }, (_, index) => log.append({ sequence: index + 2, text: 'e' })))
  await t.throwsAsync(log.append({ sequence: 99, text: 'e' }), { code: 'OUT_OF_ORDER' })
  await log.close()
  const acknowledged = readFileSync(logPathOf(path), 'utf8')
    .split('\n')
    .slice(1, -1)
    .map((line) => line.split(' ')[3])
  t.deepEqual([...new Set(acknowledged)], ['1'])
  t.is((await read(path)).entries.length, 50)
})

test('a snapshot shortens the log while entries go on, whatever file a crash leaves unwritten', async (t) => {
  const path = await written(['a', 'b'])
  const logPath = logPathOf(path)
  const log = await openFileLog(path)
  const shortening = log.shorten({ sequence: 2, bytes: second })
  const appended = log.append({ sequence: 4, text: 'c' })
  await Promise.all([shortening, appended])
  const shortened = readFileSync(logPath)
  await log.append({ sequence: 5, text: 'd' })
  await log.close()
  t.like(await read(path), { snapshot: 2, entries: ['3 b', '4 c', '5 d'] })
  t.deepEqual(readFileSync(path), second)
  t.false(shortened.includes(' a\n'))
})

/** Returns a disk or a file that calls `look` before each of its operations. */
function watched<Target extends Disk | DiskFile>(target: Target, look: () => void): Target {
  return new Proxy(target, {
    get(one, key) {
      const operation: unknown = Reflect.get(one, key)
      if (typeof operation !== 'function') return operation
      return (...args: readonly unknown[]) => {
        look()
        const done: unknown = Reflect.apply(operation, one, args)
        return key === 'open' ? (done as Promise<DiskFile>).then((file) => watched(file, look)) : done
      }
    },
  })
}

/** The files of a log at each moment between two of its operations. */
async function moments(work: (log: Awaited<ReturnType<typeof openFileLog>>) => Promise<unknown>) {
  const path = await written(['a', 'b'])
  const seen = new Map<string, string>()
  const look = () => {
    const state = readFileSync(path)
    const log = existsSync(logPathOf(path)) ? readFileSync(logPathOf(path)) : undefined
    const key = `${state.toString('latin1')} ${log?.toString('latin1')}`
    if (seen.has(key)) return
    const folder = join(scratch(), String(seen.size))
    mkdirSync(folder)
    writeFileSync(join(folder, 'chain.state'), state)
    if (log !== undefined) writeFileSync(join(folder, 'chain.state.log'), log)
    seen.set(key, join(folder, 'chain.state'))
  }
  const log = await openFileLog(path, { disk: watched(systemDisk, look) })
  await work(log)
  look()
  await log.close()
  return [...seen.values()]
}

const kinds: readonly (readonly [
  string,
  (log: Awaited<ReturnType<typeof openFileLog>>) => Promise<unknown>,
  ReadonlySet<string>,
])[] = [
  ['shortening', (log) => log.shorten({ sequence: 2, bytes: second }), new Set(['1: 2 a,3 b', '2: 3 b'])],
  ['replacing', (log) => log.shorten({ sequence: 4, bytes: third }), new Set(['1: 2 a,3 b', '4: '])],
  ['finishing', (log) => log.finish(second), new Set(['1: 2 a,3 b', '3: ', '0: '])],
]
for (const [kind, work, expected] of kinds) {
  test(`after a crash at any moment of ${kind} the log leads to the same entry`, async (t) => {
    const paths = await moments(work)
    t.true(paths.length >= 3, `${paths.length} moments`)
    const found = new Set<string>()
    for (const path of paths) {
      const { snapshot, entries } = await read(path)
      found.add(`${snapshot}: ${entries.join()}`)
    }
    t.deepEqual([...found].toSorted(), [...expected].toSorted())
  })
}

test('a state file with another log, or a log without a state file, is refused', async (t) => {
  const path = await written(['a'])
  copyFileSync(path, `${path}.copy`)
  writeFileSync(path, third)
  await t.throwsAsync(read(path), {
    code: 'FOREIGN_LOG',
    message: /chain\.state\.log: this log does not belong to the state file/,
  })
  rmSync(path)
  await t.throwsAsync(read(path), { code: 'BAD_STATE', message: /file not found, but .*\.log continues from it/ })
  copyFileSync(`${path}.copy`, path)
  t.deepEqual((await read(path)).entries, ['2 a'])
})

test('a state file that chainstage saved before there were logs is a snapshot', async (t) => {
  const path = join(scratch(), 'chain.state')
  writeFileSync(path, first)
  t.like(await read(path), { snapshot: 0, last: 0, entries: [] })
  const log = await openFileLog(path, { durability: 'write' })
  await log.shorten({ sequence: 1, bytes: second })
  await log.append({ sequence: 2, text: 'a' })
  await log.finish(third)
  t.deepEqual(readFileSync(path), third)
  t.false(existsSync(logPathOf(path)))
})

test('after a write that failed nothing is acknowledged any more', async (t) => {
  const path = await written(['a'])
  const log = await openFileLog(path)
  rmSync(logPathOf(path))
  mkdirSync(logPathOf(path))
  await t.throwsAsync(log.append({ sequence: 3, text: 'b' }), { code: 'CANNOT_WRITE' })
  rmSync(logPathOf(path), { recursive: true })
  writeFileSync(logPathOf(path), '')
  await t.throwsAsync(log.append({ sequence: 4, text: 'c' }), { code: 'CANNOT_WRITE' })
  await t.throwsAsync(log.finish(second), { code: 'CANNOT_WRITE' })
  t.deepEqual(readFileSync(path), first)
})

test('a chain is opened again when its history is so long that the header lists thousands of parts', async (t) => {
  const path = join(scratch(), 'chain.state')
  const history = Array.from({ length: 3000 }, (_, index) => ({ part: 100_000 + index, bytes: 1 }))
  const bytes = bytesOfState(resting(localSimulation().simulation()), history)
  t.true(bytes.indexOf('\n') > 65_536)
  const log = await openFileLog(path)
  await log.shorten({ sequence: 1, bytes })
  await log.close()
  mkdirSync(historyPathOf(path), { recursive: true })
  for (const { part } of history) writeFileSync(partPath(historyPathOf(path), part), 'x')
  const again = await openFileLog(path)
  t.deepEqual(again.history.sizesOf(new Set(history.map(({ part }) => part))), history)
  t.deepEqual(stateHeader(Buffer.from((await again.snapshot())?.bytes ?? [])).history, history)
  await again.close()
})

test('a warning says which entry is the last one before a torn end, and a whole log gives none', async (t) => {
  const path = await written(['one', 'two'])
  const said: string[] = []
  const open = async () => (await openFileLog(path, { say: (level, text) => said.push(`${level} ${text}`) })).close()
  await open()
  t.deepEqual(said, [])
  truncateSync(logPathOf(path), readFileSync(logPathOf(path)).length - 5)
  await open()
  await open()
  t.is(said.length, 1)
  t.regex(said[0] ?? '', /^warn .*chain\.state\.log: removed \d+ damaged bytes after entry 2, /)
})
