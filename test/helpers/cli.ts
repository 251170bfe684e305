/** The command line as a person runs it: a process of its own. */
import { spawn, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const main = fileURLToPath(new URL('../../src/main.js', import.meta.url))
export const freePorts = ['--rpc.laddr', 'tcp://127.0.0.1:0', '--json-rpc.address', '127.0.0.1:0', '--json-rpc.ws-address', '127.0.0.1:0'] as const

export type Ended = { readonly code: number | null; readonly out: string; readonly err: string }

export type Started = {
  readonly process: ChildProcess
  readonly out: () => string
  readonly err: () => string
  readonly ended: Promise<Ended>
}

/** Starts a command; the environment is ours without settings of chainstage. */
export function startCli(words: readonly string[], environment: Record<string, string> = {}): Started {
  const clean = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(CHAINSTAGE_|NODE_HOME|FORCE_COLOR)/.test(name)))
  const child = spawn(process.execPath, [main, ...words], { env: { ...clean, ...environment, NO_COLOR: '1' }, stdio: ['ignore', 'pipe', 'pipe'] })
  let [out, err] = ['', '']
  child.stdout.on('data', (part: Buffer) => { out += String(part) })
  child.stderr.on('data', (part: Buffer) => { err += String(part) })
  const ended = new Promise<Ended>((done) => { child.once('close', (code) => done({ code, out, err })) })
  return { process: child, out: () => out, err: () => err, ended }
}

/** Runs a command to its end. */
export function cli(words: readonly string[], environment: Record<string, string> = {}): Promise<Ended> {
  return startCli(words, environment).ended
}
