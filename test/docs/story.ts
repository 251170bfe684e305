/** Runs the blocks of a page from top to bottom in a project that has the packed package. */
import type { ChildProcess } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root, type Project } from '../helpers/packed.ts'
import type { Block } from './blocks.ts'
import { accepts, answersStatus, ended, portsFor, ready, startShell, stopped, type Ran } from './processes.ts'
import { missingTools, neededTools, newerNode } from './tools.ts'
import { startUpstream, type Upstream } from './upstream.ts'

/** The ports that pages name; a run has free ones in their place, so that several pages run at once. */
const portsOfPages = ['8545', '8546', '26657', '1317', '9090', '8555', '9545', '9546', '9555', '26660', '4222']

export type Story = {
  /** Does what the reader of a block does. Throws an error that shows what went wrong. */
  readonly follow: (block: Block) => Promise<void>
  readonly end: () => Promise<void>
}

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
  const ports = await portsFor(portsOfPages)
  let upstream: Upstream | undefined
  const here = (text: string) =>
    (upstream?.here(text) ?? text).replaceAll(/\b\d{4,5}\b/g, (number) => ports.get(number) ?? number)
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
  let broker: ChildProcess | undefined
  let last: Ran = { code: 0, out: '' }
  let programs = 0
  if (!blocks.some(({ text }) => /npm install|chainstage new/.test(text))) {
    symlinkSync(project.modules, join(folder, 'node_modules'), 'junction')
  }
  const cwd = () => readFileSync(state, 'utf8').trim()

  const place = (block: Block) => ({
    cwd: cwd(),
    env: neededTools(block.tags).includes('node22') ? withNewerNode(env, project) : env,
  })
  const stop = async () => {
    const child = server
    server = undefined
    await stopped(child)
  }
  const shell = async (block: Block) => {
    const script = `set -e -o pipefail\ntrap 'pwd > "${state}"' EXIT\n${here(block.text)}`
    if ('stop' in block.tags) await stop()
    if (startsBroker(block)) {
      broker = startShell(script, place(block))
      return { code: 0, out: await ready(broker, () => accepts(ports.get('4222'))) }
    }
    if (!serves(block)) return ended(startShell(script, place(block)))
    await stop()
    server = startShell(script, place(block))
    return { code: 0, out: await ready(server, () => answersStatus(ports.get('8555'))) }
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
      // The plugins that Hardhat's configuration imports extend the types of its other files.
      ts: compile(path, '--noEmit', ...(existsSync(join(cwd(), 'hardhat.config.ts')) ? ['hardhat.config.ts'] : [])),
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
      if ('skip' in block.tags || missingTools(block.tags).length > 0) return
      if (/\bnode:\d{4,5}\b/.test(block.text)) upstream ??= await startUpstream({ cwd: project.folder, env })
      if (block.language === 'text') return shows(block, asOnPage(last.out))
      const does = 'file' in block.tags ? file : run[block.language]
      if (does === undefined) return
      last = await does(block)
      const wanted = Number(block.tags['exit'] ?? 0)
      if (last.code !== wanted) {
        throw new Error(`${block.where}: exit code ${last.code} instead of ${wanted}\n${block.text}\n${last.out}`)
      }
    },
    end: async () => {
      await stop()
      await stopped(broker)
      await upstream?.end()
    },
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

/** Whether a block starts the message server of a fleet, which keeps running beside the chain. */
const startsBroker = ({ text }: Block) => /^nats-server /m.test(text)

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
    NATS_PORT: ports.get('4222'),
    FOUNDRY_SOLC: process.env['FOUNDRY_SOLC'],
    FOUNDRY_OFFLINE: process.env['FOUNDRY_OFFLINE'],
    NO_COLOR: '1',
  }
}

/** Returns an environment in which `node` is a newer one; the stand-ins stay before it on the path. */
function withNewerNode(env: NodeJS.ProcessEnv, { folder }: Project): NodeJS.ProcessEnv {
  const shims = join(folder, 'shims')
  return { ...env, PATH: [shims, newerNode, env['PATH']?.slice(shims.length + 1)].join(':') }
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
