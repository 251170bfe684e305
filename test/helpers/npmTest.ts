/** Runs the tests of a project as `npm test` does, with the packed package and our packages installed. */
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root, type Project } from './packed.ts'

const runners = process.env['RUNNERS'] ?? ''

/** A folder with vitest, if RUNNERS names a folder whose node_modules has it. */
export const vitest = ['vitest', 'vitest-5'].map((name) => join(runners, 'node_modules', name)).find(existsSync)

/** A browser that is installed, if there is one. */
export const chromium =
  process.env['CHROMIUM'] ?? ['/usr/bin/chromium', '/usr/bin/google-chrome'].find((path) => existsSync(path))

/** Where the program of a package is that a script names. */
const programs: Readonly<Record<string, string>> = {
  ava: join(root, 'node_modules/ava/entrypoints/cli.mjs'),
  vitest: join(vitest ?? '', 'vitest.mjs'),
  playwright: join(root, 'node_modules/@playwright/test/cli.js'),
  hardhat: join(root, 'node_modules/hardhat/internal/cli/bootstrap.js'),
}

type Ended = { readonly code: number | null; readonly out: string }

/**
 * Resolves with what the `test` script of a project in a folder did. Throws if the project asks for a
 * package that is not there.
 */
export async function npmTest(project: Project, at: string): Promise<Ended> {
  const { modules } = project
  // What `npm install` would do.
  symlinkSync(modules, join(at, 'node_modules'), 'junction')
  const { scripts, devDependencies } = JSON.parse(readFileSync(join(at, 'package.json'), 'utf8')) as {
    scripts: { test: string }
    devDependencies: Record<string, string>
  }
  if ('vitest' in devDependencies && !existsSync(join(modules, 'vitest'))) {
    symlinkSync(vitest ?? '', join(modules, 'vitest'), 'junction')
  }
  const missing = Object.keys(devDependencies).filter((one) => !existsSync(join(modules, one)))
  if (missing.length > 0) throw new Error(`the project asks for ${missing.join(', ')}`)
  const [first = '', ...words] = scripts.test.split(' ')
  const main = join(modules, 'chainstage/dist/program/main.js')
  const program = first === 'node' ? [] : [first === 'chainstage' ? main : (programs[first] ?? first)]
  return nodeIn(project, at, [...program, ...words])
}

/** Resolves with what Node printed in a folder; the programs of packages are on the path. */
export function nodeIn(project: Project, cwd: string, words: readonly string[]): Promise<Ended> {
  const { child, out } = startNode(project, cwd, words)
  return new Promise((done) => {
    child.once('close', (code) => done({ code, out: out() }))
  })
}

/** Starts Node in a folder as `nodeIn` does; `out` returns what it has printed so far. */
export function startNode({ folder }: Project, cwd: string, words: readonly string[]) {
  const environment = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(NODE_TEST_CONTEXT|CHAINSTAGE_|AVA_|TEST_)/.test(name)),
  )
  // A program that a script starts through `chainstage run` is found on the path.
  const bin = join(folder, 'bin')
  mkdirSync(bin, { recursive: true })
  for (const name of ['hardhat', 'ava']) {
    if (!existsSync(join(bin, name))) symlinkSync(programs[name] ?? '', join(bin, name))
  }
  const child = spawn(process.execPath, words, {
    cwd,
    env: {
      ...environment,
      PATH: [bin, dirname(process.execPath), process.env['PATH']].join(':'),
      ...(chromium === undefined ? {} : { CHROMIUM: chromium }),
      NO_COLOR: '1',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let out = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (part: Buffer) => {
      out += String(part)
    })
  }
  return { child, out: () => out }
}
