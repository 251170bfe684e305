/**
 * Newer versions of Node, with another engine of JavaScript and another HTTP server: recordings replay with the
 * same bytes, scenarios are the same chain, and connections are served alike. NODE24 and NODE26 name the
 * binaries; `.ci/run` fetches them.
 */
import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import test from 'ava'
import { scratch } from './helpers/cli.ts'

const pathOf = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const main = pathOf('../../dist/program/main.js')
const ava = pathOf('../../node_modules/ava/entrypoints/cli.mjs')
const filesIn = (folder: string, ending: string) =>
  readdirSync(pathOf(folder))
    .filter((name) => name.endsWith(ending) && !name.startsWith('_'))
    .map((name) => pathOf(`${folder}${name}`))

async function said(binary: string, words: readonly string[]): Promise<string> {
  const { CI: _, ...env } = process.env
  const { stdout } = await promisify(execFile)(binary, words, { env, timeout: 600_000, maxBuffer: 64 * 1024 * 1024 })
  return stdout
}

for (const version of ['24', '26']) {
  const there = process.env[`NODE${version}`] ?? ''
  const run = there === '' ? test.skip : test
  const title = (text: string) => `${text} on Node ${version}${there === '' ? ` (NODE${version} is not set)` : ''}`

  run(title('every shipped recording replays with every output the same'), async (t) => {
    t.true((await said(there, ['--version'])).startsWith(`v${version}.`))
    for (const path of filesIn('../../snapshots/', '.jsonl')) {
      t.regex(await said(there, [main, 'replay', path]), /every output the same/)
    }
  })

  run(title('every shipped scenario is the same chain and the same words'), async (t) => {
    const words = [pathOf('./helpers/scenarioDigests.js'), ...filesIn('../../scenarios/', '.json5')]
    const digests = await said(process.execPath, words)
    t.regex(digests, /[0-9a-f]{64}/)
    t.is(await said(there, words), digests)
  })

  run(title('recordings of a real node are the same files, packed and not,'), async (t) => {
    for (const path of filesIn('../../test/recording/traffic/', '.jsonl')) {
      const [one, two] = [join(scratch(), 'one'), join(scratch(), 'two')]
      await said(process.execPath, [main, 'recording', 'import', path, '--out', one])
      await said(there, [main, 'recording', 'import', path, '--out', two])
      t.regex(await said(there, [main, 'recording', 'diff', one, two]), /no difference/)
      const [a, b] = [one, two].map(
        (folder) => JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as { root: string },
      )
      t.is(a?.root, b?.root)
      await said(there, [main, 'recording', 'pack', two, '--out', `${two}.pack`])
      t.regex(await said(process.execPath, [main, 'recording', 'diff', one, `${two}.pack`]), /no difference/)
    }
  })

  run(title('a scenario in TypeScript runs'), async (t) => {
    const told = await said(there, [ava, '--tap', pathOf('./scenario/defineScenario.test.js')])
    t.regex(told, /# fail 0/)
    t.notRegex(told, /# SKIP/)
  })

  run(title('upgrades and the requests around them are served'), async (t) => {
    const files = ['./shell/ws.test.js', './shell/transport/front.test.js', './shell/recordings/proxy.test.js']
    // One file at a time, because both versions run at once, beside other long tests, and the files have time limits.
    t.regex(await said(there, [ava, '--tap', '--concurrency=1', ...files.map(pathOf)]), /# fail 0/)
  })
}
