/** Parses and checks the value of a setting, from text (flags, environment) or TOML. */
import { SimError } from '../../errors.ts'
import type { Setting, SettingValue } from '../../settings/setting.ts'
import type { SettingName } from '../../settings/settings.ts'
import { complaintOf } from './checks.ts'

/** A setting and the name of its source in error messages. */
export type SettingOrigin = {
  readonly name: SettingName
  readonly one: Setting<SettingValue>
  readonly where: string
}

/** Parses a value from text. Throws `BadSetting`. */
export function valueOfText(place: SettingOrigin, text: string): SettingValue {
  const {
    one: { value },
    where,
  } = place
  if (typeof value === 'boolean') {
    if (text === 'true' || text === '1') return true
    if (text === 'false' || text === '0') return false
    throw new BadSetting(where, { expected: 'true or false', received: text })
  }
  if (typeof value === 'number') {
    if (!/^-?\d+(?:\.\d+)?$/.test(text)) {
      throw new BadSetting(where, { expected: 'a number', received: text })
    }
    return checked(place, Number(text))
  }
  return checked(place, typeof value === 'string' ? text : splitList(text))
}

/** Returns a TOML value of the setting's type. Throws `BadSetting`. */
export function valueOfToml(place: SettingOrigin, given: unknown): SettingValue {
  const {
    one: { value },
    where,
  } = place
  if (Array.isArray(value)) {
    if (typeof given === 'string') return checked(place, splitList(given))
    if (Array.isArray(given) && given.every((each) => typeof each === 'string')) {
      return checked(place, given)
    }
    throw new BadSetting(where, { expected: 'a list of texts', received: show(given) })
  }
  if (typeof given === typeof value && typeof given !== 'object') {
    return checked(place, given as SettingValue)
  }
  throw new BadSetting(where, {
    expected: `a ${typeof value === 'string' ? 'text in quotes' : typeof value}`,
    received: show(given),
  })
}

/** Parses a list: comma-separated, or in the node's own formats `[a b]` and `["a", "b"]`. */
function splitList(text: string): readonly string[] {
  return text
    .replace(/^\[(.*)\]$/s, '$1')
    .split(/[,\s]+/)
    .map((piece) => piece.replace(/^(["'])(.*)\1$/, '$2'))
    .filter((piece) => piece !== '')
}

function show(given: unknown): string {
  return typeof given === 'string' ? given : JSON.stringify(given)
}

function checked({ name, one, where }: SettingOrigin, value: SettingValue): SettingValue {
  const complaint = complaintOf(name, one, value)
  if (complaint === undefined) return value
  throw new BadSetting(where, { ...complaint, received: Array.isArray(value) ? value.join(',') : String(value) })
}

/** Thrown for an invalid value of a setting. */
export class BadSetting extends SimError {
  constructor(where: string, { expected, received, hint }: { expected: string; received: string; hint?: string }) {
    super('BAD_SETTING', `${where}: expected ${expected}, received "${received}"`, hint === undefined ? {} : { hint })
  }
}
