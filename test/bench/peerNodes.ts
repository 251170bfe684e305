/** The servers that `npm run bench peers` compares: the program that ships, and Anvil beside it. */
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { performance } from 'node:perf_hooks'
import { fileURLToPath } from 'node:url'
import { startAnvil } from './anvil.ts'
import type { Node } from './node.ts'

const program = fileURLToPath(new URL('../../program/main.js', import.meta.url))
const nowhere = { eth: '', ethWs: '', comet: '', rest: '', grpc: '', control: '' }
const anywhere = Object.fromEntries(Object.keys(nowhere).map((name) => [name, '127.0.0.1:0']))

const flagOf: Readonly<Record<string, string>> = {
  eth: '--json-rpc.address',
  ethWs: '--json-rpc.ws-address',
  comet: '--rpc.laddr',
  rest: '--api.address',
  grpc: '--grpc.address',
  control: '--control',
}

export type Started = Node & { readonly urls: Readonly<Record<string, string>> }

/**
 * Starts the bundled program, or that of another checkout, with some interfaces on free ports; `url`
 * is Ethereum JSON-RPC's, or else CometBFT's.
 */
export async function startProgram(
  interfaces: readonly string[] | 'all',
  flags: readonly string[] = [],
  file = program,
): Promise<Started> {
  const on = interfaces === 'all' ? Object.keys(nowhere) : interfaces
  const addresses = Object.entries(nowhere).flatMap(([name]) => {
    const address = on.includes(name) ? (anywhere[name] ?? '') : ''
    return [flagOf[name] ?? '', name === 'comet' && address !== '' ? `tcp://${address}` : address]
  })
  const child = spawn(process.execPath, [file, 'start', '--json', '--no-watch', ...addresses, ...flags], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let text = ''
  const urls = await new Promise<Started['urls']>((done, fail) => {
    child.stdout.on('data', (part: Buffer) => {
      text += String(part)
      const [line, rest] = text.split('\n')
      if (rest !== undefined && line !== undefined) done((JSON.parse(line) as { urls: Started['urls'] }).urls)
    })
    // Once it has answered, a failure of this promise changes nothing: an exit is then what was asked for.
    child.once('exit', (code) => fail(new Error(`the server ended with ${code}`)))
  })
  const stop = () => {
    child.kill('SIGTERM')
  }
  return { urls, url: urls['eth'] ?? urls['comet'] ?? '', process: child, stop }
}

/** Says why there are no figures of Anvil, or undefined. */
export async function anvilOrReason(flags: readonly string[] = []): Promise<Node | string> {
  return (await startAnvil(flags)) ?? 'Anvil is not installed: npm install --no-save @foundry-rs/anvil, or set ANVIL'
}

/** Returns the resident memory of a server in megabytes; NaN where the system does not tell. */
export function residentMegabytes({ process: child }: Node): number {
  const file = `/proc/${child.pid}/status`
  if (!existsSync(file)) return Number.NaN
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(file, 'utf8'))?.[1]) / 1024
}

/** Returns how long something takes, in milliseconds. */
export async function millisecondsOf(act: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await act()
  return performance.now() - started
}
