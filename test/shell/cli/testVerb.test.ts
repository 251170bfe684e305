import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { filesOf } from '../../../src/shell/glob.ts'
import { cli, scratch } from '../../helpers/cli.ts'

/** Scenarios in a folder of their own. */
function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = scratch()
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, name, '..'), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return folder
}

const head = "chainstage: 1, clock: { pace: 'instant' }"
const good = `{ ${head}, name: 'good', tags: ['fast'], steps: [{ id: 'a', do: { mine: 2 }, expect: { height: { min: 3 } } }] }`
const bad = `{ ${head}, name: 'bad', steps: [\n  { id: 'b', expect: { height: { min: 99 } } },\n  { id: 'c', do: { mine: 1 } }] }`
const wall = "chainstage: 1, clock: { pace: 'wall' }"
const never = `{ ${wall}, name: 'never', steps: [{ id: 'd', when: { signal: 'go' }, timeout: '1d' }], run: { timeout: '1s' } }`
const unused = `{ ${head}, name: 'unused', faults: { f: { match: { method: 'eth_call' }, effect: { hang: true } } }, steps: [{ do: { fault: { use: 'f' } } }], run: { onUnused: 'error' } }`

const codes = test.macro(async (t, text: string, code: number, said: RegExp) => {
  const folder = folderOf({ 's.json5': text })
  const done = await cli(['test', join(folder, 's.json5'), '--log', join(folder, 'run.log')])
  t.is(done.code, code, done.out + done.err)
  t.regex(done.out, said)
})

test.serial('a scenario that passes gives 0', codes, good, 0, /good: passed\n {2}ok +a/)
test.serial(
  'an expectation that fails gives 1 and its line',
  codes,
  bad,
  1,
  /s\.json5:2 {2}b: height: expected at least 99/,
)
test.serial(
  'a step that is not reached in time gives 3',
  codes,
  never,
  3,
  /the run timed out before step d was complete/,
)
const long = `{ ${head}, name: 'long', steps: [{ id: 'r', repeat: 1000000000, do: { mine: 1 } }], run: { timeout: '1s' } }`
test.serial('a step that repeats for too long gives 3', codes, long, 3, /r was complete \(time \d+ of 1000000000\)/)
const slow = `{ ${head}, name: 'slow', steps: [{ id: 'e', when: { request: { method: 'eth_call' } }, timeout: '2s' }] }`
test.serial('a step whose own time is over gives 3', codes, slow, 3, /e: waited 2000 ms for .*eth_call/)
test.serial('a fault that hits nothing gives 6 where that counts', codes, unused, 6, /the fault "f" hit no call/)

test.serial(
  'what is done at the end is done when only the time of all is over, and reports say what came nearest',
  async (t) => {
    const folder = folderOf({
      's.json5': `{ ${wall}, name: 's', finally: [{ log: 'tidied' }], run: { timeout: '5s' },
  steps: [{ id: 'd', when: { request: { method: 'eth_call', params: ['0x1'] } }, timeout: '1d' }] }`,
    })
    const program = `await fetch(process.env.CHAINSTAGE_ETH_URL, { method: 'POST', headers: { 'content-type': 'application/json' },
    body: '{"jsonrpc":"2.0","id":1,"method":"eth_call","params":["0x2"]}' })
    setInterval(() => {}, 1000)`
    const done = await cli([
      'test',
      join(folder, 's.json5'),
      '--log',
      join(folder, 'run.log'),
      '--reporter',
      'junit',
      '--reporter',
      'tap',
      '--reporter',
      'github',
      '--',
      process.execPath,
      '--input-type=module',
      '-e',
      program,
    ])
    t.is(done.code, 3, done.out + done.err)
    t.regex(done.out + done.err, /tidied/)
    const near =
      /the run timed out before step d was complete: it waited for .*eth_call.*; near miss: eth_call \[(?:\\?"|&quot;)0x2(?:\\?"|&quot;)\] has different parameters/
    for (const mark of ['<failure message="', '      message: "', '::error file=']) {
      t.regex(done.out.slice(done.out.indexOf(mark)).split('\n')[0] ?? '', near, mark)
    }
    t.regex(done.out, /^::error file=[^,]*s\.json5,line=2,/m)
    t.is((await cli(['replay', join(folder, 'run.log')])).code, 0)
  },
)

test.serial('a pattern that matches nothing gives 2 although another one matches, and reports say so', async (t) => {
  const folder = folderOf({ 'a.json5': good, 'r.xml': 'a report of another day' })
  const words = ['a*.json5', 'nope/*.json5'].map((pattern) => join(folder, pattern))
  const none = await cli(['test', ...words, '--reporter', `junit=${join(folder, 'r.xml')}`])
  t.is(none.code, 2)
  t.regex(none.err, /NO_SCENARIO: no scenario file matches [^ ]*nope\/\*\.json5\n/)
  t.regex(readFileSync(join(folder, 'r.xml'), 'utf8'), /tests="1" failures="1"[^]*no scenario file/)
  t.is((await cli(['check', ...words])).code, 2)
})

test.serial('an invalid file is one failed case: the others still run, and every report tells of it', async (t) => {
  const folder = folderOf({
    'a.json5': good,
    'b.json5': '{ chainstage: 1,\n nam: 1 }',
    'c.json5': good,
    'r.xml': 'a report of another day',
  })
  const done = await cli([
    'test',
    join(folder, '*.json5'),
    '--reporter',
    'text',
    '--reporter',
    `junit=${join(folder, 'r.xml')}`,
    '--reporter',
    'tap',
    '--reporter',
    'github',
    '--reporter',
    'json',
  ])
  t.is(done.code, 2, done.err)
  t.regex(done.out, /good: passed[^]*b\.json5: not run[^]*unknown key "nam"[^]*good: passed/)
  t.regex(done.out, /not ok {2}[^ ]*b\.json5: not run\n2 of 3 scenarios passed/)
  t.regex(done.out, /^not ok 2 - [^ ]*b\.json5$[^]*^ok 3 - good$/m)
  t.regex(done.out, /^::error file=[^,]*b\.json5,line=2,col=2,title=SC1010::unknown key "nam"/m)
  t.deepEqual(
    done.out.match(/^\{.*\}$/gm)?.map((line) => (JSON.parse(line) as { exitCode: number }).exitCode),
    [0, 2, 0],
  )
  const xml = readFileSync(join(folder, 'r.xml'), 'utf8')
  t.deepEqual(
    xml.match(/<testsuite [^>]*failures="\d"/g)?.map((one) => one.slice(-2, -1)),
    ['0', '1', '0'],
  )
  t.regex(xml, /b\.json5[^]*unknown key &quot;nam&quot;/)
  const one = join(folder, 'one.xml')
  t.is((await cli(['run', join(folder, 'b.json5'), '--reporter', `junit=${one}`])).code, 2)
  t.regex(readFileSync(one, 'utf8'), /failures="1"[^]*unknown key/)
})

test.serial('a pattern finds files in folders, parts aside, and a tag chooses among them', async (t) => {
  const folder = folderOf({
    'a/x.json5': good,
    'b/c/y.json5': good.replace("tags: ['fast'], ", ''),
    '_parts/p.json5': '{}',
    'b/_p.json5': '{}',
    'note.txt': '',
  })
  const all = await cli(['test', join(folder, '**/*.json5'), '--json'])
  t.deepEqual(
    all.out
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { file: string }).file),
    [join(folder, 'a/x.json5'), join(folder, 'b/c/y.json5')],
  )
  const tagged = await cli(['test', join(folder, '**/*.json5'), '--tag', 'fast', '--json'])
  t.is(tagged.out.trim().split('\n').length, 1)
})

test.serial('a pattern may hold classes, braces and negations, and a path is taken as it is written', async (t) => {
  const folder = folderOf(
    Object.fromEntries(['t1', 't2', 't3', 't9', 'a[1]', 'a1', '_own/x'].map((name) => [`${name}.json5`, good])),
  )
  const found = async (...patterns: string[]) =>
    (await filesOf(patterns.map((one) => join(folder, one)))).map((path) =>
      path.slice(folder.length + 1).replace('.json5', ''),
    )
  t.deepEqual(await found('t[1-3].json5'), ['t1', 't2', 't3'])
  t.deepEqual(await found('t[!1-3].json5'), ['t9'])
  t.deepEqual(await found('{t1,a1}.json5', 't1.json5', 't?.json5'), ['a1', 't1', 't2', 't3', 't9'])
  t.deepEqual(await found('a[1].json5'), ['a[1]'])
  const again = [join(folder, 't1.json5'), `${folder}/./t1.json5`, `${folder}/t[1].json5`]
  t.deepEqual(await filesOf(again), again.slice(0, 1))
  t.deepEqual(await found('_own/*.json5'), ['_own/x'])
  await t.throwsAsync(found('*/*.json5'), { code: 'NO_SCENARIO' })
})

test.serial('each run has a chain of its own, and a program gets its addresses', async (t) => {
  const folder = folderOf({ 'x.json5': good, 'y.json5': good })
  const program = `
    const { CHAINSTAGE_ETH_URL: eth, CHAINSTAGE_COMET_URL: comet, CHAINSTAGE_WS_URL: ws, CHAINSTAGE_ADMIN_URL: admin } = process.env
    const call = (url, method) => fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: [] }) }).then((r) => r.json())
    const { result } = await call(eth, 'eth_blockNumber')
    const status = await (await fetch(comet + '/status')).json()
    const scenario = await (await fetch(admin + '/api/status')).status
    process.stdout.write(JSON.stringify([result, status.result.sync_info.latest_block_height, ws.startsWith('ws://'), scenario]) + '\\n')`
  const done = await cli([
    'test',
    join(folder, 'x.json5'),
    join(folder, 'y.json5'),
    '--',
    process.execPath,
    '--input-type=module',
    '-e',
    program,
  ])
  t.is(done.code, 0, done.out + done.err)
  t.deepEqual(done.out.match(/^\[.*\]$/gm), Array(2).fill('["0x3","3",true,200]'))
})

test.serial('a program that fails gives its own code, and one that does not end is ended', async (t) => {
  const folder = folderOf({ 's.json5': good, 'n.json5': never })
  const log = join(folder, 'run.log')
  t.is(
    (await cli(['test', join(folder, 's.json5'), '--log', log, '--', process.execPath, '-e', 'process.exit(7)'])).code,
    7,
  )
  const late = await cli([
    'test',
    join(folder, 'n.json5'),
    '--log',
    log,
    '--timeout',
    '3s',
    '--',
    process.execPath,
    '-e',
    "console.log('pid ' + process.pid); setInterval(() => {}, 1000)",
  ])
  t.is(late.code, 3)
  const pid = Number(/pid (\d+)/.exec(late.out)?.[1])
  t.throws(() => process.kill(pid, 0), { code: 'ESRCH' })
})

test.serial('the steps after a program has ended are waited for', async (t) => {
  const folder = folderOf({
    's.json5': `{ ${wall}, name: 's', steps: [{ when: { request: { method: 'eth_chainId' } } }, { id: 'later', when: { after: '300ms' }, do: { mine: 1 } }] }`,
  })
  const program = `await fetch(process.env.CHAINSTAGE_ETH_URL, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}' })`
  const done = await cli([
    'test',
    join(folder, 's.json5'),
    '--log',
    join(folder, 'run.log'),
    '--',
    process.execPath,
    '--input-type=module',
    '-e',
    program,
  ])
  t.is(done.code, 0, done.out + done.err)
  t.regex(done.out, /ok +later/)
})

test.serial('--until goes on after the last step', async (t) => {
  const folder = folderOf({
    's.json5':
      `{ ${head}, name: 's', clock: { pace: 'instant', blocks: 'interval', interval: '1s' }, steps: [{ id: 'a' }], finally: [{ log: 'ended at \${chain.height}' }] }`.replace(
        "clock: { pace: 'instant' }, ",
        '',
      ),
  })
  const done = await cli(['test', join(folder, 's.json5'), '--until', '5 blocks', '--json'])
  const { steps, reached } = JSON.parse(done.out) as { steps: string[]; reached: number }
  t.deepEqual([steps, reached, done.code], [['a'], 1, 0])
  t.regex(done.err, /ended at [5-7]\b/)
  t.is((await cli(['test', join(folder, 's.json5'), '--until', 'soon'])).code, 2)
})

test.serial('a run that failed is written down and replays', async (t) => {
  const folder = folderOf({ 's.json5': bad })
  const log = join(folder, 'run.log')
  await cli(['test', join(folder, 's.json5'), '--log', log])
  const replayed = await cli(['replay', log])
  t.is(replayed.code, 0, replayed.out + replayed.err)
})

test.serial('vars are given on the command line and in the environment', async (t) => {
  const folder = folderOf({
    's.json5': `{ ${head}, name: 's', vars: { n: 1 }, steps: [{ do: { mine: '\${vars.n}' }, expect: { height: { min: 5 } } }] }`,
  })
  const run = ['test', join(folder, 's.json5'), '--log', join(folder, 'run.log')]
  t.is((await cli(run)).code, 1)
  t.is((await cli([...run, '--var', 'n=4'])).code, 0)
  t.is((await cli(run, { CHAINSTAGE_VAR_n: '4' })).code, 0)
  t.is((await cli([...run, '--var', 'm=4'])).code, 2)
})

test.serial('several reports are written at once', async (t) => {
  const folder = folderOf({ 'good.json5': good, 'bad.json5': bad })
  const done = await cli([
    'test',
    join(folder, '*.json5'),
    '--log',
    join(folder, 'run.log'),
    '--reporter',
    `junit=${join(folder, 'out/r.xml')}`,
    '--reporter',
    'github',
    '--reporter',
    'tap',
  ])
  t.is(done.code, 1)
  t.regex(readFileSync(join(folder, 'out/r.xml'), 'utf8'), /<testsuite name="bad"[^>]*failures="1" skipped="1"/)
  t.regex(done.out, /^::error file=[^,]*bad\.json5,line=2,title=bad%3A b::height: expected at least 99/m)
  t.regex(done.out, /^TAP version 14\n1\.\.2\n/m)
  t.true(existsSync(join(folder, 'run.log')))
})
