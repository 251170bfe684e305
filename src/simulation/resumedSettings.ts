/** The part of a saved node that depends on settings: block policy, clock and noted settings. */
import { withBlockStep } from '../chain/clock.ts'
import type { BlockPolicy } from '../chain/command.ts'
import { policyOf } from '../node/createNode.ts'
import type { Node } from '../node/node.ts'
import { withWallStart } from '../node/wallTime.ts'
import { isOfValidators, isSame } from '../settings/changes.ts'
import { durationMs } from '../settings/duration.ts'
import type { Settings } from '../settings/settings.ts'

/**
 * Returns the saved node with the settings that the running one was given, and with what they change
 * in its block policy and clock. Settings that a step or a client had changed stay changed, unless
 * others are given now. Blocks that carry wall time continue with today's.
 */
export function withRunningSettings(running: Node, saved: Node): Node {
  const { settings, chain } = running
  const startMs = chain.clock.startMs + running.nowMs - saved.nowMs
  const today = withWallStart(saved, startMs)
  const kept = { ...today.chain, policy: { ...saved.chain.policy, ...policyChange(running, saved) } }
  const isOtherStep = durationMs(settings.blockTime) !== durationMs(saved.settings.blockTime)
  return {
    ...today,
    ...settingsAfter(running, saved),
    chain: isOtherStep ? withBlockStep(kept, saved.nowMs, durationMs(settings.blockTime)) : kept,
    ...((running.noted ?? saved.noted) !== undefined && { noted: notedBy(running, saved) }),
  }
}

function settingsAfter(running: Node, saved: Node): Pick<Node, 'settings' | 'given'> {
  const now = { ...running.settings, ...running.given }
  if (saved.given === undefined) return { settings: now }
  const names = Object.keys(saved.given) as (keyof Settings)[]
  const kept = names.filter((name) => isSame(now[name], saved.given?.[name]))
  const valuesOf = (from: Settings) => Object.fromEntries(kept.map((name) => [name, from[name]]))
  return { settings: { ...now, ...valuesOf(saved.settings) }, given: valuesOf(now) }
}

/**
 * Returns the members of the running block policy whose settings differ from those of the saved
 * node. The others may have been changed by a client or a step, and such a change is kept.
 */
function policyChange({ settings, chain }: Node, saved: Node): Partial<BlockPolicy> {
  const [now, was] = [policyOf(settings), policyOf(saved.settings)]
  const { mode, intervalMs, lazy } = chain.policy
  return {
    ...(now.mode !== was.mode && { mode }),
    ...(now.intervalMs !== was.intervalMs && { intervalMs }),
    ...(now.lazy !== was.lazy && { lazy }),
  }
}

/** Returns the noted settings: those of validators describe the saved chain, others the running one. */
function notedBy(running: Node, saved: Node): Partial<Settings> {
  return Object.fromEntries([
    ...Object.entries(running.noted ?? {}).filter(([name]) => !isOfValidators(name)),
    ...Object.entries(saved.noted ?? {}).filter(([name]) => isOfValidators(name)),
  ])
}
