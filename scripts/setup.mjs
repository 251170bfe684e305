// Run by npm before start, test and bench: installs and builds when that is missing or stale.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`chainstage needs Node 20.19 or newer; this is ${process.versions.node}.`)
  process.exit(1)
}

const modified = (path) => (existsSync(path) ? statSync(path).mtimeMs : 0)

function newest(folder) {
  return readdirSync(folder, { withFileTypes: true }).reduce((latest, entry) => {
    const path = join(folder, entry.name)
    const time = entry.isDirectory() ? newest(path) : /\.ts$/.test(entry.name) ? modified(path) : 0
    return Math.max(latest, time)
  }, modified(folder))
}

function need(what, command, args) {
  console.error(what)
  const { status } = spawnSync(command, args, { cwd: root, stdio: ['ignore', 2, 2], shell: process.platform === 'win32' })
  if (status !== 0) {
    console.error(`${command} ${args.join(' ')} failed; its messages are above.`)
    process.exit(status ?? 1)
  }
}

const installed = modified(join(root, 'node_modules', '.package-lock.json'))
if (installed === 0 || installed < modified(join(root, 'package-lock.json'))) {
  need('Installing dependencies (once) …', 'npm', ['ci', '--no-audit', '--no-fund'])
}
/** Removes what was built from sources that are gone: a stale test would still be run. */
function prune(folder) {
  if (!existsSync(join(root, 'dist', folder))) return
  for (const entry of readdirSync(join(root, 'dist', folder), { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) prune(path)
    else if (!existsSync(join(root, path.replace(/(?:\.d\.ts|\.js)$/, '.ts')))) rmSync(join(root, 'dist', path))
  }
}

const built = modified(join(root, 'dist', '.tsbuildinfo'))
const sources = Math.max(...['src', 'test'].filter((name) => existsSync(join(root, name))).map((name) => newest(join(root, name))), modified(join(root, 'tsconfig.json')))
prune('src')
prune('test')
if (built < sources) need('Building …', process.execPath, [join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '-b'])
