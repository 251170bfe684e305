/** Runs `minedBlocks.ts` in a process of its own. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { fileURLToPath } from 'node:url'
import type { Report } from './minedBlocks.ts'

const program = fileURLToPath(new URL('minedBlocks.js', import.meta.url))

type Asked = { readonly first: number; readonly more: number; readonly keeps?: number; readonly heapMegabytes?: number }

/**
 * Resolves with the memory of a chain that mined `first` and then `more` empty blocks, of which it
 * keeps the newest `keeps`, or all. Rejects when it takes a larger heap of JavaScript than that.
 */
export async function minedBlocks({ first, more, keeps = 0, heapMegabytes = 200 }: Asked): Promise<Report> {
  const flags = [`--max-old-space-size=${heapMegabytes}`]
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, program, `${first}`, `${more}`, `${keeps}`])
  return JSON.parse(stdout) as Report
}
