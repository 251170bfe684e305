import type { z } from 'zod'
import { innermost } from './problems.ts'
import type { Path } from './source.ts'

/**
 * Returns what a schema makes of a value whose expressions were worked out of another: where a text
 * belongs, an integer that an expression gave is its text.
 */
export function parsed<Shape extends z.ZodType>(
  shape: Shape,
  value: unknown,
  before: unknown,
): z.ZodSafeParseResult<z.output<Shape>> {
  const result = shape.safeParse(value)
  if (result.success) return result
  const places = result.error.issues
    .map((issue) => innermost(issue))
    .filter(({ issue }) => issue.code === 'invalid_type' && issue.expected === 'string')
    .map(({ path }) => path)
    .filter((path) => typeof at(value, path) === 'number' && /\$\{/.test(String(at(before, path))))
  return places.length === 0 ? result : shape.safeParse(places.reduce(withText, value))
}

/** Returns what stands at a path; undefined where nothing does. */
export function at(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (one, key) =>
      typeof one === 'object' && one !== null ? (one as Record<string | number, unknown>)[key] : undefined,
    value,
  )
}

function withText(value: unknown, [key, ...rest]: Path): unknown {
  if (key === undefined) return String(value)
  if (Array.isArray(value)) {
    return value.map((one: unknown, index) => (index === key ? withText(one, rest) : one))
  }
  if (typeof value !== 'object' || value === null) return value
  return { ...value, [key]: withText((value as Record<string | number, unknown>)[key], rest) }
}
