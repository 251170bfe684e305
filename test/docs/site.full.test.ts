/** The documentation site is built without dead links, and its page of the TypeScript API is fresh. */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { root } from '../helpers/packed.ts'
import { pages } from './blocks.ts'

const hasTools = existsSync(join(root, 'docs/node_modules/vitepress'))

const withTools = hasTools ? test.serial : test.skip

withTools('the site has a page for each file, and TypeDoc writes the page that is committed', (t) => {
  const path = join(root, 'docs/reference/typescript-api.md')
  const committed = readFileSync(path, 'utf8')
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'scripts/docs.mjs'), 'build'], {
    cwd: root,
    encoding: 'utf8',
  })
  const written = readFileSync(path, 'utf8')
  writeFileSync(path, committed)
  t.is(status, 0, `${stdout}${stderr}`)
  t.is(written, committed, 'npm run docs api writes it')
  for (const page of pages().filter((one) => one.startsWith('docs/'))) {
    const html = join(root, 'dist/site', page.slice('docs/'.length).replace(/\.md$/, '.html'))
    t.true(existsSync(html), html)
  }
})
