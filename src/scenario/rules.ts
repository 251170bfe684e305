/** Rules of a scenario, which run next to its steps whenever their trigger fires. */
import { ownValue } from '../data/members.ts'
import type { Plan, PlanRule } from '../plan/plan.ts'
import { earlier, spanEnd, spanIsOver } from './span.ts'
import type { Progress, RuleProgress } from './progress.ts'
import { blockOf, dueMs, holds, usedSignals } from './trigger.ts'
import { type Sight, triggerInput, withoutAll } from './advance.ts'

/** The rule that fires now, if any, and the time of the next check. */
export type Fired = {
  readonly progress: Progress
  readonly rule: PlanRule | undefined
  readonly moved: boolean
  readonly wakeAtMs: bigint | undefined
}

/** Returns the first rule, in file order, that fires now. */
export function nextRule({ rules = [] }: Plan, progress: Progress, sight: Sight): Fired {
  let wakeAtMs: bigint | undefined
  for (const rule of rules) {
    const state = stateOf(progress, rule)
    if (rule.times !== undefined && state.watch.fired >= rule.times) continue
    if (state.heldAt !== undefined) {
      if (spanIsOver(rule.delay, state.heldAt, sight.now)) {
        return fire(progress, { rule, state, sight })
      }
      wakeAtMs = earlier(wakeAtMs, spanEnd(rule.delay, state.heldAt))
      continue
    }
    const waiting = triggerInput(progress, rule.id, sight, state.watch)
    const isPhase = (rule.phase ?? progress.facts.phase) === progress.facts.phase
    const isWanted = rule.condition === undefined || isDrawn(rule.condition) || isTrue(rule, state, sight)
    if (isPhase && isWanted && holds(rule.when, waiting)) {
      const watch = { ...state.watch, ...blockOf(rule.when, state.watch) }
      const held = { watch, heldAt: sight.now }
      const signals = withoutAll(progress.signals, usedSignals(rule.when, waiting))
      return {
        progress: withRule({ ...progress, signals }, rule, held),
        rule: undefined,
        moved: true,
        wakeAtMs: undefined,
      }
    }
    // The time of a rule whose condition does not hold may be over, and would hide the times of the others.
    if (isPhase && isWanted) wakeAtMs = earlier(wakeAtMs, dueMs(rule.when, waiting))
  }
  return { progress, rule: undefined, moved: false, wakeAtMs }
}

type Firing = { readonly rule: PlanRule; readonly state: RuleProgress; readonly sight: Sight }

function fire(progress: Progress, { rule, state, sight }: Firing): Fired {
  const since = rule.when.type === 'every' ? (state.heldAt ?? sight.now) : sight.now
  const { block, fired } = state.watch
  const watch = {
    since,
    base: progress.tallies,
    fired: fired + 1,
    ...(block !== undefined && { block }),
  }
  const isLeftOut = rule.condition !== undefined && isDrawn(rule.condition) && !isTrue(rule, state, sight)
  const isQuiet =
    rule.when.type === 'every' &&
    rule.when.profile !== undefined &&
    sight.draw(`quiet:${rule.id}`, state.watch.fired, 100n) >= BigInt(sight.busy())
  const next = withRule(progress, rule, { watch, heldAt: undefined })
  return {
    progress: next,
    rule: isQuiet || isLeftOut ? undefined : rule,
    moved: true,
    wakeAtMs: undefined,
  }
}

/**
 * Returns whether a condition draws. Such a condition is evaluated only once per firing; otherwise
 * it would draw again until it is true.
 */
function isDrawn(condition: string): boolean {
  return /\b(?:rand|pick)\s*\(/.test(condition)
}

function isTrue({ id, condition = '' }: PlanRule, { watch }: RuleProgress, sight: Sight): boolean {
  return sight.conditionIs(condition, { id, index: watch.fired }) === true
}

/**
 * Returns the progress after a rule's actions. Events that they caused do not count for the rule.
 */
export function afterRule(progress: Progress, rule: PlanRule): Progress {
  const state = stateOf(progress, rule)
  return withRule(progress, rule, { ...state, watch: { ...state.watch, base: progress.tallies } })
}

function stateOf({ rules, started }: Progress, { id }: PlanRule): RuleProgress {
  return ownValue(rules, id) ?? { watch: { since: started, base: {}, fired: 0 }, heldAt: undefined }
}

function withRule(progress: Progress, { id }: PlanRule, state: RuleProgress): Progress {
  return { ...progress, rules: { ...progress.rules, [id]: state } }
}
