/**
 * The container file says what is so: its files, addresses and ports. Its steps are run in the full
 * set.
 */
import { existsSync, readFileSync } from 'node:fs'
import test from 'ava'
import { resolveSettings } from '../src/shell/config/resolve.ts'
import { copyOf, environmentOf, isIgnored, stagesOf, textsOf, type Stage } from './helpers/dockerfile.ts'

const root = new URL('../../', import.meta.url)
const text = (name: string) => readFileSync(new URL(name, root), 'utf8')
const stages = stagesOf(text('Dockerfile'))
const last = stages.at(-1) as Stage
const settingsOf = (environment: Record<string, string>) =>
  resolveSettings({ flags: new Map(), environment, files: undefined, scenario: undefined })
const settings = settingsOf(environmentOf(last))

test('everything that the container copies is there and is not kept from the builder', (t) => {
  const copied = stages.flatMap((stage) => textsOf(stage, 'COPY')).map(copyOf)
  for (const { sources } of copied.filter(({ from }) => from === undefined)) {
    for (const path of sources) {
      t.true(existsSync(new URL(path, root)), path)
      t.false(isIgnored(path, text('.dockerignore')), path)
    }
  }
  t.true(isIgnored('node_modules', text('.dockerignore')) && isIgnored('dist/program', text('.dockerignore')))
})

// Types are for compilers, these pages for readers of the package; the program reads none of them.
const unread = [
  'dist/types',
  'examples',
  'docs/**/*.md',
  'docs/public',
  '!**/node_modules',
  'CHANGELOG.md',
  'SECURITY.md',
]

test('every file of the package that the program reads is in the container', (t) => {
  const { files } = JSON.parse(text('package.json')) as { files: readonly string[] }
  const there = textsOf(last, 'COPY')
    .map(copyOf)
    .flatMap(({ sources }) => sources.map((path) => path.replace(/^\/build\//, '')))
  const running = files.filter((path) => !unread.includes(path))
  t.deepEqual(
    unread.filter((path) => !files.includes(path)),
    [],
  )
  t.deepEqual(
    running.filter((path) => !there.includes(path)),
    [],
  )
})

test('what listens in a container is reached from outside, and the control port is not', (t) => {
  const ports = textsOf(last, 'EXPOSE')
    .flatMap((line) => line.split(' '))
    .map(Number)
  const open = [
    settings.rpcLaddr,
    settings.ethAddress,
    settings.ethWsAddress,
    settings.apiAddress,
    settings.grpcAddress,
  ]
  t.deepEqual(
    open.map((where) => where.replace(/^tcp:\/\//, '')),
    ports.map((port) => `0.0.0.0:${port}`),
  )
  t.is(settings.controlAddress, '127.0.0.1:8555')
  t.false(settings.controlExposed)
})

test('it runs as nobody special on the Node that the package asks for', (t) => {
  const { engines } = JSON.parse(text('package.json')) as { engines: { node: string } }
  const major = /^>=(\d+)/.exec(engines.node)?.[1]
  for (const stage of stages) {
    t.regex(textsOf(stage, 'FROM').join(), new RegExp(`^node:${major}-slim`))
  }
  t.deepEqual(textsOf(last, 'USER'), ['node'])
  t.deepEqual(textsOf(last, 'CMD'), ['["start"]'])
})

test('the compose file of the README lets the others of its network in by name', (t) => {
  const compose = /```yaml\n(services:[\s\S]*?)```/.exec(text('docs/how-to/ci-and-containers.md'))?.[1] ?? ''
  const environment = Object.fromEntries(
    [...compose.matchAll(/^ {6}(CHAINSTAGE_\w+): (.*)$/gm)].map(([, name = '', value = '']) => [
      name,
      value.replace(/^'(.*)'$/, '$1'),
    ]),
  )
  const composed = settingsOf({ ...environmentOf(last), ...environment })
  const service = /^ {2}(\w+):$/m.exec(compose)?.[1] ?? ''
  t.true(composed.allowedHosts.includes(service))
  t.regex(compose, new RegExp(`http://${service}:8545`))
  t.regex(compose, new RegExp(`http://${service}:26657`))
})
