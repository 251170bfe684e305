/** Saving a fault into the file of the scenario, from where a reload takes it. */
import { readFile } from 'node:fs/promises'
import { writeFileWhole } from './durable/writeFile.ts'

/** Resolves when the file at `path` has the fault too. Throws `FaultNotInserted`, `CannotWrite`. */
export async function saveFault(path: string, name: string, rule: unknown): Promise<{ readonly path: string }> {
  const { withFault } = await import('../scenario/insertFault.ts')
  await writeFileWhole(path, withFault(await readFile(path, 'utf8'), name, rule))
  return { path }
}
