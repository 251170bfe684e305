/** Pages of the documentation that are generated are fresh, and links between pages lead somewhere. */
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import test from 'ava'
import JSON5 from 'json5'
import { fault, scenario } from '../../src/scenario/schema.ts'
import { blocksOf, pages } from './blocks.ts'
import { scenarioKeys } from './keysPage.ts'
import { generatedPages } from './referencePages.ts'
import { neededTools, tools } from './tools.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const text = (name: string) => readFileSync(join(root, name), 'utf8')

test('generated pages are as declared (node scripts/reference.mjs writes them)', (t) => {
  for (const [path, generated] of Object.entries(generatedPages)) t.is(text(join('docs', path)), generated(), path)
})

test('the page of the TypeScript API names every parameter and type (npm run docs api writes it)', (t) => {
  const page = text('docs/reference/typescript-api.md')
  t.regex(page, /^### start\(\)$/m)
  t.notRegex(page, /__namedParameters|\.\.\./)
})

test('the README has at most 150 lines', (t) => {
  t.true(text('README.md').split('\n').length <= 150)
})

test('every page is in the index, and every heading that a link names exists', (t) => {
  const index = text('docs/index.md')
  const inDocs = pages().filter((page) => /^docs\/.+\//.test(page))
  t.deepEqual(
    inDocs.filter((page) => !index.includes(`(${page.slice('docs/'.length)})`)),
    [],
  )
  const anchors = (page: string) =>
    [...text(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\w\s-]/g, '')
        .trim()
        .replaceAll(/\s/g, '-'),
    )
  const named = pages().flatMap((page) =>
    [...text(page).matchAll(/\]\(([^)#\s:]+\.md)#([^)]+)\)/g)].map(([, path = '', anchor = '']) => ({
      page,
      path: join(dirname(page), path),
      anchor,
    })),
  )
  t.deepEqual(
    named.filter(({ path, anchor }) => !anchors(path).includes(anchor)),
    [],
  )
})

test('the page on test runners shows the configuration of Vitest that a new project has', (t) => {
  const shown = blocksOf('docs/how-to/test-runners.md').find(({ tags }) => tags['file'] === 'vitest.config.ts')
  t.is(shown?.text, text('templates/vitest/vitest.config.ts'))
})

test('every relative link of the documentation leads to a file', (t) => {
  const names = pages()
  t.true(names.length > 40)
  const dead = names.flatMap((page) =>
    [...text(page).matchAll(/\]\((?!https?:|#)([^)#\s]+)[^)]*\)/g)]
      .map(([, link = '']) => link)
      .filter((link) => !existsSync(join(root, dirname(page), link)))
      .map((link) => `${page}: ${link}`),
  )
  t.deepEqual(dead, [])
})

/** Returns the paths of the files that `npm pack` would put into the tarball. */
function packedPaths(): ReadonlySet<string> {
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
  const [{ files }] = JSON.parse(
    execFileSync(npm, ['pack', '--dry-run', '--json', '--ignore-scripts', '--offline'], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      maxBuffer: 1 << 26,
      shell: process.platform === 'win32',
    }),
  ) as [{ files: readonly { path: string }[] }]
  return new Set(files.map(({ path }) => path))
}

test('every relative link of a page in the package leads to a file in the package', (t) => {
  const packed = packedPaths()
  const isPage = (path: string) => /^(?:[^/]*|docs\/.*|examples\/.*)\.md$/.test(path)
  const inPackage = [...packed].filter(isPage)
  t.true(inPackage.length > 40)
  const dead = inPackage.flatMap((page) =>
    [...text(page).matchAll(/\]\((?!https?:|#)([^)#\s]+)[^)]*\)/g)]
      .map(([, link = '']) => link)
      .filter((link) => !packed.has(join(dirname(page), link).replaceAll('\\', '/')))
      .map((link) => `${page}: ${link}`),
  )
  t.deepEqual(dead, [])
  t.deepEqual(
    [...packed].filter((path) => path.includes('node_modules/') || /^docs\/.*\.json$/.test(path)),
    [],
  )
})

/** Codes that reach users by commands and the control API; those of `src/codec` and `src/app` become wire errors. */
const codeFolders = ['shell', 'settings', 'scenario', 'simulation']

test('every code of an error that users meet is in the reference', (t) => {
  const page = text('docs/reference/exit-and-error-codes.md')
  const codes = codeFolders.flatMap((folder) =>
    readdirSync(join(root, 'src', folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .flatMap((name) => [
        ...text(join('src', folder, name)).matchAll(/\b(?:super\(\s*|code: (?=[^,]+, message))'([A-Z_]{4,})'/g),
      ])
      .map(([, code = '']) => code),
  )
  t.true(codes.length > 60)
  t.deepEqual(
    codes.filter((code) => !page.includes(`\`${code}\``)),
    [],
  )
})

test('a word after the language of a code block is one that the tests know', (t) => {
  const known = new Set(['file', 'exit', 'fault', 'needs', 'skip', 'stop', 'steps', 'unchecked'])
  const blocks = pages().flatMap(blocksOf)
  t.true(blocks.length > 100)
  t.deepEqual(
    blocks.filter(({ tags }) => Object.keys(tags).some((tag) => !known.has(tag))).map(({ where }) => where),
    [],
  )
})

/** What the tests of the documentation do not have; `example` shows output that no command of the page prints. */
const absent = new Set(['browser', 'clone', 'docker', 'example'])

test('a block is skipped for a known reason, and few are', (t) => {
  const skipped = pages()
    .flatMap(blocksOf)
    .filter(({ tags }) => 'skip' in tags)
  t.deepEqual(
    skipped.filter(({ tags }) => !absent.has(tags['skip'] ?? '')).map(({ where }) => where),
    [],
  )
  t.true(skipped.length <= 9, `${skipped.length} blocks are skipped`)
  const needed = pages()
    .flatMap(blocksOf)
    .flatMap(({ tags }) => neededTools(tags))
  t.true(needed.length > 8)
  t.deepEqual(
    needed.filter((name) => tools[name] === undefined),
    [],
  )
})

test('every JSON5 block is a scenario or a fault, by the schema', (t) => {
  const blocks = pages()
    .flatMap(blocksOf)
    .filter(({ language, tags }) => language === 'json5' && !('skip' in tags || 'unchecked' in tags))
  t.true(blocks.length > 15)
  for (const { where, text: body, tags } of blocks) {
    const { success, error } = ('fault' in tags ? fault : scenario).safeParse(JSON5.parse(body))
    t.true(success, `${where}: ${error?.message}`)
  }
})

/** Pages that introduce parts of the scenario format, and the keys whose parts they introduce. */
const introduced = {
  'docs/reference/scenario.md': ['', 'when', 'do', 'expect', 'run'],
  'docs/reference/faults.md': ['match', 'select', 'effect'],
}

test('the pages on scenarios and faults name every key of their parts', (t) => {
  const keys = scenarioKeys()
  t.true([...keys.values()].reduce((sum, { size }) => sum + size, 0) > 350)
  for (const [page, parents] of Object.entries(introduced)) {
    const words = new Set(text(page).match(/[$\w]+/g))
    const missing = parents.flatMap((parent) =>
      [...(keys.get(parent)?.keys() ?? [])].filter((key) => !words.has(key)).map((key) => `${parent}.${key}`),
    )
    t.deepEqual(missing, [], page)
  }
})
