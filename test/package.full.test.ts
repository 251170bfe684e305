/** The package as npm packs it, in a project that has nothing else than what it says it needs. */
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { publint } from 'publint'
import { packedProject, root } from './helpers/packed.ts'

const tsc = join(root, 'node_modules/typescript/bin/tsc')
// The tester's project brings clients along, a test runner, the types of Node.
const { folder: project, modules, run, remove } =
  packedProject(['viem', '@cosmjs/stargate', 'ava', '@types/node'])
const main = join(modules, 'chainstage/dist/src/main.js')

/** Compiles a file as a strict project does, and returns the path of what came out. */
async function compiled(name: string, text: string): Promise<{ path: string; said: string }> {
  writeFileSync(join(project, `${name}.ts`), text)
  const { out: said } = await run([tsc, '--strict', '--module', 'nodenext', '--target', 'es2022',
    '--lib', 'es2023,esnext.disposable,dom', '--types', 'node', '--skipLibCheck', `${name}.ts`])
  return { path: join(project, `${name}.js`), said }
}

/** The TypeScript of the README that says a word, speaking to the URLs of a chain that runs. */
function snippet(word: string, urls: Record<string, string> = {}): string {
  const readme = readFileSync(join(modules, 'chainstage/README.md'), 'utf8')
  const blocks = [...readme.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, text = '']) => text)
  const found = blocks.find((text) => text.includes(word)) ?? ''
  return Object.entries(urls).reduce((text, [from, to]) => text.replaceAll(from, to), found)
}

test.after.always(remove)

test.serial('start serves, and the README\'s viem and cosmjs snippets speak to it', async (t) => {
  const child = spawn(process.execPath, [main, 'start', '--json', '--rpc.laddr', 'tcp://127.0.0.1:0',
    '--json-rpc.address', '127.0.0.1:0', '--json-rpc.ws-address', '127.0.0.1:0',
    '--control', '127.0.0.1:0'], { cwd: project, stdio: ['ignore', 'pipe', 'inherit'] })
  t.teardown(() => { child.kill() })
  const line = await new Promise<string>(
    (done) => { child.stdout.once('data', (part: Buffer) => { done(String(part)) }) }
  )
  const { urls } = JSON.parse(line.slice(0, line.indexOf('\n'))) as {
    urls: { eth: string; comet: string },
  }
  const here = { 'http://127.0.0.1:8545': urls.eth, 'http://127.0.0.1:26657': urls.comet }
  for (
    const [word, last] of [
      ['viem', 'client.getBlockNumber()'], ['@cosmjs/stargate', 'client.getBalance'],
    ] as const
  ) {
    const text = snippet(word, here).replace(`await ${last}`, `export const answer = await ${last}`)
    const { path, said } = await compiled(
      word.replace(/\W/g, ''), `${text}console.log(answer)\nprocess.exit()\n`
    )
    t.is(said, '')
    t.regex((await run([path])).out, /^1n$|denom: 'atest'/m)
  }
})

test.serial('the README\'s test program runs, with its types', async (t) => {
  const scenario = "'node_modules/chainstage/scenarios/local.json5'"
  const { path, said } = await compiled(
    'program', snippet("from 'chainstage'", { "'scenarios/local.json5'": scenario })
  )
  t.is(said, '')
  t.deepEqual(await run([path]), { code: 0, out: '' })
})

test.serial('the README\'s AVA file passes', async (t) => {
  const { path, said } = await compiled('chain.test', snippet('chainstage/ava'))
  t.is(said, '')
  const { code, out } = await run([join(modules, 'ava/entrypoints/cli.mjs'), path])
  t.is(code, 0, out)
  t.regex(out, /1 test passed/)
})

/**
 * A runner that takes fixtures as Vitest and Playwright do: by the names in the pattern of the
 * first parameter, those of a worker once, and each ended after what used it.
 */
const runner = `
  const needs = (body) => [.../^async \\(\\{([^}]*)\\}/.exec(String(body))?.[1].matchAll(/\\w+/g) ?? []].map(([name]) => name)
  const kept = new Map()
  const with_ = (fixtures, [name, ...rest], found, body) => {
    if (name === undefined) return body(found)
    if (name in found) return with_(fixtures, rest, found, body)
    const [make, options] = [fixtures[name]].flat()
    return with_(fixtures, needs(make), found, async (needed) => {
      if (options?.scope === 'worker' && kept.has(name)) return with_(fixtures, rest, { ...found, [name]: kept.get(name) }, body)
      await make(needed, async (value) => {
        if (options?.scope === 'worker') kept.set(name, value)
        await with_(fixtures, rest, { ...needed, [name]: value }, body)
      })
    })
  }
  export const test = { extend: (fixtures) => async (title, body) => {
    await with_(fixtures, needs(body), {}, body)
    console.log('passed: ' + title)
  } }
  export const expect = (actual) => ({ toBe: (wanted) => { if (actual !== wanted) throw new Error(actual + ' is not ' + wanted) } })
`
const runnerTypes = `
  type Fixture<All, Value> = [(needs: {}, use: (value: Value) => Promise<void>) => Promise<void>, { scope: 'worker' }]
    | ((needs: All, use: (value: Value) => Promise<void>) => Promise<void>)
  type Values<Fixtures> = { [Name in keyof Fixtures]: Fixtures[Name] extends readonly [(needs: any, use: (value: infer Value) => any) => any, any]
    ? Value : Fixtures[Name] extends (needs: any, use: (value: infer Value) => any) => any ? Value : never }
  type Test<All> = ((title: string, body: (found: All) => Promise<void>) => void) & { extend<Fixtures>(fixtures: Fixtures): Test<Values<Fixtures>> }
  export const test: Test<{}>
  export const expect: (actual: unknown) => { toBe(wanted: unknown): void }
`

for (const name of ['vitest', '@playwright/test']) {
  test.serial(`the README's file for ${name} passes in a runner that takes fixtures as that does`, async (t) => {
    mkdirSync(join(modules, name), { recursive: true })
    writeFileSync(join(modules, name, 'package.json'),
      `{ "name": "${name}", "type": "module", "exports": { "types": "./index.d.ts", "default": "./index.js" } }`)
    writeFileSync(join(modules, name, 'index.js'), runner)
    writeFileSync(join(modules, name, 'index.d.ts'), runnerTypes)
    const own = name === 'vitest'
      ? {}
      : { "from 'vitest'": "from '@playwright/test'", 'chainstage/vitest': 'chainstage/playwright' }
    const { path, said } = await compiled(name.replace(/\W/g, ''), snippet("from 'vitest'", own))
    t.is(said, '')
    t.deepEqual(await run([path]), { code: 0, out: 'passed: a block is made when asked\n' })
  })
}

test.serial('the recorded profile, the dashboard and the recording that come with it work', async (t) => {
  const { path, said } = await compiled('more', `
    import { start } from 'chainstage'
    import { chainFixtures } from 'chainstage/vitest'
    const chain = await start({ ports: 'free', settings: { profile: 'evmd' } })
    const page = await fetch(chain.urls.control)
    console.log(await chain.eth.request({ method: 'eth_chainId' }), page.status,
      (await page.text()).includes('<title>'), Object.keys(chainFixtures()))
    process.exit()
  `)
  t.is(said, '')
  t.regex((await run([path])).out, /^0x40000 200 true/)
  const replayed =
    await run([main, 'replay', 'node_modules/chainstage/snapshots/erc20-transfer.jsonl'])
  t.is(replayed.code, 0, replayed.out)
})

test.serial('publint finds nothing to say about the package', async (t) => {
  const { messages } =
    await publint({ pkgDir: join(modules, 'chainstage'), pack: false, strict: true })
  t.deepEqual(messages, [])
})

const knip = process.env['KNIP'] ?? join(root, 'node_modules/knip/bin/knip.js')

if (existsSync(knip)) {
  test.serial('knip finds nothing that is unused', async (t) => {
    const { code, out } = await run([knip, '--no-progress', '--directory', root])
    t.deepEqual({ code, out }, { code: 0, out: '' })
  })
} else {
  test(
    'there is no knip here: what is unused is not looked for (KNIP=path/to/knip.js, as .ci/run has it)',
    (t) => t.pass()
  )
}
