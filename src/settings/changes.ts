/** The changes that a saved file makes to the settings while the server runs. */
import type { Setting, SettingValue } from './setting.ts'
import { settings, settingTable, type SettingName, type Settings } from './settings.ts'

export type SettingsChange = {
  /** Settings that take effect immediately. */
  readonly live: Partial<Settings>
  /** Settings that take effect after a restart, by their names in the file. */
  readonly later: readonly string[]
  /** The settings of `later`, by setting name. */
  readonly laterNames: readonly SettingName[]
}

/** The settings of the validators, which a running chain can change. */
const validatorNames = ['validators', 'validatorNames', 'validatorPowers'] as const

/** The settings that decide the genesis document of a chain, its application and its chain ids. */
export const genesisNames: readonly SettingName[] = [
  ...([
    'profile',
    'application',
    'chainId',
    'evmChainId',
    'bech32Prefix',
    'genesisTime',
    'seed',
    'mnemonic',
    'accounts',
    'balance',
  ] as const),
  ...(['gasLimit', 'baseFee', ...validatorNames] as const),
]

type Saved = { readonly settings: Settings; readonly noted?: Partial<Settings> }

/**
 * Returns the settings of the genesis that a saved chain keeps although others are given: those of
 * its validators, which change in the running chain, and those that a reload has noted.
 */
export function ownGenesis({ settings: own, noted = {} }: Saved, given: Settings): Partial<Settings> {
  const isOwn = (name: SettingName) => isOfValidators(name) || (name in noted && isSame(noted[name], given[name]))
  return Object.fromEntries(genesisNames.filter(isOwn).map((name) => [name, own[name]]))
}

/** Returns whether a setting is one of the validators. */
export function isOfValidators(name: string): boolean {
  return (validatorNames as readonly string[]).includes(name)
}

/** Returns the settings of the genesis in `after` that `before` has with other values. */
export function genesisChange(before: Settings, after: Partial<Settings>): Partial<Settings> {
  const changed = genesisNames.filter((name) => name in after && !isSame(before[name], after[name]))
  return Object.fromEntries(changed.map((name) => [name, after[name]]))
}

/** Returns whether two values of a setting are the same. */
export function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

/** Returns the differences between two versions of the settings. */
export function settingsChange(before: Settings, after: Settings): SettingsChange {
  const changed = settings.filter(([name]) => !isSame(before[name], after[name]))
  const others = changed.filter(([, one]) => one.live !== true)
  return {
    live: Object.fromEntries(changed.filter(([, one]) => one.live === true).map(([name]) => [name, after[name]])),
    later: others.map(([name]) => settingLabel(name)),
    laterNames: others.map(([name]) => name),
  }
}

/** Returns the name of a setting for users: in its file, or else its flag. */
export function settingLabel(name: SettingName): string {
  const { file, flag }: Setting<SettingValue> = settingTable[name]
  return file === undefined ? flag : `${file.section}.${file.key}`
}
