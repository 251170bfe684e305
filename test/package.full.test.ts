/** The package as npm packs it, in a project that has nothing else than what it says it needs. */
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { blocksOf } from './docs/blocks.ts'
import { packedProject, root } from './helpers/packed.ts'

const tsc = join(root, 'node_modules/typescript/bin/tsc')
// The tester's project brings clients along, a test runner, the types of Node.
const { folder: project, modules, run, remove } = packedProject(['viem', '@cosmjs/stargate', 'ava', '@types/node'])
const main = join(modules, 'chainstage/dist/program/main.js')

/** Compiles a file as a strict project does, and returns the path of what came out. */
async function compiled(name: string, text: string): Promise<{ path: string; said: string }> {
  writeFileSync(join(project, `${name}.ts`), text)
  const { out: said } = await run([
    tsc,
    '--strict',
    '--module',
    'nodenext',
    '--target',
    'es2022',
    '--lib',
    'es2023,esnext.disposable,dom',
    '--types',
    'node',
    '--skipLibCheck',
    `${name}.ts`,
  ])
  return { path: join(project, `${name}.js`), said }
}

/** The TypeScript of the page about test runners that says a word. */
function snippet(word: string): string {
  return (
    blocksOf('docs/how-to/test-runners.md').find(({ language, text }) => language === 'ts' && text.includes(word))
      ?.text ?? ''
  )
}

test.after.always(remove)

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
  type Fixtures<All> = { [Name in keyof All]: (needs: object, use: (value: All[Name]) => Promise<void>) => Promise<void> }
  type Test<All> = ((title: string, body: (found: All) => Promise<void>) => void) & { extend<More>(fixtures: Fixtures<More>): Test<All & More> }
  export const test: Test<{}>
  export const expect: (actual: unknown) => { toBe(wanted: unknown): void }
`

for (const name of ['vitest', '@playwright/test']) {
  test.serial(`the guide's file for ${name} passes in a runner that takes fixtures as that does`, async (t) => {
    mkdirSync(join(modules, name), { recursive: true })
    writeFileSync(
      join(modules, name, 'package.json'),
      `{ "name": "${name}", "type": "module", "exports": { "types": "./index.d.ts", "default": "./index.js" } }`,
    )
    writeFileSync(join(modules, name, 'index.js'), runner)
    writeFileSync(join(modules, name, 'index.d.ts'), runnerTypes)
    const text = snippet("from 'vitest'")
      .replace("from 'vitest'", `from '${name}'`)
      .replace('chainstage/vitest', name === 'vitest' ? 'chainstage/vitest' : 'chainstage/playwright')
    const { path, said } = await compiled(name.replace(/\W/g, ''), text)
    t.is(said, '')
    t.deepEqual(await run([path]), { code: 0, out: 'passed: mines when asked\n' })
  })
}

/** A folder with `vitest-3`, `vitest-4`, `vitest-5` and `@playwright/test` in node_modules. */
const runners = process.env['RUNNERS']
const checkedWith = runners === undefined ? test.skip : test.serial

for (const name of ['vitest-3', 'vitest-4', 'vitest-5', '@playwright/test']) {
  checkedWith(`the guide's file type-checks with the real ${name} (RUNNERS, as .ci/run sets it)`, async (t) => {
    const link = name.replace('@playwright/test', 'real-playwright')
    symlinkSync(join(runners ?? '', 'node_modules', name), join(modules, link), 'junction')
    const text = snippet("from 'vitest'")
      .replace("from 'vitest'", `from '${link}'`)
      .replace('chainstage/vitest', name === '@playwright/test' ? 'chainstage/playwright' : 'chainstage/vitest')
    t.is((await compiled(`with-${link}`, text)).said, '')
    const wrong = await compiled(`wrong-${link}`, text.replace('chain.mine(2)', "chain.mine('2')"))
    t.regex(wrong.said, /^wrong-\S+: error TS2345: .*'string'.*'number'[^]*$/)
  })
}

checkedWith(
  'the files of the guide for Playwright type-check with the real one (RUNNERS, as .ci/run sets it)',
  async (t) => {
    const link = 'guide-playwright'
    symlinkSync(join(runners ?? '', 'node_modules/@playwright/test'), join(modules, link), 'junction')
    const own = blocksOf('docs/how-to/test-runners.md').filter(
      ({ language, text }) => language === 'ts' && text.includes("from '@playwright/test'"),
    )
    t.is(own.length, 3)
    for (const [index, { text }] of own.entries()) {
      t.is((await compiled(`guide${index}`, text.replace("'@playwright/test'", `'${link}'`))).said, '')
    }
    const [first] = own
    const wrong = await compiled(
      'guide-wrong',
      (first?.text ?? '').replace("'@playwright/test'", `'${link}'`).replace('chain.mine(4)', "chain.mine('4')"),
    )
    t.regex(wrong.said, /TS2345/)
  },
)

test.serial('the recorded profile, the dashboard and the recording that come with it work', async (t) => {
  const { path, said } = await compiled(
    'more',
    `
    import { start } from 'chainstage'
    import { chainFixtures } from 'chainstage/vitest'
    const chain = await start({ ports: 'free', settings: { profile: 'evmd' } })
    const page = await fetch(chain.urls.control)
    console.log(await chain.eth.request({ method: 'eth_chainId' }), page.status,
      (await page.text()).includes('<title>'), Object.keys(chainFixtures()))
    process.exit()
  `,
  )
  t.is(said, '')
  t.regex((await run([path])).out, /^0x40000 200 true/)
  const replayed = await run([main, 'replay', 'node_modules/chainstage/snapshots/erc20-transfer.jsonl'])
  t.is(replayed.code, 0, replayed.out)
})

test.serial('it brings no other package and no install script, and has at most 20 MB', (t) => {
  const folder = join(modules, 'chainstage')
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
  const needs = ['dependencies', 'optionalDependencies', 'peerDependencies', 'bundleDependencies']
  t.deepEqual(
    Object.keys(manifest).filter((key) => needs.includes(key)),
    [],
  )
  const atInstall = ['preinstall', 'install', 'postinstall', 'prepare']
  t.deepEqual(
    Object.keys(manifest.scripts).filter((name) => atInstall.includes(name)),
    [],
  )
  t.false(existsSync(join(folder, 'binding.gyp')), 'npm would compile')
  const sizes = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => statSync(join(folder, name)))
    .filter((entry) => entry.isFile())
    .map(({ size }) => size)
  const megabytes = sizes.reduce((sum, size) => sum + size, 0) / 1e6
  t.true(megabytes > 5 && megabytes <= 20, `${megabytes} MB`)
})

test.serial('what code it has of others is listed with the license that this is under', (t) => {
  const listed = readFileSync(join(modules, 'chainstage/dist/program/THIRD-PARTY.md'), 'utf8')
  const sections = listed.split(/^## /m).slice(1)
  const names = sections.map((section) => section.slice(0, section.indexOf(' ')))
  const { dependencies } = JSON.parse(readFileSync(join(root, 'src/package.json'), 'utf8')) as {
    dependencies: Record<string, string>
  }
  t.deepEqual(
    Object.keys(dependencies).filter((name) => !names.includes(name)),
    ['rolldown'],
  )
  for (const section of sections) t.regex(section, /^License: [\w.-]+$/m)
})

test.serial('signatures are recovered by native code where there is a binary for this machine', async (t) => {
  const { path } = await compiled(
    'native',
    `
    import { start } from 'chainstage'
    const chain = await start({ ports: 'none' })
    const { sharedObjects } = process.report.getReport() as unknown as { sharedObjects: string[] }
    console.log(sharedObjects.some((name) => name.includes('secp256k1')))
    await chain.close()
  `,
  )
  const binaries = readdirSync(join(modules, 'chainstage/dist/program/secp256k1/prebuilds'))
  t.true(binaries.includes('linux-x64'))
  const isThere = binaries.includes(`${process.platform}-${process.arch}`)
  t.deepEqual(await run([path]), { code: 0, out: `${isThere}\n` })
})

test.serial('a tracer in JavaScript runs', async (t) => {
  const { path, said } = await compiled(
    'tracer',
    `
    import { start } from 'chainstage'
    const chain = await start({ ports: 'none' })
    const tracer = '{ step: function () {}, fault: function () {}, result: function () { return bigInt(2).pow(70).toString() } }'
    const to = '0x00000000000000000000000000000000000000ff'
    console.log(await chain.eth.request({ method: 'debug_traceCall', params: [{ to }, 'latest', { tracer }] }))
    await chain.close()
  `,
  )
  t.is(said, '')
  t.deepEqual(await run([path]), { code: 0, out: `${2n ** 70n}\n` })
})

test.serial('stack traces name the sources with --enable-source-maps', async (t) => {
  const { path } = await compiled(
    'mapped',
    `
    import { start } from 'chainstage'
    console.log(await start({ scenario: 'missing.json5' }).catch((error: Error) => error.stack))
  `,
  )
  const { out } = await run(['--enable-source-maps', path])
  t.regex(out, /chainstage\/src\/\w[\w/]*\.ts:\d+/)
  t.regex(out, /^\w+: .*missing\.json5/)
})

const knip = process.env['KNIP'] ?? join(root, 'node_modules/knip/bin/knip.js')

const withKnip = existsSync(knip) ? test.serial : test.skip

withKnip('knip finds nothing that is unused (KNIP=path/to/knip.js, as .ci/run sets it)', async (t) => {
  const { code, out } = await run([knip, '--no-progress', '--directory', root])
  t.deepEqual({ code, out }, { code: 0, out: '' })
})
