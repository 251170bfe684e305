/** Runs the blocks of a page from top to bottom in a project that has the packed package. */
import { spawn, type ChildProcess } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { root, type Project } from '../helpers/packed.ts'
import type { Block } from './blocks.ts'

/** The ports that pages name; a run has free ones in their place, so that several pages run at once. */
const portsOfPages = ['8545', '8546', '26657', '1317', '9090', '8555', '9545', '9546', '9555', '26660']

/** No block of a page takes longer; one that waits for Ctrl-C would go on for ever. */
const patienceMs = 120_000

export type Story = {
  /** Does what the reader of a block does. Throws an error that shows what went wrong. */
  readonly follow: (block: Block) => Promise<void>
  readonly end: () => Promise<void>
}

type Ran = { readonly code: number | null; readonly out: string }

export type StoryOptions = {
  /** Name of the folder. */
  readonly name: string
  readonly blocks: readonly Block[]
  /** Whether npm itself installs the packed package, offline; it has no dependencies. Otherwise packages are linked. */
  readonly isInstalled?: boolean
}

/**
 * Starts the story of some blocks in a folder of its own, which has a `package.json`, and `node_modules` unless the
 * reader installs the package.
 */
export async function storyIn(project: Project, { name, blocks, isInstalled = false }: StoryOptions): Promise<Story> {
  const folder = join(project.folder, name)
  const ports = new Map<string, string>()
  for (const port of portsOfPages) ports.set(port, await freePort())
  const here = (text: string) => text.replaceAll(/\b\d{4,5}\b/g, (number) => ports.get(number) ?? number)
  const there = new Map([...ports].map(([port, free]) => [free, port]))
  const asOnPage = (text: string) => text.replaceAll(/\b\d{4,5}\b/g, (number) => there.get(number) ?? number)
  const tarball = readdirSync(project.folder).find((file) => file.endsWith('.tgz')) ?? ''
  const installed = isInstalled ? { TARBALL: join(project.folder, tarball) } : {}
  const env = { ...environment(project, folder, ports), ...installed }
  const state = join(project.folder, `${name}.cwd`)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "name": "dapp", "private": true, "type": "module" }\n')
  writeFileSync(state, folder)
  let server: ChildProcess | undefined
  let last: Ran = { code: 0, out: '' }
  let programs = 0
  if (!blocks.some(({ text }) => /npm install|chainstage new/.test(text))) {
    symlinkSync(project.modules, join(folder, 'node_modules'), 'junction')
  }
  const cwd = () => readFileSync(state, 'utf8').trim()

  const stop = async () => {
    const child = server
    server = undefined
    if (child === undefined || child.exitCode !== null) return
    const closed = new Promise((done) => child.once('close', done))
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM')
    await closed
  }
  const shell = async (block: Block) => {
    const script = `set -e -o pipefail\ntrap 'pwd > "${state}"' EXIT\n${here(block.text)}`
    if ('stop' in block.tags) await stop()
    if (!serves(block)) return ended(startShell(script, { cwd: cwd(), env }))
    await stop()
    server = startShell(script, { cwd: cwd(), env })
    return { code: 0, out: await ready(server, `http://127.0.0.1:${ports.get('8555')}`) }
  }
  const program = async (block: Block) => {
    programs += 1
    const path = join(cwd(), `block${programs}.ts`)
    writeFileSync(path, here(block.text))
    const checked = await ended(startShell(compile(path), { cwd: cwd(), env }))
    if (checked.code !== 0) return checked
    return ended(startShell(`node ${path.replace(/ts$/, 'js')}`, { cwd: cwd(), env }))
  }
  // A block that no file is made of is a scenario, or a fault.
  const checked = async (block: Block) => {
    const path = join(cwd(), 'block.json5')
    writeFileSync(path, block.text)
    return ended(startShell(check(path, block), { cwd: cwd(), env }))
  }
  const file = async (block: Block) => {
    const { text, tags, language } = block
    const path = join(cwd(), tags['file'] ?? '')
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, here(text))
    if ('unchecked' in block.tags) return { code: 0, out: '' }
    const checks: Readonly<Record<string, string>> = {
      ts: compile(path, '--noEmit'),
      json5: check(path, block),
    }
    return ended(startShell(checks[language] ?? '', { cwd: cwd(), env }))
  }
  // Of a workflow, the commands are run; what fetches the sources and Node is left to its platform.
  const workflow = (block: Block) =>
    shell({ ...block, text: [...block.text.matchAll(/\brun: (.*)$/gm)].map(([, command]) => command).join('\n') })
  const run: Readonly<Record<string, (block: Block) => Promise<Ran>>> = {
    sh: shell,
    ts: program,
    js: program,
    yaml: async (block) => ('steps' in block.tags ? workflow(block) : last),
    json5: async (block) => checked(block),
  }

  return {
    follow: async (block) => {
      if ('skip' in block.tags) return
      if (block.language === 'text') return shows(block, asOnPage(last.out))
      const does = 'file' in block.tags ? file : run[block.language]
      if (does === undefined) return
      last = await does(block)
      const wanted = Number(block.tags['exit'] ?? 0)
      if (last.code !== wanted) {
        throw new Error(`${block.where}: exit code ${last.code} instead of ${wanted}\n${block.text}\n${last.out}`)
      }
    },
    end: stop,
  }
}

/** Throws unless each line of a block is a line of the output, in this order; `…` stands for any characters. */
function shows({ where, text }: Block, out: string): void {
  let rest = out.split('\n').map((line) => line.trim())
  for (const line of text.split('\n').map((one) => one.trim())) {
    if (line === '' || line === '…') continue
    const parts = line.split('…').map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
    const pattern = new RegExp(`^${parts.join('.*').replaceAll(/ +/g, ' +')}$`)
    const found = rest.findIndex((one) => pattern.test(one))
    if (found < 0) throw new Error(`${where}: the output has no line "${line}":\n${out}`)
    rest = rest.slice(found + 1)
  }
}

/** Whether a block starts a chain in the foreground, which a reader leaves running in a terminal. */
function serves({ text }: Block): boolean {
  return text
    .replaceAll(/\\\n/g, '')
    .split('\n')
    .some((line) => /^(?:npx )?chainstage start(?! .*--(?:detach|help))/.test(line))
}

function environment(project: Project, folder: string, ports: ReadonlyMap<string, string>): NodeJS.ProcessEnv {
  const at = (port: string) => `127.0.0.1:${ports.get(port)}`
  return {
    PATH: [join(project.folder, 'shims'), join(folder, 'node_modules/.bin'), process.env['PATH']].join(':'),
    HOME: folder,
    MODULES: project.modules,
    npm_config_offline: 'true',
    npm_config_update_notifier: 'false',
    CHROMIUM: process.env['CHROMIUM'] ?? ['/usr/bin/chromium', '/usr/bin/google-chrome'].find(existsSync),
    CHAINSTAGE_RPC_LADDR: `tcp://${at('26657')}`,
    CHAINSTAGE_JSON_RPC_ADDRESS: at('8545'),
    CHAINSTAGE_JSON_RPC_WS_ADDRESS: at('8546'),
    CHAINSTAGE_API_ADDRESS: `tcp://${at('1317')}`,
    CHAINSTAGE_GRPC_ADDRESS: at('9090'),
    CHAINSTAGE_CONTROL: at('8555'),
    NO_COLOR: '1',
  }
}

/** A fault is checked as the step of a scenario that has it. */
const check = (path: string, { tags }: Block) =>
  'fault' in tags
    ? [
        `{ printf "{ chainstage: 1, name: 'fault', faults: { it: "; cat ${path};`,
        `printf '}, steps: [{ do: { fault: { use: "it" } } }] }'; } > ${path}.scenario.json5`,
        `&& npx chainstage check ${path}.scenario.json5`,
      ].join(' ')
    : `npx chainstage check ${path}`

const compile = (path: string, ...more: readonly string[]) =>
  [
    `node ${join(root, 'node_modules/typescript/bin/tsc')} --ignoreConfig --strict --skipLibCheck --module nodenext`,
    `--target es2022 --lib es2023,esnext.disposable,dom --types node ${more.join(' ')} ${path}`,
  ].join(' ')

function startShell(script: string, { cwd, env }: { cwd: string; env: NodeJS.ProcessEnv }): ChildProcess {
  return spawn('bash', ['-c', script], { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
}

function gathered(child: ChildProcess): () => string {
  let out = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (part: Buffer) => {
      out += String(part)
    })
  }
  return () => out
}

function ended(child: ChildProcess): Promise<Ran> {
  const out = gathered(child)
  const timer = setTimeout(() => {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
  }, patienceMs)
  return new Promise((done) => {
    child.once('close', (code) => {
      clearTimeout(timer)
      done({ code, out: withoutLongLines(out()) })
    })
  })
}

/** The bundled program has lines of many kilobytes, which stack traces show. */
const withoutLongLines = (text: string) => text.replaceAll(/^.{1000,}$/gm, '…')

/** Resolves with what a server said until its control port answered. */
async function ready(child: ChildProcess, control: string): Promise<string> {
  const out = gathered(child)
  for (let tries = 0; tries < 300 && child.exitCode === null; tries += 1) {
    const answer = await fetch(`${control}/api/status`).catch(() => undefined)
    if (answer?.ok === true) return out()
    await new Promise((done) => setTimeout(done, 100))
  }
  throw new Error(`no chain answers at ${control}:\n${out()}`)
}

function freePort(): Promise<string> {
  const server = createServer()
  return new Promise((done) => {
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => {
        done(String(port))
      })
    })
  })
}

/**
 * Puts programs into a project that stand in for the network: `npm install` links the packages that the project has
 * and fails for others, and `playwright install` leaves the browser to the environment. Where `TARBALL` names the
 * packed package, npm itself installs that one, and the other packages are linked beside it.
 */
export function writeShims(project: Project, packages: readonly string[]): void {
  const shims = join(project.folder, 'shims')
  mkdirSync(shims)
  const npm = `#!/usr/bin/env bash
case "$1" in
  install|i|ci|add)
    shift
    for word in "$@"; do
      case "$word" in -*) ;; *) [ -e "$MODULES/$word" ] || { echo "not in the test project: $word"; exit 1; } ;; esac
    done
    if [ -n "$TARBALL" ]; then
      PATH=\${PATH#*:} npm install --save-dev --offline --no-audit --no-fund "$TARBALL"
      for path in "$MODULES"/* "$MODULES"/@*/*; do
        name=\${path#"$MODULES"/}
        case "$name" in @*/*|[!@]*) [ -e "node_modules/$name" ] || { mkdir -p "$(dirname "node_modules/$name")"; ln -s "$path" "node_modules/$name"; } ;; esac
      done
    else
      [ -e node_modules ] || ln -s "$MODULES" node_modules
    fi ;;
  *) PATH=\${PATH#*:} exec npm "$@" ;;
esac
`
  const npx = `#!/usr/bin/env bash
[ "$1 $2" = 'playwright install' ] && exit 0
[ -e "node_modules/.bin/$1" ] && exec "node_modules/.bin/$@"
[ -e "$MODULES/.bin/$1" ] || { echo "not in the test project: $1"; exit 1; }
exec "$MODULES/.bin/$@"
`
  writeFileSync(join(shims, 'npm'), npm, { mode: 0o755 })
  writeFileSync(join(shims, 'npx'), npx, { mode: 0o755 })
  mkdirSync(join(project.modules, '.bin'))
  for (const name of ['chainstage', ...packages]) linkPrograms(project, name)
}

function linkPrograms({ modules }: Project, name: string): void {
  const path = join(modules, name, 'package.json')
  if (!existsSync(path)) return
  const { bin = {} } = JSON.parse(readFileSync(path, 'utf8')) as { bin?: string | Record<string, string> }
  const programs = typeof bin === 'string' ? { [name]: bin } : bin
  for (const [program, file] of Object.entries(programs)) {
    if (name === 'chainstage') chmodSync(join(modules, name, file), 0o755)
    symlinkSync(join(modules, name, file), join(modules, '.bin', program))
  }
}
