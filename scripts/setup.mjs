// npm runs this before start, test, bench and pack. It installs packages and builds files that are
// missing or stale: for `start` only the program and its packages, for `package` all parts of the
// package, and without an argument the files that the tests run, the program among them.
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
    const time = entry.isDirectory() ? newest(path) : /\.(?:tsx?|json|css|html)$/.test(entry.name) ? modified(path) : 0
    return Math.max(latest, time)
  }, modified(folder))
}

function need(what, command, args) {
  console.error(what)
  const { status } = spawnSync(command, args, {
    cwd: root,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  })
  if (status !== 0) {
    console.error(`${command} ${args.join(' ')} failed; its messages are above.`)
    process.exit(status ?? 1)
  }
}

const [purpose = 'test'] = process.argv.slice(2)
const isAlone = purpose === 'start'
/** The time at which packages were installed; 0 if the packages for the purpose are missing. */
const installed = existsSync(join(root, 'node_modules', isAlone ? 'rolldown' : 'typescript'))
  ? modified(join(root, 'node_modules', '.package-lock.json'))
  : 0
if (installed === 0 || installed < modified(join(root, 'package-lock.json'))) {
  const less = isAlone ? ['--omit=dev', '--ignore-scripts'] : []
  need('Installing dependencies (once) …', 'npm', ['ci', '--no-audit', '--no-fund', ...less])
}

/** Removes the output of deleted sources; otherwise stale tests would still run. */
function prune(folder) {
  if (!existsSync(join(root, 'dist', folder))) return
  for (const entry of readdirSync(join(root, 'dist', folder), { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) prune(path)
    else if (!existsSync(join(root, path.replace(/(?:\.d\.ts|\.js)$/, '.ts')))) rmSync(join(root, 'dist', path))
  }
}

const built = modified(join(root, 'dist', '.tsbuildinfo'))
const bundled = modified(join(root, 'dist', 'program', 'THIRD-PARTY.md'))
const newestOf = (names) =>
  Math.max(
    ...names
      .filter((name) => existsSync(join(root, name)))
      .map((name) =>
        statSync(join(root, name)).isDirectory() ? newest(join(root, name)) : modified(join(root, name)),
      ),
  )
if (!isAlone) {
  prune('src')
  prune('test')
  if (built < newestOf(['src', 'test', 'tsconfig.json'])) {
    need('Building …', process.execPath, [join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '-b'])
  }
}
if (
  purpose === 'test' &&
  modified(join(root, 'packed', 'src', 'index.js')) < newestOf(['dist/.tsbuildinfo', 'scripts/packTests.mjs'])
) {
  need('Packing the tests …', process.execPath, [join(root, 'scripts', 'packTests.mjs')])
}
const page = modified(join(root, 'dist', 'dashboard', 'style.css'))
if (page < newestOf(['src/dashboard', 'scripts/dashboard.mjs', 'package-lock.json'])) {
  if (!isAlone) {
    const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
    need('Checking the dashboard …', process.execPath, [compiler, '-p', join(root, 'src', 'dashboard')])
  }
  need('Building the dashboard …', process.execPath, [join(root, 'scripts', 'dashboard.mjs')])
}
if (bundled < newestOf(['src', 'scripts', 'package-lock.json'])) {
  need('Building the program …', process.execPath, [join(root, 'scripts', 'bundle.mjs')])
}
const gathered = modified(join(root, 'dist', 'types', 'index.d.ts'))
if (purpose === 'package' && gathered < modified(join(root, 'dist', '.tsbuildinfo'))) {
  need('Gathering types …', process.execPath, [join(root, 'scripts', 'declarations.mjs')])
}
