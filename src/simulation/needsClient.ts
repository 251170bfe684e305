/** Finds scenarios that wait for clients only. */
import { agendaEntries } from '../data/agenda.ts'
import type { Node } from '../node/node.ts'
import type { Expectation } from '../plan/expectation.ts'
import type { PlanStep } from '../plan/plan.ts'
import type { Trigger } from '../plan/trigger.ts'
import { broadcastsOf } from '../scenario/broadcasts.ts'
import { ownValue } from '../data/members.ts'
import type { Simulation } from './turn.ts'

/**
 * Returns whether only a client can move a running scenario on: nothing is scheduled, and neither
 * its step nor a rule waits for time. In doubt, it returns false.
 */
export function needsClient({ node, plan, progress }: Simulation): boolean {
  if (progress.state !== 'running' || progress.mining !== undefined || hasWork(node)) return false
  const waits = (plan.rules ?? []).some(({ id, when, times }) => {
    const { heldAt, watch } = ownValue(progress.rules, id) ?? {}
    const isSpent = times !== undefined && (watch?.fired ?? 0) >= times
    return !isSpent && (heldAt !== undefined || isTimed(when))
  })
  const step = plan.steps[progress.step]
  if (waits || broadcastsOf(progress.facts, step?.id ?? '').length > 0) return false
  return step === undefined ? plan.until !== undefined && !isTimed(plan.until) : isStill(step, progress.phase)
}

function isStill(step: PlanStep, phase: Simulation['progress']['phase']): boolean {
  if (phase === 'checking') return !step.expectations.some(endsInTime)
  if (phase === 'delayed') return step.delay?.ms === undefined
  // A step that may fail is followed by the next one when its own time is over.
  return step.onFail === 'abort' && !isTimed(step.when)
}

function endsInTime(one: Expectation): boolean {
  return one.within?.ms !== undefined || (one.type === 'never' && one.span.ms !== undefined)
}

/** Returns whether the node will do something by itself that a scenario may notice. */
function hasWork({ agenda, owed, mining = [], intervalEpoch }: Node): boolean {
  if (owed.length + mining.length > 0) return true
  for (const { item } of agendaEntries(agenda)) {
    const isOld = item.type === 'interval' && item.epoch !== intervalEpoch
    if (!isOld && item.type !== 'plan' && item.type !== 'endFault') return true
  }
  return false
}

/** Returns whether the passing of time may fire a trigger. */
function isTimed(when: Trigger): boolean {
  if (when.type === 'any' || when.type === 'all') return when.of.some(isTimed)
  if (when.type === 'signal') return when.orAfterMs !== undefined
  return when.type === 'after' || when.type === 'time' || when.type === 'every'
}
