// Writes `packed/`, what `npm test` runs: the output of `tsc` in `dist/`, with the modules of `src/` and
// of large clients joined into few files. Every test file is a process of its own, in which a thousand
// modules take 0.7 s to load, few large ones 0.2 s, and AVA itself 0.2 s. So most tests share
// processes. `packed/` lies beside `dist/`, so that relative paths lead from both to the same files; a
// single test is run in `dist/`.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const [built, packed] = [join(root, 'dist'), join(root, 'packed')]

/** What tests name of `src/`, in imports and in paths. */
const ofSources = /(?<=['"`])(?:\.\.\/)+(src\/[\w/.-]+)\.js(?=['"`])/g
/** Clients of many modules. */
const ofClients = /(?<=from ')(?:viem|ethers)(?:\/[\w-]+)?(?=';$)/gm

const tests = readdirSync(join(built, 'test'), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.name.endsWith('.js'))
  .map((entry) => join(entry.parentPath, entry.name))
  .map((path) => ({ path: relative(built, path), code: readFileSync(path, 'utf8') }))

const input = {}
for (const { code } of tests) {
  for (const [, name] of code.matchAll(ofSources)) input[name] = join(built, `${name}.js`)
  for (const [name] of code.matchAll(ofClients)) input[`clients/${name}`] = name
}

/** Code that looks for a file or a package beside itself finds those of its module in `dist/`. */
const keepPlace = {
  name: 'keep-place',
  transform: {
    filter: { id: /[\\/]dist[\\/]src[\\/]/, code: 'import.meta.url' },
    handler: (code, id) => ({
      code: code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href)),
      map: null,
    }),
  },
}

rmSync(packed, { recursive: true, force: true })
const build = await rolldown({
  cwd: root,
  input,
  platform: 'node',
  plugins: [keepPlace],
  // Optional native modules of ws, which are not used; and an engine that reads a file beside its code.
  external: ['bufferutil', 'utf-8-validate', /^@jitl\//],
  // `depd`, a dependency of koa, uses `eval`; tests import at once what a start imports on first use.
  checks: { eval: false, ineffectiveDynamicImport: false },
})
await build.write({
  dir: packed,
  format: 'esm',
  minify: false,
  keepNames: true,
  entryFileNames: '[name].js',
  chunkFileNames: 'parts/[name].js',
  codeSplitting: { groups: [{ name: 'core', test: (id) => id === join(built, 'src', 'index.js') }] },
})
await build.close()

const codeOf = new Map(tests.map(({ path, code }) => [path, code]))
/** Code that opens sockets, or starts processes or browsers. */
const ofOpeners = /from '(?:[./]+\/src\/(?:shell\/|index\.js)|node:child_process|playwright-core)/
/** Events of a process, replaced functions, measurements that other tests disturb, work that keeps it busy. */
const ofProcess =
  /process\.on\(|performance\.now|cpuUsage|syncBuiltinESMExports|useKeccak|loadQuickJs|keepBusy|memory(?:InUse|Usage)/
/** What would be that of all tests of a process: hooks of each test, and the context; our fixture for AVA has both. */
const ofHooks = /\.(?:beforeEach|afterEach)(?:\.always)?\(|\bcontext\b.*= t\b|\bt\.context\b|\/shell\/testing\/ava\.js'/
/** Code that waits while it is loaded. AVA takes tests of a shared process only until it waits. */
const ofWaiters = /^(?:export )?(?:const (?!.*\basync\b).*)?\bawait /m
/** Programs in tests that start processes. */
const ofTemplates = /`[^`]*`/g
/** A helper that declares tests, whose titles may be those of another file. */
const ofDeclarers = /^import .* from 'ava';/m

/** Returns the code of a test, and then of all its helpers. */
function codesOf(path, seen = new Map()) {
  const code = codeOf.get(path)
  if (code === undefined || seen.has(path)) return seen
  seen.set(path, code)
  for (const [, name] of code.matchAll(/from '(\.[^']+)'/g)) codesOf(join(dirname(path), name), seen)
  return seen
}

/** Returns the name of a test, such as `chain/lookups`. */
const nameOf = (path) =>
  relative('test', path)
    .replaceAll('\\', '/')
    .replace(/\.test\.js$/, '')

/** How many files share a process at most, so that both cores have work to the end. */
const mostOf = { units: 40, openers: 12, clients: 8 }
const kinds = { units: [], openers: [], clients: [] }
for (const { path, code } of tests) {
  const isShort = path.endsWith('.test.js') && !path.endsWith('.full.test.js')
  const codes = [...codesOf(path).values()]
  const has = (pattern) => codes.some((one) => pattern.test(one.replace(ofTemplates, '``')))
  const areDeclaring = codes.slice(1).some((helper) => ofDeclarers.test(helper))
  const isAlone = ofProcess.test(code) || has(ofHooks) || has(ofWaiters) || areDeclaring
  if (!isShort || dirname(path) === 'test' || isAlone) continue
  // Other people's clients give up a connection while a test beside them computes for ten seconds.
  const isOfClients = nameOf(path).startsWith('clients/')
  kinds[isOfClients ? 'clients' : has(ofOpeners) ? 'openers' : 'units'].push(path)
}
const shared = new Set()
for (const [kind, paths] of Object.entries(kinds)) {
  paths.sort()
  for (let at = 0; at < paths.length; at += mostOf[kind]) {
    const some = paths.slice(at, at + mostOf[kind])
    for (const path of some) shared.add(path)
    const names = some.map((path) => `import './${nameOf(path)}.shared.js'\n`)
    write(join('test', `${kind}${at / mostOf[kind] + 1}.test.js`), names.join(''))
  }
}

for (const { path, code } of tests) {
  const up = '../'.repeat(path.split(/[\\/]/).length - 1)
  const clients = code.replace(ofClients, (name) => `${up}clients/${name}.js`)
  if (!shared.has(path)) write(path, clients)
  else {
    const imported = `import { titled } from '${up}test/helpers/titled.js'; const $1 = titled('${nameOf(path)}');`
    write(path.replace(/test\.js$/, 'shared.js'), clients.replace(/^import (\w+) from 'ava';/m, imported))
  }
}

function write(path, code) {
  mkdirSync(dirname(join(packed, path)), { recursive: true })
  writeFileSync(join(packed, path), code)
}
