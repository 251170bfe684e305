/** The comparison page names a test for each request of users of other tools. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import test from 'ava'

const root = new URL('../../../', import.meta.url)
const readme = readFileSync(new URL('docs/explanation/comparison.md', root), 'utf8')
const rows = new Map(
  [...readme.matchAll(/^\| (\d+) \| .* \| (.*) \|$/gm)].map(([, number, where = '']) => [Number(number), where]),
)

test('every wish has its row', (t) => {
  t.deepEqual(
    [...rows.keys()],
    Array.from({ length: 54 }, (_, index) => index + 1),
  )
})

test('every file that the table names is there', (t) => {
  for (const where of rows.values()) {
    for (const [, path = ''] of where.matchAll(/`((?:test|scenarios)\/[^`]*)`/g))
      t.true(existsSync(new URL(path, root)), path)
  }
})

test('every test that bears a number is named in its row, and every file there has one', (t) => {
  const files = ['test', 'test/demands', 'test/shell', 'test/shell/cli', 'test/shell/control', 'test/rpc/dev'].flatMap(
    (folder) =>
      readdirSync(new URL(`${folder}/`, root))
        .filter((name) => name.endsWith('.test.ts') && name !== 'table.test.ts')
        .map((name) => `${folder}/${name}`),
  )
  for (const file of files) {
    const titles = [
      ...readFileSync(new URL(file, root), 'utf8').matchAll(
        /^\s*(?:test(?:\.serial)?|browsing)\('demands? (\d+)(?: and (\d+))?/gm,
      ),
    ]
    for (const number of titles.flatMap(([, ...numbers]) => numbers.filter((one) => one !== undefined).map(Number))) {
      t.true(rows.get(number)?.includes(file), `demand ${number} in ${file}`)
    }
  }
  for (const [number, where] of rows) {
    const scenarios = [...where.matchAll(/`(scenarios\/[^`]*)`/g)].map(([, path = '']) =>
      readFileSync(new URL(path, root), 'utf8'),
    )
    const isTested = /`test\//.test(where) || scenarios.some((text) => text.includes(`'demand ${number}'`))
    t.true(
      isTested || where.startsWith('cannot be'),
      `demand ${number} has neither a test nor a scenario of its number`,
    )
    for (const [, file = ''] of where.matchAll(/`(test\/demands\/[^`]*)`/g)) {
      t.regex(
        readFileSync(new URL(file, root), 'utf8'),
        new RegExp(`demand ${number}\\b`),
        `${file} has no demand ${number}`,
      )
    }
  }
})
