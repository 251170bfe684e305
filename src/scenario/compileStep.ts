import type { PlanRule, PlanStep } from '../plan/plan.ts'
import { compileAction } from './actions/index.ts'
import { compileExpectation } from './compileExpectation.ts'
import { compileTrigger, timesOf } from './compileTrigger.ts'
import { spanOf } from './span.ts'
import type { RuleFile, StepFile } from './stepSchema.ts'

const defaultTimeoutMs = 60_000n

/** `place` returns file and line of a path inside the step, for reports. */
export type StepPlaces = { readonly place: (path: readonly (string | number)[]) => string }

/** Returns the compiled step. A step without `when` runs directly after the previous one. */
export function compileStep(step: StepFile, index: number, { place }: StepPlaces): PlanStep {
  const id = step.id ?? `step-${index + 1}`
  const times = step.repeat ?? timesOf(step.when)
  const delay = spanOf(step.delay)
  return {
    id,
    when: compileTrigger(step.when),
    ...(typeof step.if === 'string' && { condition: step.if }),
    ...(delay !== undefined && { delay }),
    actions: (step.do ?? []).map(compileAction),
    expectations: (step.expect ?? []).map((one, at) =>
      compileExpectation(one, { step: id, source: place(['expect', at]) }),
    ),
    ...(times !== undefined && { times }),
    timeoutMs: step.timeout ?? defaultTimeoutMs,
    onFail: step.onFail ?? 'abort',
    source: place([]),
  }
}

/**
 * Returns the compiled rule. It fires once, unless it sets a number of times or has a repeating
 * trigger.
 */
export function compileRule(rule: RuleFile, index: number, { place }: StepPlaces): PlanRule {
  const delay = spanOf(rule.delay)
  const isAgain = rule.repeat === true || 'every' in rule.when || 'eachBlock' in rule.when
  return {
    id: rule.id ?? `rule-${index + 1}`,
    when: compileTrigger(rule.when),
    ...(rule.phase !== undefined && { phase: rule.phase }),
    ...(typeof rule.if === 'string' && { condition: rule.if }),
    ...(delay !== undefined && { delay }),
    actions: rule.do.map(compileAction),
    times: rule.times ?? (isAgain ? timesOf(rule.when) : 1),
    source: place([]),
  }
}
