/** The changes that a saved file makes to the settings while the server runs. */
import { settings, type SettingName, type Settings } from './settings.ts'

export type SettingsChange = {
  /** Settings that take effect immediately. */
  readonly live: Partial<Settings>
  /** Settings that take effect after a restart, by their names in the file. */
  readonly later: readonly string[]
  /** The settings of `later`, by setting name. */
  readonly laterNames: readonly SettingName[]
}

/** Returns the differences between two versions of the settings. */
export function settingsChange(before: Settings, after: Settings): SettingsChange {
  const changed = settings.filter(([name]) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
  const others = changed.filter(([, one]) => one.live !== true)
  return {
    live: Object.fromEntries(changed.filter(([, one]) => one.live === true).map(([name]) => [name, after[name]])),
    later: others.map(([, { file, flag }]) => (file === undefined ? flag : `${file.section}.${file.key}`)),
    laterNames: others.map(([name]) => name),
  }
}
