/** Reads a scenario with everything it imports. */
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { readBuiltIn } from './builtInScenario.ts'
import { fakeFor } from './fakeFor.ts'
import { isExpected, SimError } from '../../errors.ts'
import { portablePath } from '../paths.ts'
import { whyUnreadable } from '../whyUnreadable.ts'
import type { Compiled, CompileInput } from '../../scenario/compile.ts'
import type { Files } from '../../scenario/vars.ts'

export type LoadedScenario = Compiled & {
  /** The inputs of the run besides the files, such as variables. */
  readonly given: CompileInput
  readonly files: Files
}

/**
 * Resolves with a compiled scenario. Throws `UnreadableScenario` when the file cannot be read and
 * `InvalidScenario` with every problem in it.
 */
export async function loadScenario(path: string, given: CompileInput = {}): Promise<LoadedScenario> {
  const builtIn = readBuiltIn(path, given)
  if (builtIn !== undefined) return { ...builtIn, given }
  const { files } = await readScenario(path)
  return compiledFiles(path, files, given)
}

/** Resolves with a scenario from the texts of its files. Throws `InvalidScenario`. */
export async function compiledFiles(path: string, files: Files, given: CompileInput): Promise<LoadedScenario> {
  const { compileScenario } = await import('../../scenario/compile.ts')
  const compiled = compileScenario(files, portablePath(path), { ...given, fake: await fakeFor(files.values()) })
  return { ...compiled, files, given }
}

/**
 * Resolves with the texts of a scenario and everything it imports. Stops, with `isWhole` false, at
 * the file with which they exceed `charactersMost`. Throws `UnreadableScenario` when the scenario
 * cannot be read.
 */
export async function readScenario(
  path: string,
  charactersMost = Number.POSITIVE_INFINITY,
): Promise<{ readonly files: Files; readonly isWhole: boolean }> {
  const { artifactsOf, importsOf } = await import('../../scenario/imports.ts')
  const files = new Map<string, string>()
  let characters = 0
  const read = async (file: string, kind: 'entry' | 'part' | 'artifact'): Promise<void> => {
    if (files.has(file) || characters > charactersMost) return
    const text = await sourceText(file).catch((cause: unknown) => {
      if (kind === 'entry') {
        throw isExpected(cause) ? cause : new UnreadableScenario(file, cause)
      }
    })
    if (text === undefined) return
    files.set(file, text)
    characters += text.length
    // To find its imports, a file is parsed, which takes long if it is large.
    if (kind === 'artifact' || characters > charactersMost) return
    for (const imported of importsOf(file, text)) await read(imported, 'part')
    for (const artifact of artifactsOf(file, text)) await read(artifact, 'artifact')
  }
  await read(portablePath(path), 'entry')
  return { files, isWhole: characters <= charactersMost }
}

/** What reports show of a run without a scenario: `file` in place of its path, and its name. */
export type Alone = { readonly file: string; readonly name: string }

/** Resolves with a scenario without steps, for a program that runs alone. */
export async function emptyScenario({ file, name }: Alone, given: CompileInput = {}): Promise<LoadedScenario> {
  const { compileScenario } = await import('../../scenario/compile.ts')
  const files = new Map([[file, `${JSON.stringify({ chainstage: 1, name }, undefined, 2)}\n`]])
  return { ...compileScenario(files, file, given), files, given }
}

/** Resolves with the text of a JSON5 file without a byte order mark, or of the scenario in a module. */
async function sourceText(file: string): Promise<string> {
  if (!/\.[cm]?[jt]s$/.test(file)) return (await readFile(resolve(file), 'utf8')).replace(/^\ufeff/, '')
  return (await import('./scenarioModule.ts')).readModule(file)
}

export class UnreadableScenario extends SimError {
  constructor(file: string, cause: unknown) {
    const { code = '' } = cause as { code?: string }
    const isDenied = code === 'EACCES' || code === 'EPERM'
    super('UNREADABLE_SCENARIO', `cannot read the scenario ${file}: ${whyUnreadable(cause)}`, {
      cause,
      hint: isDenied
        ? 'Allow this user to read the file and its folder.'
        : 'Give the path of a .json5 or .ts file, like scenarios/local.json5.',
    })
  }
}
