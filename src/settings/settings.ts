/**
 * All settings of a node in one object, by their names in code. The tables per file are in this
 * folder. Profiles and scenarios are partial values of `Settings`.
 */
import { cometSettings } from './cometSettings.ts'
import { ethSettings } from './ethSettings.ts'
import { gatewaySettings } from './gatewaySettings.ts'
import { stageSettings } from './stageSettings.ts'
import type { Setting, SettingValue } from './setting.ts'

export const settingTable = {
  ...stageSettings,
  ...cometSettings,
  ...ethSettings,
  ...gatewaySettings,
} as const

type Table = typeof settingTable

/** The value of every setting. */
export type Settings = {
  readonly [Key in keyof Table]: Table[Key] extends Setting<infer Value> ? Value : never
}

export type SettingName = keyof Settings

/** All settings with their names, in the order of the tables. */
export const settings: readonly (readonly [SettingName, Setting<SettingValue>])[] = Object.entries(
  settingTable,
) as unknown as readonly (readonly [SettingName, Setting<SettingValue>])[]

/** Returns the default of every setting, before any profile. */
export function defaultSettings(): Settings {
  const entries = Object.entries(settingTable).map(([name, one]) => [name, one.value])
  return Object.fromEntries(entries) as Settings
}
