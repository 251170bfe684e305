/** The changes that a saved configuration file makes while the server runs. */
import type { SettingName, Settings } from '../../settings/settings.ts'
import { settings } from './resolve.ts'

export type Change = {
  /** Settings that take effect immediately. */
  readonly live: Partial<Settings>
  /** Settings that take effect after a restart, by their names in the file. */
  readonly later: readonly string[]
  /** The settings of `later`, by setting name. */
  readonly laterNames: readonly SettingName[]
}

/** Returns the differences between two versions of the settings. */
export function changeOf(before: Settings, after: Settings): Change {
  const changed = settings.filter(([name]) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
  const others = changed.filter(([, one]) => one.live !== true)
  return {
    live: Object.fromEntries(changed.filter(([, one]) => one.live === true).map(([name]) => [name, after[name]])),
    later: others.map(([, { file, flag }]) => (file === undefined ? flag : `${file.section}.${file.key}`)),
    laterNames: others.map(([name]) => name),
  }
}
