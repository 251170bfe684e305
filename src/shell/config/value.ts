/** One setting's value, from text (flags, environment) or from TOML, checked. */
import { SimError } from '../../errors.ts'
import type { Setting, SettingValue } from '../../settings/setting.ts'
import type { SettingName } from '../../settings/settings.ts'
import { complaintOf } from './checks.ts'

/** A setting and what its place is called in an error. */
export type Place = {
  readonly name: SettingName
  readonly one: Setting<SettingValue>
  readonly where: string
}

/** Returns the value that a text means; throws `BadSetting`. */
export function valueOfText(place: Place, text: string): SettingValue {
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
  return checked(place, typeof value === 'string' ? text : listOf(text))
}

/** Returns a value that a TOML file gave, if it is of the setting's kind; throws `BadSetting`. */
export function valueOfToml(place: Place, given: unknown): SettingValue {
  const {
    one: { value },
    where,
  } = place
  if (Array.isArray(value)) {
    if (typeof given === 'string') return checked(place, listOf(given))
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

/** A list as commas, or as the node itself writes one: `[a b]`, `["a", "b"]`. */
function listOf(text: string): readonly string[] {
  return text
    .replace(/^\[(.*)\]$/s, '$1')
    .split(/[,\s]+/)
    .map((piece) => piece.replace(/^(["'])(.*)\1$/, '$2'))
    .filter((piece) => piece !== '')
}

function show(given: unknown): string {
  return typeof given === 'string' ? given : JSON.stringify(given)
}

function checked({ name, one, where }: Place, value: SettingValue): SettingValue {
  const complaint = complaintOf(name, one, value)
  if (complaint === undefined) return value
  throw new BadSetting(where, { ...complaint, received: Array.isArray(value) ? value.join(',') : String(value) })
}

/** A value that a setting cannot have. */
export class BadSetting extends SimError {
  constructor(where: string, { expected, received, hint }: { expected: string; received: string; hint?: string }) {
    super('BAD_SETTING', `${where}: expected ${expected}, received "${received}"`, hint === undefined ? {} : { hint })
  }
}
