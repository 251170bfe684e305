/** What a saved file of the home changes while the server runs. */
import type { SettingName, Settings } from '../../settings/settings.ts'
import { settings } from './resolve.ts'

export type Change = {
  /** Settings that take effect now. */
  readonly live: Partial<Settings>
  /** Names as in the file, of settings that only a restart changes. */
  readonly later: readonly string[]
  /** The same by the names of the settings. */
  readonly laterNames: readonly SettingName[]
}

/** Returns how the files' settings differ from what they said before. */
export function changeOf(before: Settings, after: Settings): Change {
  const changed = settings.filter(([name]) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
  const others = changed.filter(([, one]) => one.live !== true)
  return {
    live: Object.fromEntries(changed.filter(([, one]) => one.live === true).map(([name]) => [name, after[name]])),
    later: others.map(([, { file, flag }]) => (file === undefined ? flag : `${file.section}.${file.key}`)),
    laterNames: others.map(([name]) => name),
  }
}
