/** Every project in examples/ is green with the package as npm packs it. */
import { cpSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { chromium, nodeIn, npmTest, vitest } from './helpers/npmTest.ts'
import { packedProject, root } from './helpers/packed.ts'

const project = packedProject([
  ...['viem', 'ava', '@playwright/test', 'playwright-core', 'hardhat', 'ethers', '@nomicfoundation/hardhat-ethers'],
  ...['@cosmjs/stargate', '@cosmjs/tendermint-rpc'],
])

test.after.always(project.remove)

const isGreen = test.macro(async (t, name: string) => {
  const at = join(project.folder, name)
  cpSync(join(root, 'examples', name), at, { recursive: true })
  const { code, out } = await npmTest(project, at)
  t.is(code, 0, out)
  t.regex(out, /[1-9] (?:tests? )?pass(?:ed|ing)|[1-9]\d* passed/)
  const { scripts } = JSON.parse(readFileSync(join(at, 'package.json'), 'utf8')) as { scripts: Record<string, string> }
  const [program, ...words] = scripts['replay']?.split(' ') ?? []
  if (program === undefined) return
  t.is(program, 'chainstage')
  const replayed = await nodeIn(project, at, [join(project.modules, 'chainstage/dist/program/main.js'), ...words])
  t.is(replayed.code, 0, replayed.out)
  t.regex(replayed.out, /inputs, every output the same/)
})

/** Whether the runner that an example needs is here. */
const runs: Readonly<Record<string, boolean>> = {
  'cosmjs-ava': true,
  'hardhat-fork': true,
  'viem-vitest': vitest !== undefined,
  'wallet-playwright': chromium !== undefined,
}

for (const [name, isHere] of Object.entries(runs)) {
  ;(isHere ? test.serial : test.skip)(`the example ${name} is green (RUNNERS and CHROMIUM name runners)`, isGreen, name)
}

test.serial('every example is run, and every recording that comes along is used by one', (t) => {
  const folders = readdirSync(join(root, 'examples'), { withFileTypes: true }).filter((one) => one.isDirectory())
  // exampleFleet.full.test.ts runs the containers of fleet.
  t.deepEqual(folders.map(({ name }) => name).toSorted(), [...Object.keys(runs), 'fleet'].toSorted())
  const text = ['cosmjs-ava/package.json', 'hardhat-fork/run.mjs']
    .map((name) => readFileSync(join(root, 'examples', name), 'utf8'))
    .join('\n')
  for (const name of readdirSync(join(root, 'snapshots'))) t.true(text.includes(`snapshots/${name}`), name)
})
