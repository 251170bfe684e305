/** Every code block of the documentation works, in a project with the packed package. PAGES=README,how-to runs some pages. */
import { existsSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { packedProject } from '../helpers/packed.ts'
import { blocksOf, pages } from './blocks.ts'
import { writeShims } from './shims.ts'
import { storyIn } from './story.ts'
import { missingTools } from './tools.ts'

const packages = [
  'viem',
  'ava',
  'ethers',
  '@playwright/test',
  'playwright-core',
  'hardhat',
  '@nomicfoundation/hardhat-ethers',
  '@cosmjs/amino',
  '@cosmjs/stargate',
  '@cosmjs/proto-signing',
  '@cosmjs/tendermint-rpc',
  'cosmjs-types',
  '@types/node',
]
const project = packedProject(packages)

/** A folder with the real Vitest in node_modules, as .ci/run sets it. */
const runners = join(process.env['RUNNERS'] ?? '', 'node_modules')
const vitest = ['vitest-4', 'vitest'].map((name) => join(runners, name)).find(existsSync)
if (vitest !== undefined) symlinkSync(vitest, join(project.modules, 'vitest'), 'junction')
writeShims(project, [...packages, 'vitest'])

test.after.always(project.remove)

const wanted = (process.env['PAGES'] ?? '').split(',')
const chosen = pages().filter((page) => wanted.some((part) => page.includes(part)))
for (const page of chosen) {
  const blocks = blocksOf(page)
  const needsVitest = blocks.some(({ text }) => /vitest/.test(text))
  const run = blocks.length === 0 || (needsVitest && vitest === undefined) ? test.skip : test.serial
  run(`${page}: its ${blocks.length} code blocks work`, async (t) => {
    const isReadme = page === 'README.md'
    const story = await storyIn(project, { name: page.replaceAll(/\W/g, '-'), blocks, isInstalled: isReadme })
    const begun = Date.now()
    const seconds = () => (Date.now() - begun) / 1000
    try {
      for (const block of blocks) {
        await story.follow(block)
        const missing = missingTools(block.tags)
        const end = missing.length === 0 ? `${seconds().toFixed(1)} s` : `left out without ${missing.join(', ')}`
        t.log(`${block.where} ${block.language} ${end}`)
      }
      // From npm install to the last command: two minutes are promised for the first green test alone.
      if (isReadme) t.true(seconds() < 120, `the README took ${seconds().toFixed(1)} s`)
      else t.pass()
    } finally {
      await story.end()
    }
  })
}
