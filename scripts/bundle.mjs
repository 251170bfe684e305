// Builds `dist/program`, the program in the package, from the sources and the packages they use, so
// that it needs no other package. `tsc` checks the types and writes the declarations. Tests import
// the output of `tsc`; the processes that they start, `npm start` and the package run this program.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'
import { minifySync } from 'rolldown/utils'
import { buildDashboard } from './dashboard.mjs'
import { thirdPartyText } from './thirdParty.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const out = join(root, 'dist/program')
const { resolve } = createRequire(join(root, 'src/package.json'))
const folderOf = (name) => join(root, 'node_modules', name)

const entries = {
  main: 'src/main.ts',
  index: 'src/index.ts',
  ava: 'src/shell/testing/ava.ts',
  fixtures: 'src/shell/testing/fixtures.ts',
  scenarioWorker: 'src/shell/scenarioWorker.ts',
  readWorker: 'src/shell/readWorker.ts',
  builtInScenario: 'src/shell/builtInScenario.ts',
}

/**
 * Modules that the sources `require` at run time, with their paths in the program. The bundler does
 * not find them, and synchronous code cannot import a chunk of the bundle on first use.
 */
const required = {
  'secp256k1/bindings.js': './secp256k1/bindings.cjs',
  'tiny-secp256k1': './tiny-secp256k1/cjs/index.cjs',
  '@noble/curves/secp256k1.js': './noble/secp256k1.cjs',
}

/** A file that the tracers' interpreter reads as text; it is not code of the program. */
const read = { 'big-integer': './big-integer/BigInteger.js' }

/** Files that bundled packages expect next to their code. */
const beside = [
  ['secp256k1/prebuilds', 'secp256k1/prebuilds'],
  ['tiny-secp256k1/lib/secp256k1.wasm', 'tiny-secp256k1/secp256k1.wasm'],
  ['@jitl/quickjs-wasmfile-release-sync/dist/emscripten-module.wasm', 'emscripten-module.wasm'],
]

const leadToProgram = {
  name: 'lead-to-program',
  transform: {
    filter: { id: /\/src\/.*\.ts$/, code: 'createRequire(import.meta.url)' },
    handler: (code, id) => {
      const call = /(createRequire\(import\.meta\.url\)(?:\.resolve)?\()'([^']+)'/g
      const found = code.replace(call, (_, before, name) => {
        const place = { ...required, ...read }[name]
        if (place === undefined) throw new Error(`${id} requires ${name}, of which scripts/bundle.mjs does not know`)
        return `${before}'${place}'`
      })
      // Lines keep their numbers, so line-based source maps stay correct.
      return { code: found, map: null }
    },
  },
}

/** The media types of requests to koa and of its responses. */
const mediaTypes = new Set([
  ...['application/json', 'application/octet-stream', 'application/x-www-form-urlencoded'],
  ...['multipart/form-data', 'text/html', 'text/plain'],
])

/** Shortens koa's two lists of some thousand media types, which every start would read. */
const fewMediaTypes = {
  name: 'few-media-types',
  transform: {
    filter: { id: /\/mime-db\/db\.json$/ },
    handler: (code) => {
      const kept = Object.entries(JSON.parse(code)).filter(([name]) => mediaTypes.has(name))
      if (kept.length !== mediaTypes.size) throw new Error('mime-db lacks a media type that scripts/bundle.mjs names')
      return { code: JSON.stringify(Object.fromEntries(kept)), map: null }
    },
  },
}

/**
 * Removes whitespace, so that the program is parsed faster. Top-level names are kept for stack
 * traces. Fixtures stay unchanged: test runners read the fixtures they need from function texts.
 */
const shorten = {
  name: 'shorten',
  renderChunk: (code, { name, fileName }) =>
    name === 'fixtures'
      ? undefined
      : minifySync(fileName, code, {
          module: fileName.endsWith('.js'),
          compress: false,
          mangle: { toplevel: false },
          codegen: { removeWhitespace: true },
          sourcemap: true,
        }),
}

/** Small modules that all parts of the program import. */
const small =
  'cli[\\\\/]exitCodes|closedPipes|garbage|hosts|httpBody|listen|packageFiles|plainName|portablePath|stopSignals|urls'
const basis = new RegExp(
  `[\\\\/]src[\\\\/](?:errors\\.ts|data[\\\\/]|settings[\\\\/]|simulation[\\\\/]journal\\.ts|shell[\\\\/](?:${small})\\.ts)`,
)

async function bundle(input, output) {
  const build = await rolldown({
    cwd: root,
    input,
    platform: 'node',
    plugins: [leadToProgram, fewMediaTypes, shorten],
    transform: { target: 'node20.19' },
    // Optional native modules of ws, which are not used.
    external: ['bufferutil', 'utf-8-validate'],
    // `depd`, a dependency of koa, uses `eval`; this is expected.
    checks: { eval: false },
  })
  const written = await build.write({
    sourcemap: true,
    sourcemapExcludeSources: true,
    minify: false,
    keepNames: true,
    ...output,
  })
  await build.close()
  return written.output
}

rmSync(out, { recursive: true, force: true })
const chunks = await bundle(entries, {
  dir: out,
  format: 'esm',
  entryFileNames: '[name].js',
  chunkFileNames: '[name]-[hash].js',
  // The small common modules become one chunk instead of thirty.
  codeSplitting: { groups: [{ name: 'basis', test: basis }] },
})
for (const [name, place] of Object.entries(required)) {
  chunks.push(
    ...(await bundle(resolve(name), {
      file: join(out, place),
      format: 'cjs',
      codeSplitting: false,
    })),
  )
}
const copies = [
  ...beside.map(([from, to]) => [folderOf(from), to]),
  ...Object.entries(read).map(([name, to]) => [resolve(name), to]),
]
for (const [from, to] of copies) {
  mkdirSync(dirname(join(out, to)), { recursive: true })
  cpSync(from, join(out, to), { recursive: true })
}
// The scenario of a start without one, so that such a start neither compiles it nor loads the compiler.
const { compiledBuiltIn } = await import(pathToFileURL(join(out, 'builtInScenario.js')))
writeFileSync(join(out, 'local.compiled.json'), await compiledBuiltIn())
// The schema that `$schema` of a scenario refers to, with the version of the format in its name.
writeFileSync(
  join(out, 'scenario-1.schema.json'),
  execFileSync(process.execPath, [join(out, 'main.js'), 'schema'], { maxBuffer: 1 << 26 }),
)
writeFileSync(
  join(out, 'THIRD-PARTY.md'),
  thirdPartyText([
    ...chunks.flatMap(({ moduleIds = [] }) => moduleIds),
    ...copies.map(([from]) => from),
    ...(await buildDashboard()),
  ]),
)
