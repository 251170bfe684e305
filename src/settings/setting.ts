/**
 * One setting, declared once: from this come the flag, the environment name, the key in
 * `config.toml` or `app.toml`, the help text, the commented files of `init` and the documentation.
 */

/** Headings of the short help that settings have. */
export type HelpGroup = 'Chain' | 'Network'

export type SettingValue = string | number | boolean | readonly string[]

export type Setting<Value extends SettingValue> = {
  /** What it does, in one sentence, with units. */
  readonly help: string
  /** The default of the real node's documentation; a profile may have another. */
  readonly value: Value
  /** Where the real node keeps it; absent for our own settings, which are flags only. */
  readonly file?: {
    readonly name: 'config.toml' | 'app.toml'
    readonly section: string
    readonly key: string
  }
  /** Without dashes; the node's own spelling where it has one (`rpc.laddr`). */
  readonly flag: string
  /** Other flags and keys that mean the same. */
  readonly aliases?: readonly string[]
  /** Whether a saved file changes it while the server runs. */
  readonly live?: boolean
  /** Heading under which the short help shows it; other settings are in the long help only. */
  readonly group?: HelpGroup
  readonly choices?: readonly string[]
  /** Why it has no effect; a file that has the key is warned about. */
  readonly inert?: string
}

/** Declares a setting; its type is that of the default. */
export function setting<const Value extends SettingValue>(declared: Setting<Value>): Setting<Widened<Value>> {
  return declared as unknown as Setting<Widened<Value>>
}

type Widened<Value> = Value extends boolean
  ? boolean
  : Value extends number
    ? number
    : Value extends string
      ? string
      : Value extends readonly string[]
        ? readonly string[]
        : never

/** Returns where `config.toml`, which configures CometBFT, keeps a setting. */
export const configKey = (section: string, key: string) => ({ name: 'config.toml', section, key }) as const

/** Returns where `app.toml`, which configures the application, keeps a setting. */
export const appKey = (section: string, key: string) => ({ name: 'app.toml', section, key }) as const
