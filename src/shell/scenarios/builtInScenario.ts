/**
 * The scenario of a start without one, compiled while the program is built. Reading, checking and
 * compiling it again would take an eighth of each start.
 */
import { readFileSync } from 'node:fs'
import { canonicalJson } from '../../data/canonicalJson.ts'
import { parseCanonicalJson } from '../../data/parseCanonicalJson.ts'
import type { Compiled, CompileInput } from '../../scenario/compile.ts'
import { packagePath } from '../packageFiles.ts'
import { portablePath } from '../paths.ts'

/** The path of the built-in scenario in the package. */
export const builtInPath = 'scenarios/local.json5'

/** The file beside the program that holds the compiled scenario; only the bundle has it. */
const compiledName = 'local.compiled.json'

type BuiltIn = Compiled & { readonly files: ReadonlyMap<string, string> }
type Kept = { readonly text: string; readonly compiled: Compiled }

/** Resolves with the content of the file that `scripts/bundle.mjs` writes beside the program. */
export async function compiledBuiltIn(): Promise<string> {
  const { compileScenario } = await import('../../scenario/compile.ts')
  const text = readFileSync(packagePath(builtInPath), 'utf8')
  const compiled = compileScenario(new Map([[builtInPath, text]]), builtInPath)
  return `${canonicalJson({ text, compiled })}\n`
}

/**
 * Returns the built-in scenario with its text by path, if the path is its own, its file is unchanged
 * and nothing is given that changes the result; otherwise the scenario must be compiled.
 */
export function readBuiltIn(path: string, given: CompileInput): BuiltIn | undefined {
  const { vars, seed, mnemonic, fake, until, timeoutMs } = given
  if (path !== packagePath(builtInPath) || (vars?.size ?? 0) > 0) return undefined
  if ([seed, mnemonic, fake, until, timeoutMs].some((one) => one !== undefined)) return undefined
  const kept = keptBuiltIn()
  if (kept === undefined || kept.text !== readFileSync(path, 'utf8')) return undefined
  const entry = portablePath(path)
  return { ...kept.compiled, closure: [entry], files: new Map([[entry, kept.text]]) }
}

function keptBuiltIn(): Kept | undefined {
  try {
    return parseCanonicalJson(readFileSync(new URL(`./${compiledName}`, import.meta.url), 'utf8')) as Kept
  } catch {
    return undefined
  }
}
