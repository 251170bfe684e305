/** Every code block of the documentation works, in a project with the packed package. PAGES=README,how-to runs some pages. */
import { existsSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { packedProject } from '../helpers/packed.ts'
import { blocksOf, pages } from './blocks.ts'
import { storyIn, writeShims } from './story.ts'

const packages = [
  'viem',
  'ava',
  'ethers',
  '@playwright/test',
  'playwright-core',
  'hardhat',
  '@nomicfoundation/hardhat-ethers',
  '@cosmjs/stargate',
  '@cosmjs/proto-signing',
  '@cosmjs/tendermint-rpc',
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
    const story = await storyIn(project, page.replaceAll(/\W/g, '-'), blocks)
    try {
      const begun = Date.now()
      for (const block of blocks) {
        await story.follow(block)
        t.log(`${block.where} ${block.language} ${((Date.now() - begun) / 1000).toFixed(1)} s`)
      }
      t.pass()
    } finally {
      await story.end()
    }
  })
}
