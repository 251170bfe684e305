/**
 * Late expressions: only the running scenario can evaluate them. They draw values, or name
 * transactions, the chain, steps or values from `set`. They stay in the plan as text until they are
 * needed.
 */
import { type Known, type Scalar, evaluate } from './expression.ts'
import type { Action } from '../plan/action.ts'

const late = /\$\{[^}]*\b(?:(?:tx|chain|set|step)\.|(?:rand|pick)\s*\()[^}]*\}/

/** Returns whether a text contains a late expression. */
export function isLate(text: string): boolean {
  return late.test(text)
}

/**
 * Returns a text with its late expressions evaluated. Throws `BadExpression` if one has no value.
 */
export function filledText(text: string, names: () => Known): string {
  if (!isLate(text)) return text
  const known = names()
  return text.replace(/\$\{([^}]*)\}/g, (_, inner: string) => String(evaluate(inner, known)))
}

/**
 * Returns a JSON text with the late expressions in its strings evaluated. A string that is a single
 * expression becomes its value.
 */
export function filledJson(json: string, names: () => Known): string {
  return isLate(json) ? JSON.stringify(filled(JSON.parse(json), names())) : json
}

/** Returns a value with the late expressions in its strings evaluated, as in `filledJson`. */
export function filled(value: unknown, names: Known): unknown {
  if (typeof value === 'string') {
    const whole = /^\$\{([^}]*)\}$/.exec(value)?.[1]
    return whole === undefined || !isLate(value) ? filledText(value, () => names) : jsonOfScalar(evaluate(whole, names))
  }
  if (Array.isArray(value)) return value.map((one) => filled(one, names))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, filled(one, names)]))
}

/** Returns the value for `set`: that of an expression, or the text itself. */
export function scalarOf(value: string | number | boolean, names: Known): Scalar {
  if (typeof value === 'number') return BigInt(value)
  if (typeof value === 'boolean') return value
  const whole = /^\$\{([^}]*)\}$/.exec(value)?.[1]
  if (whole !== undefined) return evaluate(whole, names)
  return value.replace(/\$\{([^}]*)\}/g, (_, inner: string) => String(evaluate(inner, names)))
}

/** Returns the action of a JSON text with its expressions evaluated now (`lateAction.ts`). */
export type MakesAction = (json: string, names: Known) => Action

/** Returns a value as JSON; an integer that a double cannot hold becomes a text. */
export function jsonOfScalar(value: Scalar): string | number | boolean {
  if (typeof value !== 'bigint') return value
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : String(value)
}
