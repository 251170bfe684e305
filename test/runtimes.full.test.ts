/**
 * Newer versions of Node, Bun and Deno, with other engines of JavaScript and other HTTP servers: recordings replay with
 * the same bytes, and scenarios are the same chain. Newer versions of Node also serve connections alike. NODE24 and
 * NODE26 name the binaries, Bun and Deno are on the path; `.ci/run` fetches them.
 */
import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import test, { type ExecutionContext } from 'ava'
import { onPath } from './docs/tools.ts'
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

type Runtime = {
  readonly name: string
  /** The program with the words before those of a script. */
  readonly command: readonly [binary: string, ...words: string[]]
  /** Why it is not here; undefined if it is. */
  readonly missing: string | undefined
}

const nodes: readonly Runtime[] = ['24', '26'].map((version) => {
  const binary = process.env[`NODE${version}`] ?? ''
  return {
    name: `Node ${version}`,
    command: [binary],
    missing: binary === '' ? `NODE${version} is not set` : undefined,
  }
})
const commands: Readonly<Record<string, Runtime['command']>> = {
  Bun: ['bun', '--bun'],
  // Deno takes the code that it has compiled of another build if a file has the same length.
  Deno: ['deno', 'run', '--no-code-cache', '--allow-all'],
}
const others: readonly Runtime[] = Object.entries(commands).map(([name, command]) => ({
  name,
  command,
  missing: onPath(command[0]) ? undefined : `${command[0]} is not on the path`,
}))

/** Returns what declares a test in a runtime, or skips it with the reason. */
function testIn({ name, missing }: Runtime) {
  const run = missing === undefined ? test : test.skip
  return (text: string, body: (t: ExecutionContext) => Promise<void>) =>
    run(`${text} in ${name}${missing === undefined ? '' : ` (${missing})`}`, body)
}

for (const runtime of [...nodes, ...others]) {
  const testThere = testIn(runtime)
  const [binary, ...before] = runtime.command
  const saidThere = (words: readonly string[]) => said(binary, [...before, ...words])

  testThere('every shipped recording replays with every output the same', async (t) => {
    for (const path of filesIn('../../snapshots/', '.jsonl')) {
      t.regex(await saidThere([main, 'replay', path]), /every output the same/)
    }
  })

  testThere('every shipped scenario is the same chain and the same words', async (t) => {
    const words = [pathOf('./helpers/scenarioDigests.js'), ...filesIn('../../scenarios/', '.json5')]
    const digests = await said(process.execPath, words)
    t.regex(digests, /[0-9a-f]{64}/)
    t.is(await saidThere(words), digests)
  })
}

for (const node of nodes) {
  const testThere = testIn(node)
  const [there] = node.command

  testThere('the version is the one that the name says', async (t) => {
    t.true((await said(there, ['--version'])).startsWith(`v${node.name.slice('Node '.length)}.`))
  })

  testThere('recordings of a real node are the same files, packed and not,', async (t) => {
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

  testThere('a scenario in TypeScript runs', async (t) => {
    const told = await said(there, [ava, '--tap', pathOf('./scenario/defineScenario.test.js')])
    t.regex(told, /# fail 0/)
    t.notRegex(told, /# SKIP/)
  })

  testThere('upgrades and the requests around them are served', async (t) => {
    const files = ['./shell/ws.test.js', './shell/transport/front.test.js', './shell/recordings/proxy.test.js']
    // One file at a time, because both versions run at once, beside other long tests, and the files have time limits.
    t.regex(await said(there, [ava, '--tap', '--concurrency=1', ...files.map(pathOf)]), /# fail 0/)
  })
}
