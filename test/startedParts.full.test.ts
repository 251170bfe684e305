/**
 * What the program has read when every interface has answered once, counted and not timed: a part
 * that is needed later is loaded later.
 */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createInterface } from 'node:readline'
import test, { type ExecutionContext } from 'ava'
import { WebSocket } from 'ws'
import { compiledBuiltIn } from '../src/shell/scenarios/builtInScenario.ts'
import { scratch } from './helpers/cli.ts'
import { root } from './helpers/packed.ts'

const program = join(root, 'dist/program/')

/**
 * Writes the URL of every module that is loaded, the path of every part with whether V8 rejected its
 * compiled code, and at the end which parts of Node were loaded.
 */
function observer(file: string): string {
  const hooks = `import { appendFileSync } from 'node:fs'
    export const load = (url, context, next) => {
      appendFileSync(${JSON.stringify(file)}, url + '\\n')
      return next(url, context)
    }`
  const text = `import { register, syncBuiltinESMExports } from 'node:module'
    import { appendFileSync } from 'node:fs'
    import vm from 'node:vm'
    const note = (line) => appendFileSync(${JSON.stringify(file)}, line + '\\n')
    register('data:text/javascript,' + encodeURIComponent(${JSON.stringify(hooks)}))
    vm.Script = class extends vm.Script {
      constructor(text, options) {
        super(text, options)
        note('part ' + this.cachedDataRejected + ' ' + options.filename)
      }
    }
    syncBuiltinESMExports()
    process.once('exit', () => note(process.moduleLoadList.join('\\n')))`
  return `data:text/javascript,${encodeURIComponent(text)}`
}

/** Returns the paths of our own modules and parts among the lines of an observer. */
function ownPaths(lines: readonly string[]): readonly string[] {
  const modules = lines.filter((line) => line.startsWith('file:')).map((url) => fileURLToPath(url))
  const parts = lines.flatMap((line) => /^part \w+ (.*)$/.exec(line)?.[1] ?? [])
  return [...new Set([...modules, ...parts])]
}

type Urls = {
  readonly comet: string
  readonly eth: string
  readonly ethWs: string
  readonly control: string
}

/**
 * Starts the program, asks every interface one thing, ends it, and returns what it had loaded: when it
 * said that it listens, and at the end.
 */
async function loadedByStart(): Promise<{ listening: readonly string[]; answered: readonly string[] }> {
  execFileSync(process.execPath, [join(root, 'scripts/setup.mjs'), 'start'])
  const file = join(scratch(), 'loaded')
  const child = spawn(
    process.execPath,
    [
      '--import',
      observer(file),
      join(program, 'main.js'),
      'start',
      '--json',
      '--rpc.laddr',
      'tcp://127.0.0.1:0',
      '--json-rpc.address',
      '127.0.0.1:0',
      '--json-rpc.ws-address',
      '127.0.0.1:0',
      '--api.address',
      '127.0.0.1:0',
      '--grpc.address',
      '127.0.0.1:0',
      '--control',
      '127.0.0.1:0',
      '--no-watch',
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const ended = once(child, 'exit')
  let listening: readonly string[] = []
  try {
    const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
    listening = readFileSync(file, 'utf8').split('\n')
    const { urls } = JSON.parse(line) as { urls: Urls }
    const body = '{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber","params":[]}'
    const headers = { 'content-type': 'application/json' }
    await (await fetch(urls.eth, { method: 'POST', body, headers })).json()
    await (await fetch(`${urls.comet}/status`)).json()
    await (await fetch(`${urls.control}/api/status`)).json()
    const socket = new WebSocket(urls.ethWs)
    await once(socket, 'open')
    socket.send(body)
    await once(socket, 'message')
    socket.close()
  } finally {
    child.kill()
    await ended
  }
  return { listening, answered: readFileSync(file, 'utf8').split('\n') }
}

test('the first answers of all interfaces need less than 2.1 MB of program, and no part of what comes later', async (t) => {
  const { listening, answered: loaded } = await loadedByStart()
  // On a slow machine, the chain is already unused for a moment before the last answer.
  const paths = ownPaths(loaded).filter((path) => !basename(path).startsWith('collectGarbage-'))
  t.deepEqual(
    paths.filter((path) => !path.startsWith(program)),
    [],
  )
  const bytes = paths.reduce((sum, path) => sum + statSync(path).size, 0)
  t.log(`${paths.length} parts, ${bytes} bytes`)
  t.true(paths.length > 10 && paths.length <= 20, `${paths.length} parts`)
  t.true(bytes > 1e6 && bytes < 2.1e6, `${bytes} bytes`)
  const before = ownPaths(listening)
  const bytesBefore = before.reduce((sum, path) => sum + statSync(path).size, 0)
  t.log(`until it listens: ${before.length} parts, ${bytesBefore} bytes`)
  t.true(bytesBefore > 1e6 && bytesBefore < 1.75e6, `${bytesBefore} bytes until it listens`)
  // The bundler's own helpers come from no source.
  const sources = paths
    .filter((path) => existsSync(`${path}.map`))
    .flatMap((path) => (JSON.parse(readFileSync(`${path}.map`, 'utf8')) as { sources: readonly string[] }).sources)
    .join('\n')
  t.regex(sources, /\/src\/shell\/server\.ts$/m)
  for (const later of [
    'node_modules/@faker-js/',
    'node_modules/pino/',
    'node_modules/quickjs-emscripten-core/',
    'node_modules/smol-toml/',
    'src/scenario/compile.ts',
    'src/scenario/schema.ts',
    'src/shell/cli/recordNode.ts',
    'src/shell/recordings/openPlaying.ts',
    'src/shell/recordings/proxy.ts',
    'src/shell/fork/openFork.ts',
    'src/shell/cli/test.ts',
    'src/shell/control/explorerRoutes.ts',
  ]) {
    t.false(sources.includes(later), `${later} is loaded`)
  }
  const withCode = loaded.filter((line) => line.startsWith('part false '))
  const withoutCode = loaded.filter((line) => /^part (?!false )/.test(line))
  t.true(withCode.length > 5, `${withCode.length} parts have compiled code`)
  t.deepEqual(withoutCode, [], 'V8 compiles these parts at each start')
  t.true(loaded.some((line) => line.startsWith('NativeModule ')))
  t.false(loaded.includes('NativeModule internal/deps/undici/undici'), 'Node has loaded its fetch')
})

test('the built-in scenario beside the program is what its file compiles to', async (t) => {
  execFileSync(process.execPath, [join(root, 'scripts/setup.mjs'), 'start'])
  t.is(readFileSync(join(program, 'local.compiled.json'), 'utf8'), await compiledBuiltIn())
})

/** Runs a command and returns what it printed, with the lines of an observer. */
function observed(...words: readonly string[]) {
  execFileSync(process.execPath, [join(root, 'scripts/setup.mjs'), 'start'])
  const file = join(scratch(), 'loaded')
  const text = execFileSync(process.execPath, ['--import', observer(file), join(program, 'main.js'), ...words])
  return { text: String(text), lines: readFileSync(file, 'utf8').split('\n') }
}

test('the overview of the commands needs none of them', (t) => {
  const { text, lines } = observed('--help')
  t.regex(text, /^ {2}faucet /m)
  isLight(t, lines)
})

for (const command of ['new', 'init', 'status', 'mine', 'faults', 'reload']) {
  test(`the command ${command} loads no chain`, (t) => {
    const { text, lines } = observed(command, '--help')
    t.regex(text, /^Usage: /m)
    isLight(t, lines)
  })
}

function isLight(t: ExecutionContext, lines: readonly string[]): void {
  const paths = ownPaths(lines)
  const bytes = paths.reduce((sum, path) => sum + statSync(path).size, 0)
  t.log(`${paths.length} parts, ${bytes} bytes`)
  t.true(paths.length > 2 && bytes < 250_000, `${bytes} bytes`)
}

for (const words of [
  ['test', join(root, 'scenarios/rate-limit.json5')],
  ['check', join(root, 'scenarios/rate-limit.json5')],
  ['replay', join(root, 'snapshots/erc20-transfer.jsonl')],
]) {
  test(`V8 compiles no part that chainstage ${words[0]} needs, and faker is not loaded`, (t) => {
    const { lines } = observed(...words)
    const parts = lines.filter((line) => line.startsWith('part '))
    t.true(parts.some((line) => /^part false .*\bprogram-[^/]*$/.test(line)))
    t.deepEqual(
      parts.filter((line) => !line.startsWith('part false ')),
      [],
    )
    t.false(parts.some((line) => line.includes('faker')))
  })
}
