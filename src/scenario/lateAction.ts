/**
 * Actions with expressions that only a running scenario can work out. They are checked as far as
 * that goes, stay in the plan as JSON text, and become actions when it is their turn.
 */
import type { z } from 'zod'
import { SimError } from '../errors.ts'
import type { Action } from '../node/planAction.ts'
import { action } from './actionSchema.ts'
import { compileAction } from './compileAction.ts'
import type { Known } from './expression.ts'
import { filled, isLate } from './late.ts'
import { type LateAction, lateAction } from './lateMark.ts'
import { makesActions } from './lateTurn.ts'
import { at, parsed } from './parsed.ts'
import { innermost } from './problems.ts'
import type { Path } from './source.ts'

type Issue = z.core.$ZodIssue

/** What fills its own expressions. */
const fillsItself: ReadonlySet<string> = new Set(['set', 'log', 'late'])

/**
 * Returns a file's value with every action that has to wait in a form that the schema takes, and
 * what is wrong with those apart from what nobody can know yet.
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
    const { error } = action.safeParse(given)
    const bad = (error?.issues ?? []).filter((issue) => !isUnknown(given, innermost(issue).path))
    issues.push(...bad.map((issue) => ({ ...issue, path: [...path, ...issue.path] })))
    return { late: lateAction(JSON.stringify(given)) }
  }
}

/** `steps.0.do`, `rules.0.do.1`, `finally.2` and the like. */
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

/** An expression stands there whose value nobody knows yet. */
function isUnknown(given: unknown, path: Path): boolean {
  const text = at(given, path)
  return typeof text === 'string' && isLate(text)
}

makesActions(actionOf)

/** Throws `BadLateAction`, and `BadExpression`. */
function actionOf(json: string, names: Known): Action {
  const before: unknown = JSON.parse(json)
  const given = filled(before, names)
  const { data, error } = parsed(action, given, before)
  if (data !== undefined) return compileAction(data)
  const [issue] = error?.issues ?? []
  const {
    issue: { message },
    path,
  } = issue === undefined ? { issue: { message: '' }, path: [] } : innermost(issue)
  throw new BadLateAction(path.join('.'), message, JSON.stringify(given))
}

/** What expressions came to makes no action. */
export class BadLateAction extends SimError {
  constructor(path: string, message: string, given: string) {
    super('BAD_LATE_ACTION', `${path}: ${message}`, { hint: `Its expressions made of it ${given.slice(0, 200)}.` })
  }
}
