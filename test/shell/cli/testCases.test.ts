import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { cli, scratch } from '../../helpers/cli.ts'

const scenario = (name: string, min: number) =>
  `{ chainstage: 1, name: '${name}', clock: { pace: 'instant' }, steps: [{ id: 'a', do: { mine: 1 }, expect: { height: { min: ${min} } } }] }`

/** A folder of scenarios: those whose name begins with `bad` fail. */
function folderOf(...names: readonly string[]): string {
  const folder = scratch()
  for (const name of names)
    writeFileSync(join(folder, `${name}.json5`), scenario(name, name.startsWith('bad') ? 99 : 2))
  return folder
}

/** Runs `chainstage test` on all scenarios of a folder. */
function testing(folder: string, ...words: readonly string[]) {
  return cli(['test', join(folder, '*.json5'), '--log', join(folder, 'run.log'), ...words])
}

/** The names of the scenarios that ran, as the JSON reporter tells. */
function names(out: string): readonly string[] {
  return out
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { name: string }).name)
}

const program = (text: string) => ['--', process.execPath, '--input-type=module', '-e', text]

test('with --jobs scenarios run at the same time, and reports keep the order of the files', async (t) => {
  const folder = folderOf('a', 'b')
  mkdirSync(join(folder, 'met'))
  // Each program waits until the other one runs too.
  const meet = `import { existsSync, readdirSync, writeFileSync } from 'node:fs'
    writeFileSync(${JSON.stringify(join(folder, 'met'))} + '/' + process.pid, '')
    for (let tries = 0; readdirSync(${JSON.stringify(join(folder, 'met'))}).length < 2; tries++) {
      if (tries > 200) process.exit(9)
      await new Promise((done) => setTimeout(done, 50))
    }`
  const done = await testing(folder, '--jobs', '2', '--json', ...program(meet))
  t.is(done.code, 0, done.out + done.err)
  t.deepEqual(names(done.out), ['a', 'b'])
})

test('a recording that cannot be written does not hide the failure', async (t) => {
  const folder = folderOf('bad')
  const done = await cli(['test', join(folder, 'bad.json5'), '--log', join(folder, 'bad.json5', 'run.log')])
  t.is(done.code, 1, done.out + done.err)
  t.regex(done.out, /bad: failed\n {2}not ok {6}a\n[^]*expected at least 99/)
  t.regex(done.err, /cannot write .*; choose another file with --log FILE/)
})

test('what programs print with --jobs is kept together', async (t) => {
  const folder = folderOf('a', 'b')
  const talk = `for (let i = 0; i < 5; i++) {
    process.stdout.write(process.pid + ' one ')
    await new Promise((done) => setTimeout(done, 30))
    process.stdout.write('line\\n')
  }`
  const done = await testing(folder, '-j', '2', ...program(talk))
  t.is(done.code, 0, done.out + done.err)
  const spoken = done.out.match(/^\d+ one line$/gm)?.map((line) => line.split(' ')[0]) ?? []
  t.is(spoken.length, 10, done.out)
  t.is(new Set(spoken.slice(0, 5)).size, 1)
  t.is(new Set(spoken.slice(5)).size, 1)
  t.regex(done.out, /2 of 2 scenarios passed in \d/)
})

test('shards share the scenarios out, each to exactly one of them', async (t) => {
  const all = ['a', 'b', 'c', 'd', 'e']
  const folder = folderOf(...all)
  const shards = await Promise.all(['1/2', '2/2'].map((shard) => testing(folder, '--shard', shard, '--json')))
  t.deepEqual(
    shards.map(({ out }) => names(out)),
    [
      ['a', 'c', 'e'],
      ['b', 'd'],
    ],
  )
  const empty = await testing(folder, '--shard', '6/6')
  t.is(empty.code, 0)
  t.regex(empty.out, /0 of 0 scenarios passed/)
  t.regex((await testing(folder, '--shard', '3/2')).err, /expected a part and the number of parts, like 1\/4/)
})

test('--bail skips the scenarios after a failure, and reports say so', async (t) => {
  const folder = folderOf('a', 'bad', 'c', 'd')
  const done = await testing(folder, '--bail', '--reporter', 'text', '--reporter', 'tap', '--reporter', 'junit')
  t.is(done.code, 1)
  t.regex(done.out, /1 of 4 scenarios passed, 2 skipped in/)
  t.regex(done.out, /^1\.\.4$[^]*^ok 3 - \S*c\.json5 # SKIP skipped because an earlier scenario failed$/m)
  t.is(done.out.match(/<skipped message="skipped because an earlier scenario failed"\/>/g)?.length, 2)
})

test('--retries repeats a scenario whose program failed, and says what had gone wrong', async (t) => {
  const folder = folderOf('a')
  const mark = join(folder, 'tried')
  const flaky = `import { existsSync, writeFileSync } from 'node:fs'
    if (!existsSync(${JSON.stringify(mark)})) { writeFileSync(${JSON.stringify(mark)}, ''); process.exit(5) }`
  const done = await testing(folder, '--retries', '2', ...program(flaky))
  t.is(done.code, 0, done.out + done.err)
  t.regex(done.out, /a: passed[^]*attempt 1 failed and was retried: the program ended with exit code 5/)
  t.true(existsSync(join(folder, 'run.log')), 'the failed attempt can be replayed')
})

test('a program that a signal ends has the exit code of shells', async (t) => {
  const done = await testing(folderOf('a'), ...program("process.kill(process.pid, 'SIGKILL')"))
  t.is(done.code, 137)
  t.regex(done.out + done.err, /the program ended with exit code 137/)
})

test('a scenario that fails every time fails after its retries', async (t) => {
  const folder = folderOf('bad', 'c')
  const done = await testing(folder, '--retries', '1', '--reporter', 'tap')
  t.is(done.code, 1)
  t.regex(done.out, /# attempt 1 failed and was retried: \S*bad\.json5:1: a: height: expected at least 99, was 2/)
  t.true(existsSync(join(folder, 'run.log.2')))
})

test('reports say how long each step and scenario took', async (t) => {
  const folder = folderOf('a')
  writeFileSync(
    join(folder, 'a.json5'),
    `{ chainstage: 1, name: 'a', clock: { pace: 'wall' }, steps: [{ id: 'waits', when: { after: '300ms' } }] }`,
  )
  const junit = join(folder, 'r.xml')
  const done = await testing(folder, '--reporter', 'tap', '--reporter', `junit=${junit}`)
  const step = Number(/ok 1 - waits\n\s+---\n\s+duration_ms: ([\d.]+)/.exec(done.out)?.[1])
  const all = Number(/^ok 1 - a\n\s+---\n\s+duration_ms: ([\d.]+)/m.exec(done.out)?.[1])
  t.true(step >= 250 && step <= all, `${step} of ${all} ms`)
  const time = Number(/name="waits" time="([\d.]+)"/.exec(readFileSync(junit, 'utf8'))?.[1])
  t.true(Math.abs(time * 1000 - step) < 2)
})
