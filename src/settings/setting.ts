/**
 * One setting, declared once: from this come the flag, the environment name, the key in
 * `config.toml` or `app.toml`, the help text, the commented files of `init` and the documentation.
 */
export type SettingValue = string | number | boolean | readonly string[]

export type Setting<Value extends SettingValue> = {
  /** What it does, in one sentence, with units. */
  readonly help: string
  /** The default of the real node's documentation; a profile may have another. */
  readonly value: Value
  /** Where the real node keeps it; absent for our own settings, which are flags only. */
  readonly file?: {
    readonly name: 'config.toml' | 'app.toml'; readonly section: string; readonly key: string
  }
  /** Without dashes; the node's own spelling where it has one (`rpc.laddr`). */
  readonly flag: string
  /** Other flags and keys that mean the same. */
  readonly aliases?: readonly string[]
  /** Whether a saved file changes it while the server runs. */
  readonly live?: boolean
  readonly choices?: readonly string[]
}

/** Declares a setting; its type is that of the default. */
export function setting<const Value extends SettingValue>(
  declared: Setting<Value>,
): Setting<Widened<Value>> {
  return declared as unknown as Setting<Widened<Value>>
}

type Widened<Value> = Value extends boolean ? boolean
  : Value extends number ? number
    : Value extends string ? string
      : Value extends readonly string[] ? readonly string[] : never
