/** Sorts the keys of a home's files into settings, keys without effect, and mistakes. */
import { nearest } from '../../data/nearest.ts'
import { SimError } from '../../errors.ts'
import { appKeys } from '../../settings/appKeys.ts'
import { cometKeys } from '../../settings/cometKeys.ts'
import type { Setting, SettingValue } from '../../settings/setting.ts'
import { settings, type SettingName } from '../../settings/settings.ts'

export type FileName = 'config.toml' | 'app.toml'
export type Tree = Readonly<Record<string, unknown>>
export type FileSetting = {
  readonly name: SettingName
  readonly one: Setting<SettingValue>
  readonly path: string
  readonly value: unknown
}

export type FileKeys = {
  readonly settings: readonly FileSetting[]
  /**
   * One sentence per reason, which names all keys without effect for that reason. One more sentence
   * for keys that hold values written by a real node itself.
   */
  readonly warnings: readonly string[]
}

type Known = Omit<FileSetting, 'path' | 'value'>

/**
 * Classifies the keys of a parsed file. Throws `UnknownKey` for an unknown key that resembles a
 * setting.
 */
export function keysOf(file: FileName, tree: Tree): FileKeys {
  const known = settingsOf(file)
  const ignored = ignoredOf(file)
  const names = [...known.keys(), ...ignored.keys()]
  const sections = new Set(names.flatMap(sectionsAbove))
  const settings: FileSetting[] = []
  const without = new Map<string, string[]>()
  const usual: string[] = []
  const warn = (why: string, path: string) => without.set(why, [...(without.get(why) ?? []), path])
  const visit = (table: Tree, above: string): void => {
    for (const [key, value] of Object.entries(table)) {
      const path = keyPath(above, key)
      const found = known.get(path)
      const { why, usually } = inertness(found, ignored.get(path))
      if (why !== undefined && usually.includes(String(value))) usual.push(path)
      else if (why !== undefined) warn(why, path)
      if (found !== undefined) settings.push({ ...found, path, value })
      if (found !== undefined || why !== undefined) continue
      if (!isTable(value)) throw new UnknownKey(file, path, nearestKey(path, names))
      if (!sections.has(path)) {
        const near = nearest(path, sections)
        if (near !== undefined) throw new UnknownSection(file, path, near)
        warn('neither a Cosmos EVM node nor chainstage has such a section', `[${path}]`)
      } else visit(value, path)
    }
  }
  visit(tree, '')
  return {
    settings,
    warnings: [
      ...[...without].map(([why, paths]) => warning(file, paths, why)),
      ...(usual.length === 0
        ? []
        : [`${file}: these keys have the values that a node writes, and no effect: ${usual.join(', ')}.`]),
    ],
  }
}

type Inertness = { readonly why: string | undefined; readonly usually: readonly string[] }

function inertness(found: Known | undefined, ignored: Inertness | undefined): Inertness {
  if (found !== undefined) return { why: found.one.inert, usually: [String(found.one.value)] }
  return ignored ?? { why: undefined, usually: [] }
}

function warning(file: FileName, paths: readonly string[], why: string): string {
  const [has, them] = paths.length === 1 ? ['has', 'it'] : ['have', 'them']
  return `${file}: ${paths.join(', ')} ${has} no effect: ${why}. Remove ${them} to silence this warning.`
}

function settingsOf(file: FileName): ReadonlyMap<string, Known> {
  return new Map(
    settings.flatMap(([name, one]) =>
      one.file?.name !== file
        ? []
        : [one.file.key, ...(one.aliases ?? [])].map(
            (key) => [keyPath(one.file?.section ?? '', key), { name, one }] as const,
          ),
    ),
  )
}

function ignoredOf(file: FileName): ReadonlyMap<string, Inertness> {
  const all = file === 'app.toml' ? appKeys : cometKeys
  return new Map(
    all.flatMap(({ section, keys, why }) =>
      Object.entries(keys).map(([key, values]) => {
        const usually = [values].flat().map(String)
        return [keyPath(section, key), { why, usually }] as const
      }),
    ),
  )
}

/**
 * Returns the nearest key. If no path is close, keys in other sections are compared by name alone.
 */
function nearestKey(path: string, names: readonly string[]): string | undefined {
  const lastPart = (name: string) => name.slice(name.lastIndexOf('.') + 1)
  return nearest(path, names) ?? names.find((name) => lastPart(name) === lastPart(path))
}

/** Returns the sections of a key: `evm.mempool.lifetime` is in `evm` and `evm.mempool`. */
function sectionsAbove(path: string): readonly string[] {
  const parts = path.split('.')
  return parts.slice(0, -1).map((_, index) => parts.slice(0, index + 1).join('.'))
}

function keyPath(section: string, key: string): string {
  return section === '' ? key : `${section}.${key}`
}

function isTable(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date)
}

/** Thrown for a key or variable that matches no setting. */
export class UnknownKey extends SimError {
  constructor(where: string, key: string, near: string | undefined) {
    super('UNKNOWN_KEY', `${where}: unknown setting ${key}`, {
      hint: near === undefined ? 'chainstage start --help all lists every setting.' : `Did you mean ${near}?`,
    })
  }
}

/** Thrown for a section whose name resembles a known section. */
export class UnknownSection extends SimError {
  constructor(where: string, section: string, near: string) {
    super('UNKNOWN_KEY', `${where}: unknown section [${section}]`, {
      hint: `Did you mean [${near}]?`,
    })
  }
}
