/**
 * Resolves the settings of a run. The precedence is flag > environment > files of the home >
 * scenario > profile (design §3). Each source maps setting names to values; the first source with a
 * name wins.
 */
import { nearest } from '../../data/nearest.ts'
import { SimError } from '../../errors.ts'
import { profileSettings } from '../../settings/profiles.ts'
import { flagsOf, type SettingValue } from '../../settings/setting.ts'
import { settings, type SettingName, type Settings } from '../../settings/settings.ts'
import { keysOf, UnknownKey, type FileName, type Tree } from './fileKeys.ts'
import { valueOfText, valueOfToml } from './value.ts'

/** Prefix of environment variables that set the scenario's vars. */
export const varPrefix = 'CHAINSTAGE_VAR_'

export type SettingSources = {
  /** Values by flag name, without dashes. */
  readonly flags: ReadonlyMap<string, string>
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Parsed TOML by file name; undefined without a home. */
  readonly files: ReadonlyMap<FileName, Tree> | undefined
  /** The settings of the scenario; undefined without a scenario. */
  readonly scenario: Partial<Settings> | undefined
  /** Default values of the command. */
  readonly defaults?: Partial<Settings>
}

/** Variables that chainstage sets for programs that it starts. They are not settings. */
const exported = [
  'CHAINSTAGE_ETH_URL',
  'CHAINSTAGE_ETH_WS_URL',
  'CHAINSTAGE_COMET_URL',
  'CHAINSTAGE_REST_URL',
  'CHAINSTAGE_GRPC_URL',
  'CHAINSTAGE_COMET_WS_URL',
  'CHAINSTAGE_CONTROL_URL',
  'CHAINSTAGE_WS_URL',
  'CHAINSTAGE_ADMIN_URL',
  'CHAINSTAGE_STATE',
  'CHAINSTAGE_EXIT_FILE',
]

/**
 * Returns the resolved settings. Throws `BadSetting`, `UnknownKey`, `UnknownSection` or
 * `Contradiction`.
 */
export function resolveSettings({ flags, environment, files, scenario, defaults }: SettingSources): Settings {
  const fromFlags = ofFlags(flags)
  const fromEnvironment = ofEnvironment(environment)
  const fromFiles = Object.assign(
    {},
    ...[...(files ?? [])].map(([name, tree]) => ofFile(name, tree)),
  ) as Partial<Settings>
  const alone = files !== undefined && scenario === undefined ? 'documented' : 'local'
  const profile = fromFlags.profile ?? fromEnvironment.profile ?? scenario?.profile ?? alone
  return {
    ...profileSettings(profile),
    ...defaults,
    ...scenario,
    ...fromFiles,
    ...fromEnvironment,
    ...fromFlags,
    profile,
  }
}

/** Returns a warning for each group of keys in the files that have no effect. */
export function fileWarnings(files: SettingSources['files']): readonly string[] {
  return [...(files ?? [])].flatMap(([name, tree]) => keysOf(name, tree).warnings)
}

/** Returns the environment variable of a flag, for example `CHAINSTAGE_RPC_LADDR`. */
export function environmentName(flag: string): string {
  return `CHAINSTAGE_${flag.toUpperCase().replace(/[^A-Z0-9]+/g, '_')}`
}

/** Returns the settings that flags give. Throws as `resolveSettings` does. */
export function ofFlags(flags: ReadonlyMap<string, string>): Partial<Settings> {
  return fromTexts((flag) => ({ where: `--${flag}`, text: flags.get(flag) }))
}

/** Returns the settings that the environment gives. Throws as `resolveSettings` does. */
export function ofEnvironment(environment: SettingSources['environment']): Partial<Settings> {
  const known = new Set([...exported, ...settings.flatMap(([, one]) => flagsOf(one).map(environmentName))])
  const unknown = Object.keys(environment).find(
    (name) => name.startsWith('CHAINSTAGE_') && !name.startsWith(varPrefix) && !known.has(name),
  )
  if (unknown !== undefined) {
    throw new UnknownKey('the environment', unknown, nearest(unknown, known))
  }
  const { [idName]: id, [evmIdName]: evmId } = environment
  // A number means the same as after --chain-id.
  const isNumber = id !== undefined && /^\d+$/.test(id) && evmId === undefined
  const meant = isNumber ? { ...environment, [idName]: derivedChainId(id), [evmIdName]: id } : environment
  return fromTexts((flag) => {
    const where = environmentName(flag)
    return { where, text: meant[where] }
  })
}

const idName = environmentName('chain-id')
const evmIdName = environmentName('evm.evm-chain-id')

/** Returns the default Cosmos chain id for an EVM chain id. */
export function derivedChainId(evmChainId: string): string {
  return `chainstage_${evmChainId}-1`
}

/** Returns whether a Cosmos chain id only follows from the EVM chain id, because a number was given as `--chain-id`. */
export function isDerivedChainId(chainId: string | undefined, evmChainId: string | number | undefined): boolean {
  return evmChainId !== undefined && chainId === derivedChainId(String(evmChainId))
}

function fromTexts(find: (flag: string) => { where: string; text: string | undefined }): Partial<Settings> {
  return partial(
    settings.flatMap(([name, one]) =>
      agreed(
        name,
        flagsOf(one).flatMap((flag) => {
          const { where, text } = find(flag)
          return text === undefined ? [] : [{ where, value: valueOfText({ name, one, where }, text) }]
        }),
      ),
    ),
  )
}

function ofFile(file: FileName, tree: Tree): Partial<Settings> {
  const given = new Map<SettingName, Given[]>()
  for (const { name, one, path, value } of keysOf(file, tree).settings) {
    const where = `${file}: ${path}`
    given.set(name, [...(given.get(name) ?? []), { where, value: valueOfToml({ name, one, where }, value) }])
  }
  return partial([...given].flatMap(([name, values]) => agreed(name, values)))
}

type Entry = [SettingName, SettingValue]
type Given = { readonly where: string; readonly value: SettingValue }

/**
 * Returns the setting given by the documented key and by the node's key. Throws `Contradiction` if
 * the two values differ.
 */
function agreed(name: SettingName, given: readonly Given[]): Entry[] {
  const [first, ...others] = given
  if (first === undefined) return []
  const other = others.find(({ value }) => String(value) !== String(first.value))
  if (other !== undefined) throw new Contradiction(first, other)
  return [[name, first.value]]
}

function partial(entries: readonly Entry[]): Partial<Settings> {
  return Object.fromEntries(entries)
}

/** Thrown when two names of a setting have different values. */
export class Contradiction extends SimError {
  constructor(first: Given, second: Given) {
    super(
      'CONTRADICTION',
      `${first.where} is ${String(first.value)} and ${second.where} is ${String(second.value)}, but both are the same setting`,
      {
        hint: 'Remove one of them.',
      },
    )
  }
}
