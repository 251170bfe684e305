/** The command line as a person runs it: the bundled program, in a process of its own. */
import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The program that ships; it starts in half the time of its separate modules. */
export const main = fileURLToPath(new URL('../../../dist/program/main.js', import.meta.url))
export const freePorts = [
  '--rpc.laddr',
  'tcp://127.0.0.1:0',
  '--api.address',
  '127.0.0.1:0',
  '--grpc.address',
  '127.0.0.1:0',
  '--json-rpc.address',
  '127.0.0.1:0',
  '--json-rpc.ws-address',
  '127.0.0.1:0',
  '--control',
  '127.0.0.1:0',
] as const

export type Ended = { readonly code: number | null; readonly out: string; readonly err: string }

export type Started = {
  readonly process: ChildProcess
  readonly out: () => string
  readonly err: () => string
  readonly ended: Promise<Ended>
  /** Resolves when a stream has said something; fails when the process ends before. */
  readonly says: (pattern: RegExp, where?: 'out' | 'err') => Promise<RegExpExecArray>
}

const folders: string[] = []

/** Returns a fresh folder for one test, which is removed when the tests of its file are over. */
export function scratch(): string {
  if (folders.length === 0) process.once('exit', removeFolders)
  const folder = mkdtempSync(join(tmpdir(), 'chainstage-'))
  folders.push(folder)
  return folder
}

function removeFolders(): void {
  for (const folder of folders) {
    try {
      rmSync(folder, { recursive: true, force: true })
    } catch {
      // A process that a test left still writes there.
    }
  }
}

/**
 * Starts a command; the environment is ours without settings of chainstage, and at a desk: CI is
 * set by the tests that ask about it. `cwd` is the folder that it runs in, else that of the tests.
 */
export function startCli(words: readonly string[], environment: Record<string, string> = {}, cwd?: string): Started {
  const clean = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(CHAINSTAGE_|NODE_HOME|FORCE_COLOR|CI$)/.test(name)),
  )
  const child = spawn(process.execPath, [main, ...words], {
    cwd,
    env: { ...clean, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [out, err] = ['', '']
  child.stdout.on('data', (part: Buffer) => {
    out += String(part)
  })
  child.stderr.on('data', (part: Buffer) => {
    err += String(part)
  })
  const ended = new Promise<Ended>((done) => {
    child.once('close', (code) => done({ code, out, err }))
  })
  const says: Started['says'] = async (pattern, where = 'out') => {
    for (;;) {
      const found = pattern.exec(where === 'out' ? out : err)
      if (found !== null) return found
      if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}: ${out}${err}`)
      await new Promise((done) => {
        setTimeout(done, 20)
      })
    }
  }
  return { process: child, out: () => out, err: () => err, ended, says }
}

/** Runs a command to its end. */
export function cli(words: readonly string[], environment: Record<string, string> = {}, cwd?: string): Promise<Ended> {
  return startCli(words, environment, cwd).ended
}
