/** The command line as a process of its own. */
import { spawn } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const main = fileURLToPath(new URL('../../src/main.js', import.meta.url))

/** Flags that keep a chain off the ports that people use. */
export const freeFlags = ['--rpc.laddr', 'tcp://127.0.0.1:0', '--json-rpc.address', '127.0.0.1:0', '--json-rpc.ws-address', '127.0.0.1:0'] as const

export type Finished = { readonly code: number | null; readonly stdout: string; readonly stderr: string; readonly ms: number }

export type Started = {
  /** Resolves when a stream has said something; fails when the process ends before. */
  readonly says: (pattern: RegExp, where?: 'stdout' | 'stderr') => Promise<RegExpExecArray>
  readonly stdout: () => string
  readonly stderr: () => string
  readonly signal: (name: NodeJS.Signals) => void
  readonly finished: Promise<Finished>
}

/** Returns a fresh folder for one test. */
export function scratch(): string {
  return mkdtempSync(join(tmpdir(), 'chainstage-'))
}

/** Starts `chainstage` with some words. */
export function chainstage(words: readonly string[], { env = {}, cwd }: { env?: Record<string, string>; cwd?: string } = {}): Started {
  const began = performance.now()
  const child = spawn(process.execPath, [main, ...words], {
    env: { PATH: process.env['PATH'] ?? '', NO_COLOR: '1', ...env }, ...(cwd === undefined ? {} : { cwd }), stdio: ['ignore', 'pipe', 'pipe'],
  })
  const texts = { stdout: '', stderr: '' }
  const listeners = new Set<() => void>()
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].on('data', (part) => { texts[name] += String(part); for (const listener of listeners) listener() })
  }
  const finished = new Promise<Finished>((done) => {
    child.on('close', (code) => { for (const listener of listeners) listener(); done({ code, ...texts, ms: performance.now() - began }) })
  })
  const says = (pattern: RegExp, where: 'stdout' | 'stderr' = 'stdout') => new Promise<RegExpExecArray>((done, fail) => {
    const look = () => {
      const found = pattern.exec(texts[where])
      if (found !== null) { listeners.delete(look); done(found) }
      else if (child.exitCode !== null) { listeners.delete(look); fail(new Error(`ended with ${child.exitCode}: ${texts.stdout}${texts.stderr}`)) }
    }
    listeners.add(look)
    look()
  })
  return { says, finished, stdout: () => texts.stdout, stderr: () => texts.stderr, signal: (name) => { child.kill(name) } }
}
