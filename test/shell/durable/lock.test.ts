import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import test from 'ava'
import { lockPath } from '../../../src/shell/durable/lock.ts'
import { replaceFolder } from '../../../src/shell/durable/replaceFolder.ts'
import { cli, freePorts, scratch, startCli } from '../../helpers/cli.ts'

/** No process has this id: it is above the most that systems give. */
const dead = 2 ** 30

/** Returns a path with a lock of somebody beside it. */
function locked(owner: object | string) {
  const folder = scratch()
  const file = join(folder, '.rec.lock')
  writeFileSync(file, typeof owner === 'string' ? owner : JSON.stringify(owner))
  const age = (seconds: number) => {
    const then = Date.now() / 1000 - seconds
    utimesSync(file, then, then)
  }
  return { path: join(folder, 'rec'), folder, file, age }
}

test('a second writer is refused until the first one has ended, with the file to remove', (t) => {
  const path = join(scratch(), 'deep', 'rec')
  const first = lockPath(path)
  const error = t.throws(() => lockPath(path), { code: 'IN_USE' })
  t.is(error?.message, `cannot write ${path}: process ${process.pid} writes there`)
  t.regex(String((error as { hint?: string }).hint), /remove .*\.rec\.lock\.$/)
  first.release()
  t.deepEqual(readdirSync(join(path, '..')), [])
  const second = lockPath(path)
  first.release()
  t.throws(() => lockPath(path), { code: 'IN_USE' }, 'an old release ended a new lock')
  second.release()
})

const stale = test.macro((t, owner: object | string, ageS: number) => {
  const { path, folder, age } = locked(owner)
  age(ageS)
  lockPath(path).release()
  t.deepEqual(readdirSync(folder), [])
})

const live = test.macro((t, owner: object | string, ageS: number) => {
  const { path, file, age } = locked(owner)
  age(ageS)
  const before = readFileSync(file, 'utf8')
  t.throws(() => lockPath(path), { code: 'IN_USE' })
  t.is(readFileSync(file, 'utf8'), before)
})

const token = '0123456789abcdef'
const here = hostname()
test('a lock of a process that has ended is taken over', stale, { pid: dead, host: here, token }, 0)
test('a lock of our id that is not ours is taken over', stale, { pid: process.pid, host: here, token }, 0)
test('a lock without content is taken over when it is old', stale, '', 3600)
test('a lock of another host is taken over when nobody touches it', stale, { pid: 1, host: 'elsewhere', token }, 3600)
test('a lock of a running process counts, however old', live, { pid: process.ppid, host: here, token }, 3600)
test('a lock without content counts while it is young', live, '', 0)
test('a lock of another host counts while it is touched', live, { pid: dead, host: 'elsewhere', token }, 0)

const obstacle = test.macro((t, make: (file: string) => void, message: RegExp) => {
  const { path, file } = locked('')
  rmSync(file)
  make(file)
  const error = t.throws<Error & { hint?: string }>(() => lockPath(path), { code: 'CANNOT_WRITE', message })
  t.is(error?.hint, `It locks ${path}. If no process writes there, remove it.`)
})

test('a folder that has the name of the lock is named', obstacle, mkdirSync, /\.rec\.lock: it is a folder/)
test('so is a link to nothing, at which a start never ended', obstacle, toNothing, /\.rec\.lock: it is a symbolic link/)

function toNothing(file: string): void {
  symlinkSync('nothing', file)
}

test('a folder that somebody writes is not replaced, unless the caller holds its lock', async (t) => {
  const folder = join(scratch(), 'rec')
  const lock = lockPath(folder)
  const files = new Map([['a.json', '1']])
  await t.throwsAsync(replaceFolder(folder, files, { isOwn: () => true }), { code: 'IN_USE' })
  t.false(existsSync(folder))
  await replaceFolder(folder, files, { isOwn: () => true, lock })
  t.deepEqual(readdirSync(folder), ['a.json'])
  lock.release()
})

test('of processes that find a stale lock at one time, one takes it', async (t) => {
  const { path } = locked({ pid: dead, host: here, token })
  const module = new URL('../../../src/shell/durable/lock.js', import.meta.url).href
  const program = `
    const { lockPath } = await import(${JSON.stringify(module)})
    try { lockPath(${JSON.stringify(path)}); console.log('taken') } catch (error) { console.log(error.code) }
    process.stdin.resume()`
  const children = Array.from({ length: 4 }, () =>
    spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['pipe', 'pipe', 'inherit'] }),
  )
  const said = await Promise.all(children.map(async ({ stdout }) => String((await once(stdout, 'data'))[0]).trim()))
  for (const child of children) child.stdin.end()
  await Promise.all(children.map((child) => once(child, 'exit')))
  t.deepEqual(said.toSorted(), ['IN_USE', 'IN_USE', 'IN_USE', 'taken'])
  lockPath(path).release()
})

test('a second chain on a state file, and a second recorder of a folder, end with exit code 7', async (t) => {
  const folder = scratch()
  const state = join(folder, 's.state')
  const out = join(folder, 'rec')
  mkdirSync(out)
  // It asks the node for nothing, so none has to run.
  const words = ['record', '--eth', 'http://127.0.0.1:9', '--poll', '0', '--out', out]
  const chain = startCli(['start', ...freePorts, '--no-watch', '--state', state])
  const recorder = startCli(words)
  await Promise.all([chain.says(/Listening on/), recorder.says(/Recording/)])
  const [second, other] = await Promise.all([cli(['start', ...freePorts, '--no-watch', '--state', state]), cli(words)])
  t.deepEqual([second.code, other.code], [7, 7])
  t.regex(second.err, new RegExp(`^IN_USE: cannot write .*s\\.state: process ${chain.process.pid} writes there`))
  t.regex(other.err, new RegExp(`process ${recorder.process.pid} writes there`))
  chain.process.kill('SIGTERM')
  recorder.process.kill('SIGTERM')
  t.deepEqual([(await chain.ended).code, (await recorder.ended).code], [0, 0])
  t.false(readdirSync(folder).some((name) => name.endsWith('.lock')))
})
