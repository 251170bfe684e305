/**
 * The declaration of a setting. From it derive the flag, the environment variable, the key in
 * `config.toml` or `app.toml`, the help text, the documentation and the commented files of `init`.
 */

/** Headings under which the short help lists settings. */
export type HelpGroup = 'Chain' | 'Network'

export type SettingValue = string | number | boolean | readonly string[]

export type Setting<Value extends SettingValue> = {
  /** The effect of the setting, in one sentence, with units. */
  readonly help: string
  /** The default that the real node documents; profiles may differ. */
  readonly value: Value
  /**
   * The setting's key in a file of the real node; undefined for chainstage's own settings, which
   * have only a flag.
   */
  readonly file?: {
    readonly name: 'config.toml' | 'app.toml'
    readonly section: string
    readonly key: string
  }
  /** The flag without dashes, spelled as on the node if the node has it (`rpc.laddr`). */
  readonly flag: string
  /** Other flags and keys for the same setting. */
  readonly aliases?: readonly string[]
  /** Whether the setting hot-reloads when a file is saved. */
  readonly live?: boolean
  /** The setting's heading in the short help; other settings appear only in the long help. */
  readonly group?: HelpGroup
  readonly choices?: readonly string[]
  /** The reason why the setting has no effect; a file that contains its key causes a warning. */
  readonly inert?: string
}

/** Declares a setting. Its type is the union of its choices, or else the type of its default. */
export function setting<const Choice extends string>(
  declared: Omit<Setting<Choice>, 'choices'> & { readonly choices: readonly Choice[] },
): Setting<Choice>
export function setting<const Value extends SettingValue>(
  declared: Setting<Value> & { readonly choices?: undefined },
): Setting<Widened<Value>>
export function setting(declared: Setting<SettingValue>): Setting<SettingValue> {
  return declared
}

/** Returns all flags of a setting, without dashes; the first is the one that help and messages name. */
export function flagsOf({ flag, aliases = [] }: Setting<SettingValue>): readonly string[] {
  return [flag, ...aliases]
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

/** Returns the place of a setting in `config.toml`, which configures CometBFT. */
export const configKey = (section: string, key: string) => ({ name: 'config.toml', section, key }) as const

/** Returns the place of a setting in `app.toml`, which configures the application. */
export const appKey = (section: string, key: string) => ({ name: 'app.toml', section, key }) as const
