/** The package as npm packs it, in a project that has nothing else than what it says it needs. */
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

type Lock = { readonly packages: Record<string, { readonly dev?: boolean }> }

export const root = fileURLToPath(new URL('../../../', import.meta.url))

/** Links packages of ours into a folder of modules, in place of an installation. */
export function linkPackages(modules: string, names: Iterable<string>): void {
  for (const name of names) {
    mkdirSync(dirname(join(modules, name)), { recursive: true })
    symlinkSync(join(root, 'node_modules', name), join(modules, name), 'junction')
  }
}

/** Returns the names of the packages at the top that the program is made of and by. */
export function neededPackages(): readonly string[] {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Lock
  return Object.entries(packages).flatMap(([path, { dev }]) =>
    path.startsWith('node_modules/') && path.lastIndexOf('node_modules/') === 0 && dev !== true
      ? [path.slice('node_modules/'.length)]
      : [],
  )
}

export type Project = {
  readonly folder: string
  readonly modules: string
  /** Runs Node with some words; the environment is ours with some more. */
  readonly run: (words: readonly string[]) => Promise<{ code: number | null; out: string }>
  readonly remove: () => void
}

/** Returns a project with the packed package, which needs no other, and some packages linked. */
export function packedProject(more: readonly string[]): Project {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'chainstage-package-')))
  const modules = join(folder, 'node_modules')
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
  execFileSync(npm, ['run', '--silent', 'prepack'], { cwd: root, stdio: ['ignore', 2, 'inherit'] })
  const [{ filename }] = JSON.parse(
    execFileSync(npm, ['pack', '--json', '--ignore-scripts', '--offline', '--pack-destination', folder], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }),
  ) as [{ filename: string }]
  mkdirSync(modules)
  execFileSync('tar', ['xzf', join(folder, filename), '-C', modules])
  execFileSync(process.execPath, ['-e', 'require("fs").renameSync("package", "chainstage")'], { cwd: modules })
  linkPackages(modules, more)
  writeFileSync(join(folder, 'package.json'), '{ "name": "dapp", "private": true, "type": "module" }\n')
  return {
    folder,
    modules,
    run: (words) => run(folder, words),
    remove: () => {
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function run(cwd: string, words: readonly string[]): Promise<{ code: number | null; out: string }> {
  const child = spawn(process.execPath, words, { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
  let out = ''
  child.stdout.on('data', (part: Buffer) => {
    out += String(part)
  })
  child.stderr.on('data', (part: Buffer) => {
    out += String(part)
  })
  return new Promise((done) => {
    child.once('close', (code) => {
      done({ code, out })
    })
  })
}
