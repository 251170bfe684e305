/** Saves a fault to the scenario file, which is then hot-reloaded. */
import { readFile } from 'node:fs/promises'
import { SimError } from '../errors.ts'
import { writeFileWhole } from './durable/writeFile.ts'
import { packagePath } from './packageFiles.ts'

/** Inserts a fault into the file at `path`. Throws `FaultNotInserted`, `ScenarioOfPackage` or `CannotWrite`. */
export async function saveFault(path: string, name: string, rule: unknown): Promise<{ readonly path: string }> {
  if (path.startsWith(packagePath('scenarios/'))) throw new ScenarioOfPackage()
  const { withFault } = await import('../scenario/insertFault.ts')
  await writeFileWhole(path, withFault(await readFile(path, 'utf8'), name, rule))
  return { path }
}

/** Other projects may use the scenarios of the package too. */
class ScenarioOfPackage extends SimError {
  constructor() {
    super('FAULT_NOT_INSERTED', 'the chain follows a scenario of the chainstage package, which is not written to', {
      hint: "Copy it to chainstage.json5 in your project, or write { chainstage: 1, name: 'mine' } there, and start again.",
    })
  }
}
