/** Checks of the arguments that a program passes to the in-process API. */
import { inspect } from 'node:util'
import { nearest } from '../data/nearest.ts'
import { SimError } from '../errors.ts'
import { isDuration } from '../settings/duration.ts'
import { flagsOf, type Setting, type SettingValue } from '../settings/setting.ts'
import { settings as everySetting, settingTable, type SettingName } from '../settings/settings.ts'
import { valueOfToml } from './config/value.ts'
import { isJsonObject } from '../data/members.ts'

/** Throws `BadArgument` for a value that is not allowed; `where` names it in the error. */
export type Check = (value: unknown, where: string) => void

/**
 * Checks the arguments of a call: `[value, check]` by parameter name. `call` is the function as the
 * program names it, like `chain.mine`.
 */
export function checkArguments(call: string, given: Readonly<Record<string, readonly [unknown, Check]>>): void {
  for (const [name, [value, check]] of Object.entries(given)) check(value, `${call}: ${name}`)
}

/** Returns a check that uses a predicate; `expected` completes the sentence "expected …". */
export function matching(expected: string, accepts: (value: unknown) => boolean): Check {
  return (value, where) => {
    if (!accepts(value)) throw new BadArgument(where, expected, value)
  }
}

/** Returns a check that lets `undefined` pass. */
export function optional(check: Check): Check {
  return (value, where) => {
    if (value !== undefined) check(value, where)
  }
}

/** Returns a check of an options object: only these keys, each with its own check. */
export function options(checks: Readonly<Record<string, Check>>): Check {
  const names = Object.keys(checks)
  return (value, where) => {
    if (!isJsonObject(value)) throw new BadArgument(where, 'an object', value)
    for (const [key, one] of Object.entries(value)) {
      const check = checks[key]
      if (check === undefined) throw new UnknownOption(where, key, names)
      check(one, `${where}.${key}`)
    }
  }
}

export const text = matching('a non-empty string', (value) => typeof value === 'string' && value !== '')
export const callback = matching('a function', (value) => typeof value === 'function')
export const anyObject = matching('an object', isJsonObject)
export const texts = matching(
  'an array of strings',
  (value) => Array.isArray(value) && value.every((one) => typeof one === 'string'),
)
export const textByName = matching(
  'an object whose values are strings',
  (value) => isJsonObject(value) && Object.values(value).every((one) => typeof one === 'string'),
)
export const wei = matching(
  'a bigint of wei, 0 or more, like 10n ** 18n',
  (value) => typeof value === 'bigint' && value >= 0n,
)

/** Returns a check of whole numbers from `least` to `most`; `unit` is the quantity they measure. */
export function whole(unit: string, least: number, most: number): Check {
  return matching(
    `${unit}, a whole number from ${least} to ${most}`,
    (value) => Number.isInteger(value) && Number(value) >= least && Number(value) <= most,
  )
}

export const port = whole('a port', 0, 65_535)

/** A check of durations: a text with a unit, or milliseconds. */
export const duration = matching("a duration like '1h30m' or '250ms', or whole milliseconds, 0 or more", (value) => {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0
  return typeof value === 'string' && isDuration(value)
})

/** A check of settings by their API names; the same values are allowed as in flags and files. */
export const settings: Check = (given, where) => {
  if (!isJsonObject(given)) throw new BadArgument(where, 'an object', given)
  const names = Object.keys(settingTable)
  for (const [key, value] of Object.entries(given)) {
    if (!Object.hasOwn(settingTable, key)) throw new UnknownOption(where, key, names, nameOfFlag(key))
    const name = key as SettingName
    const one: Setting<SettingValue> = settingTable[name]
    if (value !== undefined) valueOfToml({ name, one, where: `${where}.${key}` }, value)
  }
}

/** Returns the API name of the setting of a flag, with or without its dashes. */
function nameOfFlag(text: string): string | undefined {
  const flag = text.replace(/^--/, '')
  return everySetting.find(([, one]) => flagsOf(one).includes(flag))?.[0]
}

/** An API function was called with an invalid argument and did nothing. */
export class BadArgument extends SimError {
  constructor(where: string, expected: string, received: unknown) {
    super('BAD_ARGUMENT', `${where}: expected ${expected}, received ${shown(received)}`)
  }
}

/** An unknown, often misspelt, option of an API function; `meant` is the known one that certainly was. */
export class UnknownOption extends SimError {
  constructor(where: string, key: string, known: readonly string[], meant?: string) {
    const near = meant ?? nearest(key, known)
    super('UNKNOWN_OPTION', `${where} has no "${key}"`, {
      hint: near === undefined ? `Expected one of ${known.join(', ')}.` : `Did you mean "${near}"?`,
    })
  }
}

function shown(value: unknown): string {
  return inspect(value, { depth: 0, breakLength: Infinity, maxStringLength: 80 })
}
