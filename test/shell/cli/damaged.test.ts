/** Damaged installations, files and names of other people: a clear message, and nothing is printed raw. */
import { cpSync, mkdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import test from 'ava'
import { stateBytes } from '../../../src/shell/stateFile.ts'
import { cli, freePorts, main, scratch } from '../../helpers/cli.ts'
import { localSimulation } from '../../helpers/ethSimulation.ts'

const root = fileURLToPath(new URL('../../../..', import.meta.url))

/** Runs a program and resolves with its exit code and what it wrote to standard error. */
const run = (words: readonly string[]) =>
  new Promise<{ readonly code: unknown; readonly err: string }>((done) => {
    execFile(process.execPath, words, (error, _, err) => {
      done({ code: error === null ? 0 : error.code, err })
    })
  })

const older = 'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.18.3" } })'
const asOlder = `--import=data:text/javascript,${encodeURIComponent(older)}`
const neededVersion = 'chainstage needs Node 20.19 or newer; this is 20.18.3.\n'

test('Node before 20.19 is told which version is needed', async (t) => {
  t.deepEqual(await run([asOlder, main]), { code: 2, err: neededVersion })
})

test('so is a program that imports the package there', async (t) => {
  const { code, err } = await run([asOlder, join(root, 'dist/program/index.js')])
  t.is(code, 1)
  t.true(err.includes(`Error: ${neededVersion}`), err)
})

test('a truncated engine is named, with what to do', async (t) => {
  const copy = scratch()
  for (const name of ['package.json', 'dist/program', 'genesis', 'src/evm/evm.wasm']) {
    cpSync(join(root, name), join(copy, name), { recursive: true })
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  truncateSync(join(copy, 'src/evm/evm.wasm'), 1000)
  const { code, err } = await run([join(copy, 'dist/program/main.js'), 'start', ...freePorts])
  t.is(code, 1)
  t.regex(
    err,
    /^BROKEN_INSTALLATION: src\/evm\/evm\.wasm of the installed package is missing or damaged\nReinstall chainstage: npm install --force chainstage/,
  )
})

test('a file that is no state is refused as an invalid file, and left as it is', async (t) => {
  const path = join(scratch(), 'chain.state')
  writeFileSync(path, '{"x":1}')
  const { code, err } = await cli(['start', '--no-watch', ...freePorts, '--state', path])
  t.deepEqual([code, err.split(':')[0], readFileSync(path, 'utf8')], [2, 'BAD_STATE', '{"x":1}'])
})

test('a state file that was cut or has a changed byte is named in the message', async (t) => {
  const path = join(scratch(), 'chain.state')
  const whole = stateBytes(localSimulation().simulation())
  const changed = Buffer.from(whole)
  changed[whole.length - 50]! ^= 1
  for (const bytes of [whole.subarray(0, -10), changed]) {
    writeFileSync(path, bytes)
    const { code, err } = await cli(['start', '--no-watch', ...freePorts, '--state', path])
    t.deepEqual([code, err.startsWith(`BAD_STATE: ${path}: `)], [2, true], err)
  }
})

test('files in the folder of instances that are no records do not break the list', async (t) => {
  const state = scratch()
  mkdirSync(join(state, 'instances'))
  for (const [name, text] of Object.entries({
    'garbage.json': '\0\x01 not JSON',
    'truncated.json': '{"pid":1,"scenario":"a',
    'shape.json': '{"pid":"one"}',
    'list.json': '[]',
    'notes.txt': 'mine',
  })) {
    writeFileSync(join(state, 'instances', name), text)
  }
  const { code, out, err } = await cli(['instances', 'list', '--json'], { CHAINSTAGE_STATE: state })
  t.deepEqual([code, JSON.parse(out), err], [0, [], ''])
  t.is(readFileSync(join(state, 'instances', 'notes.txt'), 'utf8'), 'mine')
})

test('an argument with an escape sequence is printed escaped', async (t) => {
  const { code, err } = await cli(['start', '--no-\x1b[31mred'])
  t.is(code, 2)
  t.true(err.includes('\\x1b[31mred'))
  t.false(err.includes('\x1b'))
})

test('text in a pipe has colors only with FORCE_COLOR, and none in CI', async (t) => {
  const words = ['start', '--nothing']
  const [plain, forced] = await Promise.all([cli(words, { CI: 'true' }), cli(words, { FORCE_COLOR: '1' })])
  const sentence = "error: unknown option '--nothing'"
  t.deepEqual([plain.err.split('\n')[0], forced.err.split('\n')[0]], [sentence, `\x1b[31m${sentence}\x1b[39m`])
})

test('a report of misses that is not there, or is none, is named', async (t) => {
  const folder = scratch()
  const report = join(folder, 'misses.json')
  const update = () => cli(['recording', 'update', folder, '--from-misses', report])
  const missing = await update()
  t.is(missing.code, 2)
  t.regex(missing.err, /^UNREADABLE_FILE: .*misses\.json/)
  for (const text of ['{', '{}', '{ "misses": "all" }']) {
    writeFileSync(report, text)
    t.regex((await update()).err, /has no list "misses"/)
  }
})
