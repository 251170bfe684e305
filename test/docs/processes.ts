/** Processes of the blocks of a page: shells that end, and servers that answer until they are stopped. */
import { spawn, type ChildProcess } from 'node:child_process'
import { connect } from 'node:net'
import { unusedPorts } from '../helpers/unusedPorts.ts'

/** No block of a page takes longer; one that waits for Ctrl-C would go on for ever. */
const patienceMs = 120_000

export type Ran = { readonly code: number | null; readonly out: string }

export type Place = { readonly cwd: string; readonly env: NodeJS.ProcessEnv }

/** Starts a script in a process group of its own. */
export function startShell(script: string, { cwd, env }: Place): ChildProcess {
  return spawn('bash', ['-c', script], { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
}

/** Resolves with the exit code and the output of a process; kills it after two minutes. */
export function ended(child: ChildProcess): Promise<Ran> {
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

/** Ends a process and those that it started; resolves when they have ended. */
export async function stopped(child: ChildProcess | undefined): Promise<void> {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
  const closed = new Promise((done) => child.once('close', done))
  if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM')
  await closed
}

/** Resolves with the output of a server once it answers; throws an error with it after 30 s. */
export async function ready(child: ChildProcess, answers: () => Promise<boolean>): Promise<string> {
  const out = gathered(child)
  for (let tries = 0; tries < 300 && child.exitCode === null; tries += 1) {
    if (await answers()) return out()
    await new Promise((done) => setTimeout(done, 100))
  }
  throw new Error(`the server does not answer:\n${out()}`)
}

/** Resolves with whether a chain answers at the port of its control API. */
export async function answersStatus(port: string | undefined): Promise<boolean> {
  const answer = await fetch(`http://127.0.0.1:${port}/api/status`).catch(() => undefined)
  return answer?.ok === true
}

/** Resolves with whether a program accepts connections at a port. */
export function accepts(port: string | undefined): Promise<boolean> {
  const socket = connect(Number(port), '127.0.0.1')
  return new Promise((done) => {
    socket.once('connect', () => done(true)).once('error', () => done(false))
  }).then((isOpen) => {
    socket.destroy()
    return isOpen === true
  })
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

/** The bundled program has lines of many kilobytes, which stack traces show. */
const withoutLongLines = (text: string) => text.replaceAll(/^.{1000,}$/gm, '…')

/** Resolves with unused ports in place of some others. */
export async function portsFor(names: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const ports = await unusedPorts(names.length)
  return new Map(names.map((name, index) => [name, String(ports[index])]))
}
