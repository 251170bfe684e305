/** Scenarios as programs: modules whose default export is the content of a scenario file. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { SimError } from '../../errors.ts'

/** The longest time for a module to load, in milliseconds. */
const loadMostMs = 30_000

/** What runs while a module loads; `exit` refuses to end the process, and is absent when the module is loaded. */
const loads = new AsyncLocalStorage<{ exit?: (code?: unknown) => never }>()

const { exit: endsProcess } = process

/**
 * Resolves with the default export of a module as the text of a scenario file. A module that was
 * saved again is reloaded. Throws `BadScenarioModule`, also if the module takes longer than `mostMs` or
 * would end the process.
 */
export async function readModule(path: string, mostMs = loadMostMs): Promise<string> {
  const url = pathToFileURL(resolve(path))
  url.searchParams.set('saved', String((await stat(url)).mtimeMs))
  const { importModule } = await import('./importModule.ts')
  const loading = withoutExit(path, () => importModule(url)).catch((cause: unknown) => {
    if (cause instanceof BadScenarioModule) throw cause
    throw new BadScenarioModule(path, whyNot(cause), { cause, hint: hintFor(cause) })
  })
  const module = (await Promise.race([loading, failAfter(path, mostMs, loading)])) as { default?: unknown }
  if (typeof module.default !== 'object' || module.default === null) {
    throw new BadScenarioModule(path, 'it has no default export of a scenario')
  }
  const text = JSON.stringify(module.default, (key, value: unknown) => plain(path, key, value), 2)
  return `${text.replaceAll('\ufffd', '\\ufffd')}\n`
}

/**
 * Resolves with what `load` does, or rejects when a module that it loads calls `process.exit`, which would end a
 * running chain. Everything else in the process can still end it.
 */
function withoutExit(path: string, load: () => Promise<unknown>): Promise<unknown> {
  // Without an argument, `exit` uses `process.exitCode`.
  process.exit = (...code) => (loads.getStore()?.exit ?? endsProcess)(...code)
  return new Promise((done, fail) => {
    const run = {
      exit: (code?: unknown): never => {
        const hint = 'Throw an error instead, or remove the call of process.exit.'
        const error = new BadScenarioModule(path, `it called process.exit(${String(code ?? '')})`, { hint })
        // The module may catch the error.
        fail(error)
        throw error
      },
    }
    const loaded = loads.run(run, load)
    loaded.then(done, fail).finally(() => {
      Reflect.deleteProperty(run, 'exit')
    })
  })
}

/** Rejects after a time. The timer keeps the process alive while a module waits for something that never happens. */
function failAfter(path: string, mostMs: number, loading: Promise<unknown>): Promise<never> {
  return new Promise((_, fail) => {
    const why = `it did not finish loading within ${mostMs / 1000} s`
    const hint = 'Look for an await at its top level, or in a module that it imports, that never ends.'
    const timer = setTimeout(() => fail(new BadScenarioModule(path, why, { hint })), mostMs)
    loading.then(
      () => clearTimeout(timer),
      () => clearTimeout(timer),
    )
  })
}

function plain(path: string, key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return String(value)
  if (typeof value !== 'function' && typeof value !== 'symbol') return value
  throw new BadScenarioModule(path, `"${key}" is a ${typeof value}`)
}

function whyNot(cause: unknown): string {
  const { code, message } = (cause ?? {}) as { code?: string; message?: string }
  return code === 'ERR_UNKNOWN_FILE_EXTENSION'
    ? 'this version of Node.js cannot load TypeScript (22.18 and newer can)'
    : (message ?? String(cause))
}

function hintFor(cause: unknown): string {
  const { code, message = '' } = (cause ?? {}) as { code?: string; message?: string }
  if (code === 'ERR_UNKNOWN_FILE_EXTENSION') return 'Use a newer Node.js, or write the scenario as .mjs or .json5.'
  return /Unexpected token 'export'|Cannot use import statement/.test(message)
    ? 'Node.js reads it as CommonJS: name it .mjs or .mts, or set "type": "module" in package.json.'
    : 'Correct the module, or what it imports.'
}

/** A module is not a scenario. */
export class BadScenarioModule extends SimError {
  constructor(path: string, why: string, options: { readonly cause?: unknown; readonly hint?: string } = {}) {
    super('UNREADABLE_SCENARIO', `cannot read the scenario ${path}: ${why}`, {
      hint: "Use export default defineScenario({ … }), with defineScenario from 'chainstage'.",
      ...options,
    })
  }
}
