/**
 * Late actions: actions with late expressions. The compiler checks them as far as possible and
 * keeps them in the plan as JSON text. They become actions when they run.
 */
import type { z } from 'zod'
import { SimError } from '../errors.ts'
import type { Action } from '../plan/action.ts'
import { action, compileAction } from './actions/index.ts'
import type { Known } from './expression.ts'
import { filled, isLate } from './late.ts'
import { type LateAction, lateAction, lateKey } from './shapes.ts'
import { parsed } from './parsed.ts'
import { worded } from './issueText.ts'
import { innermost } from './problems.ts'
import type { Path } from './source.ts'
import { valueIn } from './jsonPath.ts'

type Issue = z.core.$ZodIssue

/** Actions that evaluate their own expressions. */
const fillsItself: ReadonlySet<string> = new Set(['set', 'log', lateKey])

/**
 * Returns the value of a file with late actions marked for the schema, and the issues in them.
 * Issues that depend on a late value are left out.
 */
export function withLateActions(value: unknown): { readonly value: unknown; readonly issues: readonly Issue[] } {
  const issues: Issue[] = []
  return { value: walk(value, []), issues }

  function walk(one: unknown, path: Path): unknown {
    if (typeof one !== 'object' || one === null) return one
    if (isAction(path) && !Array.isArray(one) && mustWait(one)) return marked(one, path)
    if (Array.isArray(one)) return one.map((each, index) => walk(each, [...path, index]))
    return Object.fromEntries(Object.entries(one).map(([key, each]) => [key, walk(each, [...path, key])]))
  }

  function marked(given: object, path: Path): { readonly late: LateAction } {
    const { error } = action.safeParse(given, worded)
    const bad = (error?.issues ?? []).filter((issue) => !isUnknown(given, innermost(issue).path))
    issues.push(...bad.map((issue) => ({ ...issue, path: [...path, ...issue.path] })))
    return { late: lateAction(JSON.stringify(given)) }
  }
}

/**
 * Returns whether a path leads to an action: `steps.0.do`, `rules.0.do.1`, `finally.2` and the
 * like.
 */
function isAction([root, index, key, place, ...more]: Path): boolean {
  if (root === 'finally') {
    return index === undefined || (typeof index === 'number' && key === undefined)
  }
  return (
    (root === 'steps' || root === 'rules') &&
    typeof index === 'number' &&
    key === 'do' &&
    (place === undefined || typeof place === 'number') &&
    more.length === 0
  )
}

function mustWait(given: object): boolean {
  return !Object.keys(given).some((key) => fillsItself.has(key)) && isLate(JSON.stringify(given))
}

/** Returns whether the value at a path is a late expression. */
function isUnknown(given: unknown, path: Path): boolean {
  const text = valueIn(given, path)
  return typeof text === 'string' && isLate(text)
}

/**
 * Returns the action of a JSON text with its expressions evaluated. Throws `BadLateAction` if the
 * result is not an action, and `BadExpression` if an expression has no value.
 */
export function actionOf(json: string, names: Known): Action {
  const before: unknown = JSON.parse(json)
  const given = filled(before, names)
  const { data, error } = parsed(action, given, before)
  if (data !== undefined) return compileAction(data)
  const [issue] = error?.issues ?? []
  const found = issue === undefined ? undefined : innermost(issue)
  throw new BadLateAction(found?.path.join('.') ?? '', found?.issue.message ?? '', JSON.stringify(given))
}

/** The evaluated expressions do not give a valid action. */
export class BadLateAction extends SimError {
  constructor(path: string, message: string, given: string) {
    super('BAD_LATE_ACTION', `${path}: ${message}`, {
      hint: `With its expressions evaluated, the action is ${given.slice(0, 200)}.`,
    })
  }
}
