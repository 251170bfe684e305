/** One setting's value, from text (flags, environment) or from TOML, checked. */
import { SimError } from '../../errors.ts'
import { durationMs } from '../../settings/duration.ts'
import { nearest } from '../../data/nearest.ts'
import type { Setting, SettingValue } from '../../settings/setting.ts'

/** Returns the value that a text means for a setting; `where` names it in the error. */
export function valueOfText(one: Setting<SettingValue>, text: string, where: string): SettingValue {
  const { value } = one
  if (typeof value === 'boolean') {
    if (text === 'true' || text === '') return true
    if (text === 'false') return false
    throw new BadSetting(where, 'true or false', text)
  }
  if (typeof value === 'number') {
    if (!/^-?\d+(?:\.\d+)?$/.test(text)) throw new BadSetting(where, 'a number', text)
    return Number(text)
  }
  if (typeof value === 'string') return checked(one, text, where)
  return text === '' ? [] : text.replace(/^\[(.*)\]$/, '$1').split(',').map((piece) => piece.trim().replace(/^"(.*)"$/, '$1')).filter((piece) => piece !== '')
}

/** Returns a value that a TOML file gave, if it is of the setting's kind. */
export function valueOfToml(one: Setting<SettingValue>, given: unknown, where: string): SettingValue {
  const { value } = one
  if (Array.isArray(value)) {
    if (Array.isArray(given) && given.every((each) => typeof each === 'string')) return given
    if (typeof given === 'string') return valueOfText(one, given, where)
    throw new BadSetting(where, 'a list of texts', show(given))
  }
  const plain = typeof given === 'bigint' ? Number(given) : given
  if (typeof plain !== typeof value) throw new BadSetting(where, `a ${typeof value === 'string' ? 'text' : typeof value}`, show(given))
  return typeof plain === 'string' ? checked(one, plain, where) : plain as SettingValue
}

function show(given: unknown): string {
  return typeof given === 'string' ? given : JSON.stringify(given)
}

/** Choices must be one of theirs; what is a duration by default must be one. */
function checked(one: Setting<SettingValue>, text: string, where: string): string {
  if (one.choices !== undefined && !one.choices.includes(text)) {
    const near = nearest(text, one.choices)
    throw new BadSetting(where, `one of ${one.choices.join(', ')}`, text, near === undefined ? undefined : `Did you mean ${near}?`)
  }
  if (/^(?:\d+(?:\.\d+)?(?:ms|s|m|h))+$/.test(String(one.value))) {
    try {
      durationMs(text)
    } catch {
      throw new BadSetting(where, 'a duration like 500ms, 10s or 1m30s', text)
    }
  }
  return text
}

export class BadSetting extends SimError {
  constructor(where: string, expected: string, received: string, hint?: string) {
    super('BAD_SETTING', `${where}: expected ${expected}, received "${received}"`, hint === undefined ? {} : { hint })
  }
}
