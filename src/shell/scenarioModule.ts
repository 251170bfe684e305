/** Scenarios as programs: modules whose default export is the content of a scenario file. */
import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { SimError } from '../errors.ts'

/** Returns whether a path names a module instead of a JSON5 file. */
export function isModule(path: string): boolean {
  return /\.[cm]?[jt]s$/.test(path)
}

/**
 * Resolves with the default export of a module as the text of a scenario file. A module that was
 * saved again is reloaded. Throws `BadScenarioModule`.
 */
export async function readModule(path: string): Promise<string> {
  const url = pathToFileURL(resolve(path))
  url.searchParams.set('saved', String((await stat(url)).mtimeMs))
  const { importModule } = await import('./importModule.ts')
  const module = (await importModule(url).catch((cause: unknown) => {
    throw new BadScenarioModule(path, whyNot(cause), cause)
  })) as { default?: unknown }
  if (typeof module.default !== 'object' || module.default === null) {
    throw new BadScenarioModule(path, 'it has no default export of a scenario', undefined)
  }
  return `${JSON.stringify(module.default, (key, value: unknown) => plain(path, key, value), 2)}\n`
}

function plain(path: string, key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return String(value)
  if (typeof value !== 'function' && typeof value !== 'symbol') return value
  throw new BadScenarioModule(path, `"${key}" is a ${typeof value}`, undefined)
}

function whyNot(cause: unknown): string {
  const { code, message } = cause as { code?: string; message?: string }
  return code === 'ERR_UNKNOWN_FILE_EXTENSION'
    ? 'this version of Node.js cannot load TypeScript (22.18 and newer can)'
    : (message ?? String(cause))
}

/** A module is not a scenario. */
export class BadScenarioModule extends SimError {
  constructor(path: string, why: string, cause: unknown) {
    super('UNREADABLE_SCENARIO', `cannot read the scenario ${path}: ${why}`, {
      cause,
      hint: "Use export default defineScenario({ … }), with defineScenario from 'chainstage'.",
    })
  }
}
