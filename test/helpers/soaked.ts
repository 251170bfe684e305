/** Runs the traffic of `test/soak` in a process of its own. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { fileURLToPath } from 'node:url'
import type { Sample } from '../soak/main.ts'

const program = fileURLToPath(new URL('../soak/main.js', import.meta.url))

type Traffic = { readonly minutes: number; readonly samples: number; readonly pause?: number }

/** Resolves with the memory in use at some points of the traffic. */
export async function soaked(traffic: Traffic): Promise<readonly Sample[]> {
  const words = [program, '--json', ...Object.entries(traffic).map(([name, value]) => `--${name}=${value}`)]
  const { stdout } = await promisify(execFile)(process.execPath, words, { maxBuffer: 1 << 24 })
  return JSON.parse(stdout) as readonly Sample[]
}

/** Returns the bytes that stayed in memory between two points, in all and for each request. */
export function growth(from: Sample | undefined, to: Sample | undefined): { bytes: number; each: number } {
  if (from === undefined || to === undefined || to.requests <= from.requests) throw new Error('no traffic between them')
  const bytes = to.bytes - from.bytes
  return { bytes, each: Math.round(bytes / (to.requests - from.requests)) }
}
