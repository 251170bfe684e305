/** Projects of Hardhat in folders of their own, run by its command line as a person runs it. */
import { spawn } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { scratch } from './cli.ts'

const modules = fileURLToPath(new URL('../../../node_modules', import.meta.url))

/** Returns a new folder with these files and the packages of this one. */
export function hardhatProject(files: Readonly<Record<string, string>>): string {
  const folder = scratch()
  symlinkSync(modules, join(folder, 'node_modules'))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return folder
}

/**
 * Returns a configuration with one network. The compiler is the solc package's, so that nothing is
 * downloaded.
 */
export function hardhatConfig(plugin: string, network: string, url: string): string {
  return `
require('${plugin}')
const { subtask } = require('hardhat/config')
const { TASK_COMPILE_SOLIDITY_GET_SOLC_BUILD } = require('hardhat/builtin-tasks/task-names')
const solc = require('solc')
const version = solc.version().split('+')[0]
subtask(TASK_COMPILE_SOLIDITY_GET_SOLC_BUILD).setAction(async () => ({
  compilerPath: require.resolve('solc/soljson.js'), isSolcJs: true, version,
  longVersion: solc.version(),
}))
module.exports = {
  solidity: { version, settings: { evmVersion: 'cancun', optimizer: { enabled: true } } },
  networks: { ${network}: { url: '${url}' } },
}
`
}

/** Resolves, when Hardhat has ended, with its exit code and what it printed. */
export function runHardhat(
  folder: string,
  words: readonly string[],
  network = 'chainstage',
): Promise<{
  code: number | null
  out: string
}> {
  const main = join(modules, 'hardhat/internal/cli/bootstrap.js')
  const environment = {
    PATH: process.env['PATH'],
    HOME: folder,
    XDG_CONFIG_HOME: folder,
    XDG_DATA_HOME: folder,
    XDG_CACHE_HOME: folder,
    CI: 'true',
    HARDHAT_DISABLE_TELEMETRY_PROMPT: 'true',
    NO_COLOR: '1',
  }
  const child = spawn(process.execPath, [main, '--network', network, ...words], {
    cwd: folder,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let out = ''
  child.stdout.on('data', (part: Buffer) => {
    out += String(part)
  })
  child.stderr.on('data', (part: Buffer) => {
    out += String(part)
  })
  return new Promise((done) => {
    child.once('close', (code) => done({ code, out }))
  })
}
