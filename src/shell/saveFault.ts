/** Saves a fault to the scenario file, which is then hot-reloaded. */
import { readFile } from 'node:fs/promises'
import { writeFileWhole } from './durable/writeFile.ts'

/** Inserts a fault into the file at `path`. Throws `FaultNotInserted` or `CannotWrite`. */
export async function saveFault(path: string, name: string, rule: unknown): Promise<{ readonly path: string }> {
  const { withFault } = await import('../scenario/insertFault.ts')
  await writeFileWhole(path, withFault(await readFile(path, 'utf8'), name, rule))
  return { path }
}
