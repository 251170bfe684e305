/** What `chainstage new` writes is green at once, with the package as npm packs it. */
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { onPath } from './docs/tools.ts'
import { chromium, nodeIn, npmTest, startNode, vitest } from './helpers/npmTest.ts'
import { packedProject } from './helpers/packed.ts'
import { eventually } from './helpers/server.ts'

const project = packedProject([
  'viem',
  'ava',
  '@playwright/test',
  'playwright-core',
  'hardhat',
  'ethers',
  '@nomicfoundation/hardhat-ethers',
  '@cosmjs/stargate',
  '@cosmjs/proto-signing',
])
const { folder, modules } = project
const main = join(modules, 'chainstage/dist/program/main.js')

test.after.always(project.remove)

const isGreen = test.macro(async (t, kind: string) => {
  const begun = Date.now()
  const name = `with-${kind}`
  const made = await project.run([main, 'new', name, '--with', kind])
  t.is(made.code, 0, made.out)
  t.regex(made.out, /wrote \.github\/workflows\/test\.yml[^]*npm install\n {2}npm test/)
  const again = await project.run([main, 'new', name, '--with', kind])
  t.is(again.code, 7)
  t.regex(again.out, /already[^]*chainstage new my-dapp/)
  const at = join(folder, name)
  const { code, out } = await npmTest(project, at)
  t.is(code, 0, out)
  t.log(`${kind}: ${Date.now() - begun} ms`)
  const checked = await nodeIn(project, at, [main, 'check', 'chainstage.json5'])
  t.is(checked.code, 0, checked.out)
})

const needing = (has: boolean) => (has ? test.serial : test.skip)

test.serial("a new project for Node's own test runner is green", isGreen, 'node')
test.serial('a new project with AVA and viem is green', isGreen, 'ava')
test.serial('a new project with cosmjs is green', isGreen, 'cosmjs')
test.serial('a new project with Hardhat is green', isGreen, 'hardhat')
needing(vitest !== undefined)('a new project with Vitest is green (RUNNERS=folder with vitest)', isGreen, 'vitest')
needing(vitest !== undefined)('Vitest runs the tests of a new project again when its scenario is saved', async (t) => {
  const at = join(folder, 'with-vitest')
  const { child, out } = startNode(project, at, [join(vitest ?? '', 'vitest.mjs'), '--watch'])
  try {
    await eventually(() => /PASS {2}Waiting/.test(out()))
    appendFileSync(join(at, 'chainstage.json5'), '\n')
    await eventually(() => /PASS {2}Waiting[^]*RERUN {2}chainstage\.json5[^]*PASS {2}Waiting/.test(out()))
    t.pass()
  } finally {
    child.kill()
  }
})
needing(chromium !== undefined)('a new project with Playwright is green (CHROMIUM=path)', isGreen, 'playwright')
needing(onPath('forge'))('a new project with Foundry is green (forge on the PATH)', isGreen, 'foundry')
