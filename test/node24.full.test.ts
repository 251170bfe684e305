/**
 * Another version of Node, another engine of JavaScript: recordings replay with the same bytes, and
 * scenarios are the same chain. NODE24 names the binary; `.ci/run` fetches one.
 */
import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import test from 'ava'
import { scratch } from './helpers/cli.ts'

const node24 = process.env['NODE24']
const run = node24 === undefined ? test.skip : test
const title = (text: string) => (node24 === undefined ? `${text} (NODE24 is not set)` : text)

const pathOf = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const main = pathOf('../../dist/program/main.js')
const filesIn = (folder: string, ending: string) =>
  readdirSync(pathOf(folder))
    .filter((name) => name.endsWith(ending) && !name.startsWith('_'))
    .map((name) => pathOf(`${folder}${name}`))

async function said(binary: string, words: readonly string[]): Promise<string> {
  const { CI: _, ...env } = process.env
  const { stdout } = await promisify(execFile)(binary, words, { env, timeout: 600_000, maxBuffer: 64 * 1024 * 1024 })
  return stdout
}

async function both(words: readonly string[]): Promise<readonly [string, string]> {
  return [await said(process.execPath, words), await said(node24 ?? '', words)]
}

run(title('every shipped recording replays on Node 24 with every output the same'), async (t) => {
  t.regex(await said(node24 ?? '', ['--version']), /^v24\./)
  for (const path of filesIn('../../snapshots/', '.jsonl')) {
    t.regex(await said(node24 ?? '', [main, 'replay', path]), /every output the same/)
  }
})

run(title('every shipped scenario is the same chain and the same words on Node 24'), async (t) => {
  const [here, there] = await both([pathOf('./helpers/scenarioDigests.js'), ...filesIn('../../scenarios/', '.json5')])
  t.regex(here, /[0-9a-f]{64}/)
  t.is(there, here)
})

run(title('recordings of a real node are the same files on Node 24, packed and not'), async (t) => {
  for (const path of filesIn('../../test/recording/traffic/', '.jsonl')) {
    const [one, two] = [join(scratch(), 'one'), join(scratch(), 'two')]
    await said(process.execPath, [main, 'recording', 'import', path, '--out', one])
    await said(node24 ?? '', [main, 'recording', 'import', path, '--out', two])
    t.regex(await said(node24 ?? '', [main, 'recording', 'diff', one, two]), /no difference/)
    const [a, b] = [one, two].map(
      (folder) => JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as { root: string },
    )
    t.is(a?.root, b?.root)
    await said(node24 ?? '', [main, 'recording', 'pack', two, '--out', `${two}.pack`])
    t.regex(await said(process.execPath, [main, 'recording', 'diff', one, `${two}.pack`]), /no difference/)
  }
})

run(title('a scenario in TypeScript runs on Node 24'), async (t) => {
  const ava = pathOf('../../node_modules/ava/entrypoints/cli.mjs')
  const told = await said(node24 ?? '', [ava, '--tap', pathOf('./scenario/defineScenario.test.js')])
  t.regex(told, /# fail 0/)
  t.notRegex(told, /# SKIP/)
})
