/**
 * The settings of a run: flag > environment > files of the home > scenario > profile (design §3). Each
 * source is a partial value by setting name; the first that has a name wins.
 */
import { nearest } from '../../data/nearest.ts'
import { SimError } from '../../errors.ts'
import { profileSettings } from '../../settings/profiles.ts'
import type { Setting, SettingValue } from '../../settings/setting.ts'
import { settingTable, type Settings } from '../../settings/settings.ts'
import { valueOfText, valueOfToml } from './value.ts'

export type Sources = {
  /** Texts by flag, without dashes. */
  readonly flags: ReadonlyMap<string, string>
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Parsed TOML by file name; absent without a home. */
  readonly files: ReadonlyMap<'config.toml' | 'app.toml', Readonly<Record<string, unknown>>>
  readonly scenario: Partial<Settings>
}

export const settings: readonly (readonly [keyof Settings, Setting<SettingValue>])[] =
  Object.entries(settingTable) as unknown as readonly (readonly [keyof Settings, Setting<SettingValue>])[]

/** Returns the resolved settings. Throws `BadSetting`, `UnknownKey` or `Contradiction`. */
export function resolveSettings({ flags, environment, files, scenario }: Sources): Settings {
  const fromFlags = ofFlags(flags)
  const fromEnvironment = ofEnvironment(environment)
  const fromFiles = Object.assign({}, ...[...files].map(([name, tree]) => ofFile(name, tree))) as Partial<Settings>
  const chosen = fromFlags.profile ?? fromEnvironment.profile ?? scenario.profile
  const profile = chosen ?? (files.size > 0 ? 'documented' : 'local')
  return { ...profileSettings(profile), ...scenario, ...fromFiles, ...fromEnvironment, ...fromFlags, profile }
}

/** Returns the name of a setting's environment variable: `CHAINSTAGE_RPC_LADDR`. */
export function environmentName(flag: string): string {
  return `CHAINSTAGE_${flag.toUpperCase().replace(/[^A-Z0-9]+/g, '_')}`
}

function ofFlags(flags: ReadonlyMap<string, string>): Partial<Settings> {
  return partial(settings.flatMap(([name, one]) => {
    const given = [one.flag, ...(one.aliases ?? [])].flatMap((flag) => {
      const text = flags.get(flag)
      return text === undefined ? [] : [{ flag, value: valueOfText(one, text, `--${flag}`) }]
    })
    return agreed(name, given.map(({ flag, value }) => [`--${flag}`, value]))
  }))
}

function ofEnvironment(environment: Sources['environment']): Partial<Settings> {
  return partial(settings.flatMap(([name, one]): Entry[] => {
    const variable = environmentName(one.flag)
    const text = environment[variable]
    return text === undefined ? [] : [[name, valueOfText(one, text, variable)]]
  }))
}

function ofFile(file: 'config.toml' | 'app.toml', tree: Readonly<Record<string, unknown>>): Partial<Settings> {
  const known = new Map(settings.flatMap(([name, one]) => one.file?.name !== file ? []
    : [one.file.key, ...(one.aliases ?? [])].map((key) => [join(one.file?.section ?? '', key), { name, one }] as const)))
  const given = new Map<keyof Settings, (readonly [string, SettingValue])[]>()
  for (const [path, value] of leaves(tree)) {
    const found = known.get(path)
    if (found === undefined) { if (isOurs(file, path)) throw new UnknownKey(file, path, nearest(path, known.keys())); continue }
    const entry = [`${file} ${path}`, valueOfToml(found.one, value, `${file}: ${path}`)] as const
    given.set(found.name, [...(given.get(found.name) ?? []), entry])
  }
  return partial([...given].flatMap(([name, values]) => agreed(name, values)))
}

/** Sections we act on: a wrong key there is a mistake; the rest of a real node's file is none of ours. */
function isOurs(file: string, path: string): boolean {
  return file === 'config.toml' ? path.startsWith('rpc.') : path.startsWith('json-rpc.')
}

/** Keys of a real node that mean nothing to us, and are no mistake. */
type Entry = [keyof Settings, SettingValue]

function agreed(name: keyof Settings, given: readonly (readonly [string, SettingValue])[]): Entry[] {
  const [first, ...others] = given
  if (first === undefined) return []
  const other = others.find(([, value]) => String(value) !== String(first[1]))
  if (other !== undefined) throw new Contradiction(first, other)
  return [[name, first[1]]]
}

function partial(entries: readonly Entry[]): Partial<Settings> {
  return Object.fromEntries(entries)
}

function join(section: string, key: string): string {
  return section === '' ? key : `${section}.${key}`
}

function* leaves(tree: Readonly<Record<string, unknown>>, path = ''): Generator<[string, unknown]> {
  for (const [key, value] of Object.entries(tree)) {
    const here = join(path, key)
    const isTable = typeof value === 'object' && value !== null && !Array.isArray(value)
    if (isTable) yield* leaves(value as Record<string, unknown>, here)
    else yield [here, value]
  }
}

export class UnknownKey extends SimError {
  constructor(file: string, key: string, near: string | undefined) {
    super('UNKNOWN_KEY', `${file}: there is no setting ${key}`, near === undefined ? {} : { hint: `Did you mean ${near}?` })
  }
}

export class Contradiction extends SimError {
  constructor([first, a]: readonly [string, SettingValue], [second, b]: readonly [string, SettingValue]) {
    super('CONTRADICTION', `${first} says ${String(a)} and ${second} says ${String(b)}, but they are one setting`, {
      hint: 'Remove one of them.',
    })
  }
}
