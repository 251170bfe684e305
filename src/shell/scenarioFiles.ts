/** Reads a scenario with everything it imports. */
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { SimError } from '../errors.ts'
import type { Compiled } from '../scenario/compile.ts'

/** What a run says beside the files. */
export type Given = { readonly vars?: ReadonlyMap<string, string> }

export type Loaded = Compiled & {
  readonly given: Given
  /** Texts by the path they are named by in diagnostics. */
  readonly files: ReadonlyMap<string, string>
}

/**
 * Resolves with a compiled scenario. Throws `UnreadableScenario` when the file cannot be read and
 * `InvalidScenario` with every problem in it.
 */
export async function loadScenario(path: string, given: Given = {}): Promise<Loaded> {
  const { compileScenario } = await import('../scenario/compile.ts')
  const { importsOf } = await import('../scenario/imports.ts')
  const files = new Map<string, string>()
  const read = async (file: string, isEntry: boolean): Promise<void> => {
    if (files.has(file)) return
    const text = await readFile(resolve(file), 'utf8').catch((cause: unknown) => {
      if (isEntry) throw new UnreadableScenario(file, cause)
    })
    if (text === undefined) return
    files.set(file, text)
    for (const imported of importsOf(file, text)) await read(imported, false)
  }
  await read(path, true)
  return { ...compileScenario(files, path, given), files, given }
}

export class UnreadableScenario extends SimError {
  constructor(file: string, cause: unknown) {
    const { code } = cause as { code?: string }
    const why = code === 'ENOENT' ? 'there is no such file' : code === 'EISDIR' ? 'it is a folder' : String(code ?? cause)
    super('UNREADABLE_SCENARIO', `cannot read the scenario ${file}: ${why}`, {
      cause, hint: 'Give the path of a .json5 file, like scenarios/local.json5.',
    })
  }
}
