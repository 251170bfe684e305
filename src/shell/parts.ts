/**
 * Loads the parts of the bundled program. Node 20 compiles all code again at each start, so the
 * package contains compiled code of the parts that a start and most commands need. Newer versions of
 * Node keep compiled code themselves.
 */
import { existsSync, readFileSync } from 'node:fs'
import { createRequire, Module } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Script } from 'node:vm'

type Run = (exports: object, require: (name: string) => unknown, part: Module, path: string, folder: string) => void

const folder = dirname(fileURLToPath(import.meta.url))
const requireOfNode = createRequire(import.meta.url)

/** The folder of the compiled code for this version of V8; the build writes one. */
const codeFolder = join(folder, `code-${process.versions.v8}-${process.arch}`)

let recorded: Map<string, Script> | undefined

// Node finds the source maps of the parts only if it loads them itself.
const usesCode = existsSync(codeFolder) && process.sourceMapsEnabled !== true

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)

/** A sentence if this version of Node is too old, or undefined. Older versions must be able to parse this file. */
export const nodeProblem =
  major < 20 || (major === 20 && minor < 19)
    ? `chainstage needs Node 20.19 or newer; this is ${process.versions.node}.`
    : undefined

/**
 * Returns the exports of a part, which runs at the first call; `file` is its name in this folder. Throws if this version
 * of Node is too old.
 */
export function loadPart(file: string): object {
  if (nodeProblem !== undefined) throw new Error(nodeProblem)
  const path = join(folder, file)
  const codePath = join(codeFolder, file)
  const isOwn = recorded !== undefined || (usesCode && existsSync(codePath))
  if (!isOwn || requireOfNode.cache[path] !== undefined) return requireOfNode(path) as object
  // Parts without compiled code find this one in Node's list.
  const part = Object.assign(new Module(path), { filename: path, loaded: true })
  requireOfNode.cache[path] = part
  const script = scriptOf(path, codePath)
  recorded?.set(file, script)
  const run = script.runInThisContext() as Run
  run(part.exports as object, requireFrom, part, path, folder)
  return part.exports as object
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

/** Returns a part, compiled from its text if there is no compiled code or V8 rejects it. */
function scriptOf(path: string, codePath: string): Script {
  const text = `(function (exports, require, module, __filename, __dirname) {${readFileSync(path, 'utf8')}\n})`
  const code = existsSync(codePath) ? { cachedData: readFileSync(codePath) } : {}
  return new Script(text, { filename: path, ...code })
}

function requireFrom(name: string): unknown {
  return /^\.\/[^/]+\.cjs$/.test(name) ? loadPart(name.slice(2)) : requireOfNode(name)
}
