import type { z } from 'zod'
import { worded } from './issueText.ts'
import { innermost } from './problems.ts'
import type { Path } from './source.ts'
import { valueIn } from './jsonPath.ts'

/**
 * Returns the value parsed by a schema; `before` is the value before its expressions were
 * evaluated. If the schema wants a text and an expression gave an integer, the integer is
 * converted.
 */
export function parsed<Shape extends z.ZodType>(
  shape: Shape,
  value: unknown,
  before: unknown,
): z.ZodSafeParseResult<z.output<Shape>> {
  const result = shape.safeParse(value, worded)
  if (result.success) return result
  const places = result.error.issues
    .map((issue) => innermost(issue))
    .filter(({ issue }) => issue.code === 'invalid_type' && issue.expected === 'string')
    .map(({ path }) => path)
    .filter((path) => typeof valueIn(value, path) === 'number' && /\$\{/.test(String(valueIn(before, path))))
  return places.length === 0 ? result : shape.safeParse(places.reduce(withText, value), worded)
}

function withText(value: unknown, [key, ...rest]: Path): unknown {
  if (key === undefined) return String(value)
  if (Array.isArray(value)) {
    return value.map((one: unknown, index) => (index === key ? withText(one, rest) : one))
  }
  if (typeof value !== 'object' || value === null) return value
  return { ...value, [key]: withText((value as Record<string | number, unknown>)[key], rest) }
}
