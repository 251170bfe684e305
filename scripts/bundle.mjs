// Builds `dist/program`, the program in the package, from the sources and the packages they use, so
// that it needs no other package. `tsc` checks the types and writes the declarations. Tests import
// the output of `tsc`; the processes that they start, `npm start` and the package run this program.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve as resolvePath } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'
import { minifySync } from 'rolldown/utils'
import { WebSocket } from 'ws'
import { buildDashboard } from './dashboard.mjs'
import { leanCode } from './leanCode.mjs'
import { thirdPartyText } from './thirdParty.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const out = join(root, 'dist/program')
const { resolve } = createRequire(join(root, 'src/package.json'))
const folderOf = (name) => join(root, 'node_modules', name)

/** Modules, which Node loads itself. */
const modules = {
  main: 'src/main.ts',
  parts: 'src/shell/parts.ts',
}

/** Parts that modules load (`src/shell/parts.ts`): each has a module of its name with the same exports. */
const entries = {
  cli: 'src/shell/cli/index.ts',
  closedPipes: 'src/shell/process/closedPipes.ts',
  index: 'src/index.ts',
  ava: 'src/shell/testing/ava.ts',
  fixtures: 'src/shell/testing/fixtures.ts',
  scenarioWorker: 'src/shell/scenarios/scenarioWorker.ts',
  readWorker: 'src/shell/readWorker.ts',
  builtInScenario: 'src/shell/scenarios/builtInScenario.ts',
}

/**
 * Modules that the sources `require` at run time, with their paths in the program. The bundler does
 * not find them, and synchronous code cannot import a chunk of the bundle on first use.
 */
const required = {
  'secp256k1/bindings.js': './secp256k1/bindings.cjs',
  'tiny-secp256k1': './tiny-secp256k1/cjs/index.cjs',
  '@noble/curves/secp256k1.js': './noble/secp256k1.cjs',
  '@noble/curves/nist.js': './noble/nist.cjs',
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

/** Makes `main.js` import the modules of the parts, not their sources. */
const leadToParts = {
  name: 'lead-to-parts',
  resolveId: (name, importer) => {
    const found = Object.entries(entries).find(
      ([, source]) => resolvePath(importer ?? root, '..', name) === join(root, source),
    )
    return found === undefined ? undefined : { id: `./${found[0]}.js`, external: true }
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

/** What prints koa's own debugging and its advice to programmers, which every start would read. No page tells of them. */
const unprinted = {
  'debug/src/index.js': 'module.exports = () => Object.assign(() => {}, { enabled: false })\n',
  'depd/index.js': 'module.exports = () => Object.assign(() => {}, { function: (one) => one, property: () => {} })\n',
}

const withoutPrinting = {
  name: 'without-printing',
  load: {
    filter: { id: /[\\/]node_modules[\\/](?:debug[\\/]src|depd)[\\/]index\.js$/ },
    handler: (id) => unprinted[id.replaceAll('\\', '/').replace(/^.*\/node_modules\//, '')],
  },
}

/**
 * Removes whitespace, so that the program is parsed faster. Top-level names are kept for stack
 * traces. Fixtures stay unchanged: test runners read the fixtures they need from function texts.
 */
const shorten = {
  name: 'shorten',
  renderChunk: (code, { name, fileName }) => {
    if (name === 'fixtures') return undefined
    const { code: short, map } = minifySync(fileName, withShortParts(code), {
      module: fileName.endsWith('.js'),
      compress: false,
      mangle: { toplevel: false },
      codegen: { removeWhitespace: true },
      sourcemap: true,
    })
    return leanCode(withShortExports(short), map)
  },
}

/** Shortens the names that other parts have in a part. Lines keep their numbers. */
function withShortParts(code) {
  const names = [...code.matchAll(/\bconst (require_[\w$]+) = require\(/g)].map(([, name]) => name)
  return code.replace(/(?<![\w$'"`]|(?<!\.\.)\.)require_[\w$]+/g, (name) =>
    names.includes(name) ? `$part${names.indexOf(name)}` : name,
  )
}

/** Shortens the getters of exports. They are last in a part, so the source map of its code stays correct. */
function withShortExports(code) {
  const getter = /;Object\.defineProperty\(exports,("[^"]+"),\{enumerable:true,get:function\(\)\{return ([\w$]+)\}\}\)/g
  const define = ';const __export=(name,get)=>Object.defineProperty(exports,name,{enumerable:true,get})'
  let count = 0
  return code.replace(getter, (_, name, value) => `${count++ === 0 ? define : ''};__export(${name},()=>${value})`)
}

/** Small modules that all commands import, as regular expressions. */
const small = [
  'src/errors\\.ts',
  'src/data/(?:boundedCache|nearest|parsedJson|printable)\\.ts',
  'src/settings/',
  'src/simulation/journal\\.ts',
  'src/shell/(?:packageFiles|paths|plainName|urls)\\.ts',
  'src/shell/process/(?:closedPipes|garbage|stopSignals)\\.ts',
  'src/shell/transport/(?:hosts|httpBody|listen)\\.ts',
  'src/shell/cli/(?:client|exitCodes|help)\\.ts',
  'src/shell/config/(?:home|resolve)\\.ts',
  'src/shell/durable/(?:cannotWrite|disk|folders|part|writeFile)\\.ts',
  'node_modules/commander/',
]
const basis = new RegExp(`/(?:${small.join('|')})`.replaceAll('/', '[\\\\/]'))

async function bundle(input, output, plugins = []) {
  const build = await rolldown({
    cwd: root,
    input,
    platform: 'node',
    plugins: [...plugins, leadToProgram, fewMediaTypes, withoutPrinting, shorten],
    transform: { target: 'node20.19' },
    // Optional native modules of ws, which are not used.
    external: ['bufferutil', 'utf-8-validate'],
  })
  const written = await build.write({
    sourcemap: true,
    sourcemapExcludeSources: true,
    strict: true,
    minify: false,
    keepNames: true,
    ...output,
  })
  await build.close()
  return written.output
}

/** Writes the compiled code of the parts that a start needs, then of those that other commands add. */
async function recordCode() {
  await recordStart()
  const recorder = join(root, 'scripts/recordCode.mjs')
  const scenario = join(root, 'scenarios/failing-transactions.json5')
  // `completions` loads all commands.
  for (const words of [
    ['test', scenario],
    ['completions', 'bash'],
  ]) {
    execFileSync(process.execPath, [recorder, ...words], { cwd: out, stdio: ['ignore', 'ignore', 'inherit'] })
  }
}

/** Starts the program, asks every interface once and stops it, so that it writes its compiled code. */
async function recordStart() {
  const interfaces = ['json-rpc.address', 'json-rpc.ws-address', 'api.address', 'grpc.address', 'control']
  const addresses = interfaces.flatMap((flag) => [`--${flag}`, '127.0.0.1:0'])
  const words = ['start', '--json', '--no-watch', '--rpc.laddr', 'tcp://127.0.0.1:0', ...addresses]
  const child = spawn(process.execPath, [join(root, 'scripts/recordCode.mjs'), ...words], {
    cwd: out,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  const [line] = await Promise.race([once(createInterface(child.stdout), 'line'), ended.then(() => ['{}'])])
  const { eth, ethWs, comet, rest, control } = JSON.parse(line).urls ?? {}
  const body = '{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber","params":[]}'
  const asked = [
    [eth, { method: 'POST', body, headers: { 'content-type': 'application/json' } }],
    [`${comet}/status`],
    [`${rest}/cosmos/base/tendermint/v1beta1/node_info`],
    [`${control}/api/status`],
    [`${control}/api/labels`],
  ]
  try {
    for (const [url, options] of asked) await (await fetch(url, options)).text()
    const socket = new WebSocket(ethWs)
    await once(socket, 'open')
    socket.send(body)
    await once(socket, 'message')
    socket.close()
  } finally {
    child.kill('SIGTERM')
  }
  const [code] = await ended
  if (code !== 0) throw new Error(`scripts/recordCode.mjs ended with ${code}`)
}

rmSync(out, { recursive: true, force: true })
const chunks = await bundle(entries, {
  dir: out,
  format: 'cjs',
  entryFileNames: '[name].cjs',
  chunkFileNames: '[name]-[hash].cjs',
  codeSplitting: {
    groups: [
      // The small common modules become one chunk instead of thirty.
      { name: 'basis', test: basis, priority: 1 },
      { name: 'program', test: /[\\/]src[\\/]shell[\\/](?:server|serving|cli[\\/]start)\.ts$/ },
      { name: 'zod', test: /[\\/]node_modules[\\/]zod[\\/]/ },
      { name: 'faker', test: /[\\/]node_modules[\\/]@faker-js[\\/]/ },
    ],
  },
})
chunks.push(...(await bundle(modules, { dir: out, format: 'esm', entryFileNames: '[name].js' }, [leadToParts])))
// The source maps of parts without our own code are left out: they are a quarter of all maps.
for (const { fileName, moduleIds = [] } of chunks) {
  const file = join(out, fileName)
  if (moduleIds.length === 0 || moduleIds.some((id) => id.startsWith(join(root, 'src')))) continue
  writeFileSync(file, readFileSync(file, 'utf8').replace(/\n\/\/# sourceMappingURL=.*\n?$/, '\n'))
  rmSync(`${file}.map`, { force: true })
}
for (const { name, fileName, isEntry, exports } of chunks) {
  if (isEntry !== true || !fileName.endsWith('.cjs')) continue
  const load = `loadPart('${fileName}')`
  const text = exports.length === 0 ? load : `export const { ${exports.join(', ')} } = ${load}`
  writeFileSync(join(out, `${name}.js`), `import { loadPart } from './parts.js'\n${text}\n`)
}
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
  JSON.stringify(JSON.parse(execFileSync(process.execPath, [join(out, 'main.js'), 'schema'], { maxBuffer: 1 << 26 }))),
)
const dashboard = await buildDashboard()
await recordCode()
writeFileSync(
  join(out, 'THIRD-PARTY.md'),
  thirdPartyText([...chunks.flatMap(({ moduleIds = [] }) => moduleIds), ...copies.map(([from]) => from), ...dashboard]),
)
