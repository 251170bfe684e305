/** Runs `longHistory.ts` in a process of its own. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { fileURLToPath } from 'node:url'
import type { LengthReport } from './longHistory.ts'

const program = fileURLToPath(new URL('longHistory.js', import.meta.url))

/** Resolves with what is measured at each length. Rejects if the chain needs a larger heap. */
export async function longHistory(
  lengths: readonly number[],
  { heapMegabytes }: { readonly heapMegabytes: number },
): Promise<readonly LengthReport[]> {
  const args = [`--max-old-space-size=${heapMegabytes}`, program, ...lengths.map(String)]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as LengthReport)
}
