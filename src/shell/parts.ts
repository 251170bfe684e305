/**
 * Loads the parts of the bundled program. Node 20 compiles all code again at each start, so the
 * package contains compiled code of the parts that a start needs. Newer versions of Node keep
 * compiled code themselves.
 */
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { constants, Script } from 'node:vm'

type Part = { readonly exports: object }
type Run = (exports: object, require: (name: string) => unknown, part: Part, path: string, folder: string) => void

const folder = dirname(fileURLToPath(import.meta.url))
const requireOfNode = createRequire(import.meta.url)

/** The folder of the compiled code for this version of V8; the build writes one. */
const codeFolder = join(folder, `code-${process.versions.v8}-${process.arch}`)

const parts = new Map<string, Part>()
let recorded: Map<string, Script> | undefined

// Node finds the source maps of the parts only if it loads them itself.
const usesCode = existsSync(codeFolder) && process.sourceMapsEnabled !== true

/** Returns the exports of a part, which runs at the first call; `file` is its name in this folder. */
export function loadPart(file: string): object {
  if (!usesCode && recorded === undefined) return requireOfNode(`./${file}`) as object
  return ownPart(file).exports
}

/**
 * Starts to record; call it before any part is loaded. The returned function returns the compiled
 * code of all parts loaded so far, with the functions that have been called, by the name of its file.
 */
export function recordCode(): () => ReadonlyMap<string, Uint8Array> {
  const scripts = new Map<string, Script>()
  recorded = scripts
  return () => new Map([...scripts].map(([file, script]) => [join(codeFolder, file), script.createCachedData()]))
}

function ownPart(file: string): Part {
  const known = parts.get(file)
  if (known !== undefined) return known
  const part: Part = { exports: {} }
  parts.set(file, part)
  const path = join(folder, file)
  const script = scriptOf(path, join(codeFolder, file))
  recorded?.set(file, script)
  const run = script.runInThisContext() as Run
  run(part.exports, requireFrom, part, path, folder)
  return part
}

/** Returns a part, compiled from its text if there is no compiled code or V8 rejects it. */
function scriptOf(path: string, codePath: string): Script {
  const text = `(function (exports, require, module, __filename, __dirname) {${readFileSync(path, 'utf8')}\n})`
  return new Script(text, {
    filename: path,
    ...(existsSync(codePath) ? { cachedData: readFileSync(codePath) } : {}),
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  })
}

function requireFrom(name: string): unknown {
  return /^\.\/[^/]+\.cjs$/.test(name) ? ownPart(name.slice(2)).exports : requireOfNode(name)
}
