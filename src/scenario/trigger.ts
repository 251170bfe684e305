/** Evaluates triggers. */
import { mapGet, type PersistentMap } from '../data/persistentMap.ts'
import { unreachable } from '../errors.ts'
import type { Trigger } from '../plan/trigger.ts'
import type { Facts } from './facts.ts'
import { type Mark, type Moment, type Tallies, type Watch, countSince, earlier } from './span.ts'

/**
 * The input of triggers. `draw` returns an integer below a bound, by label and number of the
 * firing.
 */
export type TriggerInput = {
  readonly id: string
  readonly watch: Watch
  readonly now: Moment
  readonly started: Moment
  readonly tallies: Tallies
  readonly marks: PersistentMap<Mark>
  readonly signals: readonly string[]
  readonly facts: Facts
  readonly outcomes: PersistentMap<'passed' | 'failed'>
  readonly draw: (label: string, index: number, below: bigint) => bigint
  /** Returns the near miss of a counter, as the end of a sentence. */
  readonly nearOf: (key: string) => string
}

/** Returns whether a trigger fires now. */
export function holds(when: Trigger, one: TriggerInput): boolean {
  const { watch, now, tallies, signals, facts, outcomes } = one
  switch (when.type) {
    case 'immediately':
      return true
    case 'height':
      return now.height >= when.height
    case 'blocks':
      return now.height >= watch.since.height + when.count
    case 'eachBlock':
      return now.height >= nextBlock(when, watch)
    case 'after':
    case 'time':
    case 'every':
      return now.timeMs >= (dueMs(when, one) ?? 0n)
    case 'signal': {
      const due = dueMs(when, one)
      return signals.includes(when.name) || (due !== undefined && now.timeMs >= due)
    }
    case 'phase':
      return facts.phase === when.name
    case 'step': {
      const outcome = mapGet(outcomes, when.id)
      return outcome !== undefined && (when.outcome ?? outcome) === outcome
    }
    case 'counted':
      return countSince(tallies, baseOf(when, one), when.key) >= when.nth
    case 'any':
      return when.of.some((each) => holds(each, one))
    case 'all':
      return when.of.every((each) => holds(each, one))
    default:
      return unreachable(when)
  }
}

/** Returns the tallies that a counted trigger starts from. */
function baseOf({ since }: Extract<Trigger, { type: 'counted' }>, { watch, marks }: TriggerInput): Tallies {
  return since === undefined ? watch.base : (mapGet(marks, since)?.tallies ?? watch.base)
}

/** Returns the next block: `from` blocks after the start, then one block after the previous one. */
function nextBlock({ from }: Extract<Trigger, { type: 'eachBlock' }>, { block, since }: Watch): bigint {
  return block === undefined ? since.height + from : block + 1n
}

/**
 * Returns the block at which a trigger fires, for its watch. If several blocks arrived at once, it
 * fires for each.
 */
export function blockOf(when: Trigger, watch: Watch): Pick<Watch, 'block'> {
  return when.type === 'eachBlock' ? { block: nextBlock(when, watch) } : {}
}

/**
 * Returns the time at which a trigger fires, in simulation milliseconds; undefined if it does not
 * depend on time.
 */
export function dueMs(when: Trigger, one: TriggerInput): bigint | undefined {
  const { id, watch, started, draw } = one
  switch (when.type) {
    case 'after':
      return watch.since.timeMs + when.ms
    case 'time':
      return started.timeMs + when.ms
    case 'signal':
      return when.orAfterMs === undefined ? undefined : watch.since.timeMs + when.orAfterMs
    case 'every': {
      const jitter = when.jitterMs === 0n ? 0n : draw(`every:${id}`, watch.fired, when.jitterMs + 1n)
      return watch.since.timeMs + when.ms + jitter
    }
    // Returns the next future time among the parts; a part that is due alone may not be enough.
    case 'any':
    case 'all':
      return when.of
        .map((each) => dueMs(each, one))
        .filter((ms) => ms !== undefined && ms > one.now.timeMs)
        .reduce(earlier, undefined)
    default:
      return undefined
  }
}

/** Returns the signals that a trigger consumes when it fires. Of alternatives, it uses the first that holds. */
export function usedSignals(when: Trigger, one: TriggerInput): readonly string[] {
  switch (when.type) {
    case 'signal':
      return [when.name]
    case 'all':
      return when.of.flatMap((each) => usedSignals(each, one))
    case 'any': {
      const first = when.of.find((each) => holds(each, one))
      return first === undefined ? [] : usedSignals(first, one)
    }
    default:
      return []
  }
}

/** Returns what a trigger waits for and how far it is, for reports. */
export function triggerText(when: Trigger, one: TriggerInput): string {
  switch (when.type) {
    case 'immediately':
      return 'nothing'
    case 'height':
      return `height ${when.height}`
    case 'blocks':
      return `${when.count} blocks`
    case 'eachBlock':
      return `occurrence ${one.watch.fired + 1} of eachBlock`
    case 'after':
      return `${when.ms} ms after the previous step`
    case 'time':
      return `${when.ms} ms after the start`
    case 'every':
      return `occurrence ${one.watch.fired + 1} of every ${when.ms} ms`
    case 'signal':
      return `the signal "${when.name}"`
    case 'phase':
      return `the phase "${when.name}" (it is "${one.facts.phase}")`
    case 'step':
      return `step "${when.id}"${when.outcome === undefined ? '' : ` to have ${when.outcome}`}`
    case 'counted': {
      const seen = countSince(one.tallies, baseOf(when, one), when.key)
      const which = when.nth === 1 ? '' : `, occurrence ${when.nth}`
      return `${when.text}${which}${seen === 0 ? '' : `, saw ${seen}`}${one.nearOf(when.key)}`
    }
    case 'any':
      return when.of.map((each) => triggerText(each, one)).join(' or ')
    case 'all':
      return when.of
        .filter((each) => !holds(each, one))
        .map((each) => triggerText(each, one))
        .join(' and ')
  }
}
