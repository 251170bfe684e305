// Writes `packed/`, what `npm test` runs: the output of `tsc` in `dist/`, with the modules of `src/` and
// of large clients joined into few files. Every test file is a process of its own, in which a thousand
// modules take 0.7 s to load and few large ones 0.2 s. `packed/` lies beside `dist/`, so that relative
// paths lead from both to the same files; a single test can be run in either.
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
for (const { path, code } of tests) {
  const up = '../'.repeat(path.split(/[\\/]/).length - 1)
  mkdirSync(dirname(join(packed, path)), { recursive: true })
  writeFileSync(
    join(packed, path),
    code.replace(ofClients, (name) => `${up}clients/${name}.js`),
  )
}
