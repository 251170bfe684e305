import { readdirSync, readFileSync } from 'node:fs'
import test from 'ava'
import { breaches } from './helpers/tidy.ts'

const root = new URL('../../src/', import.meta.url)

function sources(): Map<string, string> {
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' })
  return new Map(
    names
      .filter((name) => /\.tsx?$/.test(name))
      .sort()
      .map((name) => [name, readFileSync(new URL(name, root), 'utf8')]),
  )
}

test('the source keeps the house rules', (t) => {
  t.deepEqual(breaches(sources()), [])
})

const planted = test.macro((t, path: string, text: string, expected: string) => {
  const found = breaches(new Map([...sources(), [path, text]])).filter((line) => line.startsWith(path))
  t.true(
    found.some((line) => line.includes(expected)),
    found.join('\n'),
  )
})

test(
  'an import against the arrows is found',
  planted,
  'chain/planted.ts',
  "import { serve } from '../rpc/serve.ts'\n",
  'chain must not import rpc',
)
test(
  'an import between neighbours of one layer is found',
  planted,
  'scenario/planted.ts',
  "import { replay } from '../recording/replay.ts'\n",
  'scenario must not import recording',
)
test(
  'a package in a foreign folder is found',
  planted,
  'rpc/planted.ts',
  "import koa from 'koa'\n",
  'rpc must not import koa',
)
test(
  'a node module in the core is found',
  planted,
  'node/planted.ts',
  "import { readFileSync } from 'node:fs'\n",
  'node must not import node:fs',
)
test(
  'a file that is written outside of its folder is found',
  planted,
  'shell/planted.ts',
  "import {\n  readFile, writeFile,\n} from 'node:fs/promises'\n",
  'writeFile is for shell/durable/disk.ts alone',
)
test(
  'the clock in the core is found',
  planted,
  'chain/planted.ts',
  'export const now = () => Date.now()\n',
  'the clock',
)
test('a timer in the core is found', planted, 'node/planted.ts', 'setTimeout(() => {}, 1)\n', 'a timer')
test('async in the core is found', planted, 'feed/planted.ts', 'export async function f() {}\n', 'async')
test('entropy in the core is found', planted, 'fault/planted.ts', 'export const draw = Math.random()\n', 'entropy')
test('a file over 300 lines is found', planted, 'data/planted.ts', 'export const a = 1\n'.repeat(301), '301 lines')
test(
  'a line over 120 columns is found',
  planted,
  'data/planted.ts',
  `export const total = ${'1 + '.repeat(30)}1\n`,
  '142 columns',
)
test(
  'a function over 70 lines is found',
  planted,
  'data/planted.ts',
  `export function long() {\n${'  step()\n'.repeat(70)}}\n`,
  'long has 72 lines',
)
test(
  'a method file with another name than its method is found',
  planted,
  'rpc/eth/eth_planted.ts',
  "export const x = query({\n  name: 'eth_other',\n",
  'declares eth_other',
)
test(
  'a method that its table does not list is found',
  planted,
  'rpc/eth/eth_planted.ts',
  "export const x = query({\n  name: 'eth_planted',\n",
  'does not list it',
)
test(
  'a table of methods with a method of another namespace is found',
  planted,
  'rpc/eth/planted.ts',
  "export const planted: readonly Method[] = [\n  query({\n    ...declared, name: 'eth_other',\n",
  'declares eth_other',
)
test(
  'a table of methods that the interface does not list is found',
  planted,
  'rpc/eth/planted.ts',
  "export const planted: readonly Method[] = [\n  query({\n    ...declared, name: 'planted_one',\n",
  'does not list it',
)
test('an any is found', planted, 'data/planted.ts', 'export const x = (y: any) => y\n', 'no any')
test('files that import each other are found, if only for types', (t) => {
  const found = breaches(
    new Map([
      ['data/a.ts', "import { b } from './b.ts'\n"],
      ['data/b.ts', "import { c } from './c.ts'\n"],
      ['data/c.ts', "import type { A } from './a.ts'\n"],
      ['data/d.ts', "import { a } from './a.ts'\n"],
    ]),
  )
  t.deepEqual(found, ['data/a.ts: imports itself by way of data/b.ts, data/c.ts'])
})
test('a file that imports itself when it is run is found', (t) => {
  const found = breaches(
    new Map([
      ['shell/a.ts', "const load = async () => (await import('./b.ts')).b\n"],
      ['shell/b.ts', "import { a } from './a.ts'\n"],
    ]),
  )
  t.deepEqual(found, ['shell/a.ts: imports itself by way of shell/b.ts'])
})
test('two folders that import each other are found', (t) => {
  const found = breaches(
    new Map([
      ['rpc/eth/a.ts', "import { b } from '../dev/b.ts'\n"],
      ['rpc/dev/b.ts', ''],
      ['rpc/dev/c.ts', "import { d } from '../eth/d.ts'\n"],
      ['rpc/eth/d.ts', "import { e } from '../e.ts'\n"],
      ['rpc/e.ts', ''],
      ['rpc/f.ts', "import { d } from './eth/d.ts'\n"],
    ]),
  )
  t.deepEqual(found, [
    'rpc/eth/a.ts: rpc/eth and rpc/dev import each other',
    'rpc/dev/c.ts: rpc/dev and rpc/eth import each other',
  ])
})
test('words in comments and texts are no breach', (t) => {
  const text = "/** Date.now is banned. */\n// setTimeout too\nexport const a = 'process.exit'\n"
  t.deepEqual(breaches(new Map([['data/planted.ts', text]])), [])
})
