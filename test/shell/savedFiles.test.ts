/** When saved files are read again. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import test from 'ava'
import { createProblems } from '../../src/shell/problems.ts'
import { watchFiles } from '../../src/shell/savedFiles.ts'
import { scratch } from '../helpers/cli.ts'
import { eventually } from '../helpers/server.ts'

/** Long enough for several looks at the files, in milliseconds. */
const someLooksMs = 700

/** Watches files of a new folder, and counts the reloads. `during` runs in each of them, after what it reads. */
async function watchedFolder(
  files: readonly string[],
  { named = [], during = () => {} }: { named?: readonly string[]; during?: (reloads: number) => void } = {},
) {
  const folder = scratch()
  const inFolder = (names: readonly string[]) => names.map((name) => join(folder, name))
  const problems = createProblems()
  const lines: string[] = []
  let reloads = 0
  const { close } = await watchFiles({
    files: (error) => inFolder(error === undefined ? files : [...files, ...named]),
    reload: async () => {
      reloads += 1
      during(reloads)
    },
    source: 'files',
    problems: () => problems,
    log: (_, text) => lines.push(text),
  })
  const save = (name: string, text = 'saved') => writeFileSync(join(folder, name), text)
  return { folder, save, reloads: () => reloads, problems, lines, close }
}

test('files that nobody saves are not read again', async (t) => {
  const { reloads, close } = await watchedFolder(['a'])
  await delay(someLooksMs)
  t.is(reloads(), 0)
  close()
})

test('a save of many steps is one reload, after the last of them', async (t) => {
  const { save, reloads, close } = await watchedFolder(['a', 'b'])
  for (const step of Array.from({ length: 12 }, (_, index) => index)) {
    save(step % 2 === 0 ? 'a' : 'b', `step ${step}`)
    await delay(20)
  }
  await eventually(() => reloads() > 0)
  await delay(someLooksMs)
  t.is(reloads(), 1)
  close()
})

test('a file that is saved during a reload is read again', async (t) => {
  const { folder, save, reloads, close } = await watchedFolder(['a'], {
    during: (count) => {
      if (count === 1) writeFileSync(join(folder, 'a'), 'saved again')
    },
  })
  save('a')
  await eventually(() => reloads() === 2)
  await delay(someLooksMs)
  t.is(reloads(), 2)
  close()
})

test('a file that a failed reload names for the first time is read again if it was saved during that reload', async (t) => {
  const { folder, save, reloads, problems, lines, close } = await watchedFolder(['a'], {
    named: ['part'],
    during: (count) => {
      if (count > 1) return
      writeFileSync(join(folder, 'part'), 'saved')
      throw new Error('there is no part')
    },
  })
  save('a')
  await eventually(() => reloads() === 2)
  t.deepEqual(problems.list(), [])
  t.regex(lines.join('\n'), /there is no part[\s\S]*the saved files are valid again$/)
  await delay(someLooksMs)
  t.is(reloads(), 2)
  close()
})

test('a file of a folder that is deleted, and a folder that is created with files, are noticed', async (t) => {
  const { folder, save, reloads, close } = await watchedFolder(['patches'])
  mkdirSync(join(folder, 'patches'))
  save(join('patches', 'one'))
  await eventually(() => reloads() === 1)
  rmSync(join(folder, 'patches', 'one'))
  await eventually(() => reloads() === 2)
  close()
  save(join('patches', 'two'))
  await delay(someLooksMs)
  t.is(reloads(), 2)
})
