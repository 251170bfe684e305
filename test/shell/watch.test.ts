/** Files that are created while somebody watches for them. */
import { mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { createProblems } from '../../src/shell/problems.ts'
import type { Running } from '../../src/shell/server.ts'
import type { Reloader } from '../../src/shell/reloader.ts'
import { loadScenarioAside } from '../../src/shell/scenarios/scenarioAside.ts'
import { watchRecording, watchScenario } from '../../src/shell/watch.ts'
import { scratch } from '../helpers/cli.ts'
import { eventually } from '../helpers/server.ts'

/** Watches a new recording folder and tells which of its files the last reload found. */
async function watched() {
  const folder = scratch()
  const paths = ['patches', 'rules.json5'].map((name) => join(folder, name))
  let reloads = 0
  let found: readonly string[] = []
  const running = { problems: createProblems() } as unknown as Running
  const watching = await watchRecording(
    {
      watched: paths,
      reload: async () => {
        reloads += 1
        found = readdirSync(folder, { recursive: true }).map(String).toSorted()
      },
    },
    () => running,
    () => {},
  )
  return { folder, found: () => found, reloads: () => reloads, close: watching.close }
}

test('a patches folder that is created during a playback is read, whenever a file comes into it', async (t) => {
  await Promise.all(
    Array.from({ length: 40 }, async (_, index) => {
      const { folder, found, close } = await watched()
      mkdirSync(join(folder, 'patches'))
      await new Promise((done) => {
        setTimeout(done, index * 4)
      })
      writeFileSync(join(folder, 'patches', 'a.json5'), '{}')
      await eventually(() => found().includes(join('patches', 'a.json5')))
      close()
    }),
  )
  t.pass()
})

test('a rules file that is created during a playback is read, and other files of the folder are not looked at', async (t) => {
  const { folder, found, reloads, close } = await watched()
  writeFileSync(join(folder, 'learned.jsonl'), 'x')
  mkdirSync(join(folder, 'blocks'))
  writeFileSync(join(folder, 'blocks', 'a.jsonl'), 'x')
  writeFileSync(join(folder, 'rules.json5.part'), 'x')
  await new Promise((done) => {
    setTimeout(done, 300)
  })
  t.is(reloads(), 0)
  writeFileSync(join(folder, 'rules.json5'), '{}')
  await eventually(() => found().includes('rules.json5'))
  close()
})

const whole = "{ chainstage: 1, faults: { slow: { match: { method: 'eth_*' }, effect: { latency: '1s' } } } }"

/** Watches a new scenario, and tells its name and the faults of the last reload, or the error that a reload met. */
async function watchedScenario(folder = join(scratch(), 'scenarios')) {
  mkdirSync(folder, { recursive: true })
  const path = join(folder, 'main.json5')
  const save = (file: string, text: string) => {
    const aside = join(folder, `${file}.new`)
    writeFileSync(aside, text)
    renameSync(aside, join(folder, file))
  }
  save('main.json5', "{ chainstage: 1, name: 'first' }")
  const problems = createProblems()
  let loaded = await loadScenarioAside(path, {})
  const reloader = {
    reload: async () => {
      loaded = await loadScenarioAside(path, {})
    },
    closure: () => loaded.closure,
  } as unknown as Reloader
  const { close } = await watchScenario(path, reloader, { problems: () => problems, log: () => {} })
  const shown = () => [loaded.plan.name, ...loaded.plan.faults.map(({ name }) => name)].join(' ')
  const isBroken = () => problems.list().length > 0
  return { folder, save, shown, isBroken, close }
}

const readOnceWhole = test.macro(async (t, before: string | undefined) => {
  const { save, shown, isBroken, close } = await watchedScenario()
  if (before !== undefined) save('_part.json5', before)
  save('main.json5', "{ chainstage: 1, name: 'second', imports: ['./_part.json5'] }")
  await eventually(isBroken)
  save('_part.json5', whole)
  await eventually(() => shown() === 'second slow')
  t.false(isBroken())
  close()
})

test('an import that was missing when a scenario first named it is read once it is saved', readOnceWhole, undefined)
test(
  'a new import that was invalid when a scenario first named it is read again when it is corrected',
  readOnceWhole,
  whole.replace('effect', 'efect'),
)

test('a scenario whose folder is deleted and written again, as by git, is watched again', async (t) => {
  const { folder, save, shown, isBroken, close } = await watchedScenario()
  rmSync(folder, { recursive: true })
  await eventually(isBroken)
  mkdirSync(folder)
  save('main.json5', "{ chainstage: 1, name: 'second' }")
  await eventually(() => shown() === 'second')
  save('main.json5', "{ chainstage: 1, name: 'third' }")
  await eventually(() => shown() === 'third')
  t.false(isBroken())
  close()
})

test('a scenario in a linked folder is read when the link changes, as in a Kubernetes volume, and when it is saved', async (t) => {
  const volume = scratch()
  const link = (version: string) => {
    symlinkSync(version, join(volume, 'new'))
    renameSync(join(volume, 'new'), join(volume, 'current'))
  }
  for (const version of ['v1', 'v2']) mkdirSync(join(volume, version))
  writeFileSync(join(volume, 'v2', 'main.json5'), "{ chainstage: 1, name: 'second' }")
  link('v1')
  const { save, shown, isBroken, close } = await watchedScenario(join(volume, 'current'))
  t.is(shown(), 'first')
  link('v2')
  await eventually(() => shown() === 'second')
  save('main.json5', "{ chainstage: 1, name: 'third' }")
  await eventually(() => shown() === 'third')
  t.false(isBroken())
  close()
})
