/** Files that are created while somebody watches for them. */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { createProblems } from '../../src/shell/problems.ts'
import type { Running } from '../../src/shell/server.ts'
import { watchRecording } from '../../src/shell/watch.ts'
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
      folder,
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
  // chokidar lost one of twelve such files while it watched paths that were not there yet.
  await Promise.all(
    Array.from({ length: 40 }, async (_, index) => {
      const { folder, found, close } = await watched()
      mkdirSync(join(folder, 'patches'))
      await new Promise((done) => {
        setTimeout(done, index * 4)
      })
      writeFileSync(join(folder, 'patches', 'a.json5'), '{}')
      await eventually(() => found().includes(join('patches', 'a.json5')))
      await close()
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
  await close()
})
