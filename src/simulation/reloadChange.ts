/** Differences between a saved scenario and the running one, and what they mean for the chain (`mocks.md` §3.8). */
import { canonicalJson } from '../data/canonicalJson.ts'
import type { Fixtures } from '../plan/fixtures.ts'
import type { NodeCommand } from '../node/command.ts'
import { noPlan, type Plan, type PlanStep } from '../plan/plan.ts'
import type { Action } from '../plan/action.ts'
import { durationMs } from '../settings/duration.ts'
import { intervalMsOf } from '../node/pace.ts'
import { genesisChange, isOfValidators, settingsChange } from '../settings/changes.ts'
import type { Settings } from '../settings/settings.ts'
import { validatorNameAt, validatorPowerAt } from '../settings/validators.ts'

/** `actions` are applied to the running chain. `history` also needs a new genesis for `why`. */
export type PlanChange =
  | { readonly kind: 'none' }
  | { readonly kind: 'live'; readonly actions: readonly Action[] }
  | {
      readonly kind: 'history'
      readonly actions: readonly Action[]
      readonly why: readonly string[]
    }

type Sets = {
  readonly before: Plan
  readonly next: Plan
  readonly was: Settings
  readonly now: Settings
}

/** Settings of the block policy and the clock, which a node has beside its chain. */
const pacedNames = ['interval', 'blocks', 'lazy', 'blockTime'] as const

/** Returns whether a scenario can change a setting in a running chain; the files of a home cannot. */
const isPlanned = (name = '') => isOfValidators(name) || (pacedNames as readonly string[]).includes(name)

/** Changes of a chain while it was saved; `why` names those that need a new genesis. */
export type Missed = {
  readonly actions: readonly Action[]
  readonly why: readonly string[]
  /** Whether the fixtures have changed. */
  readonly hasFixtures: boolean
}

/**
 * Returns the changes that a saved chain does not have after it continued with the next plan and the
 * settings `now`. Its world and its block policy follow the settings already.
 */
export function changeWhileSaved({ before, next, was, now }: Sets): Missed {
  const changed = Object.entries(genesisChange(was, now)).filter(([name]) => isOfValidators(name))
  const command = { type: 'changeSettings', settings: {}, noted: Object.fromEntries(changed) } as const
  const hasFixtures = next.digest !== noPlan.digest && text(before.fixtures) !== text(next.fixtures)
  return {
    actions: [...(changed.length > 0 ? [{ type: 'command', command } as const] : []), ...validatorActions(was, now)],
    why: hasFixtures ? fixtureChanges(before.fixtures, next.fixtures) : [],
    hasFixtures,
  }
}

/** Returns the change between two plans and the settings that were resolved with each. */
export function changeBetween({ before, next, was, now }: Sets): PlanChange {
  const { live, later, laterNames } = settingsChange(was, now)
  const settled = later.filter((_, index) => !isPlanned(laterNames[index]))
  const why = [...settled, ...fixtureChanges(before.fixtures, next.fixtures)]
  const paced = pacedNames.filter((name) => was[name] !== now[name]).map((name) => [name, now[name]] as const)
  const settings = { ...live, ...Object.fromEntries(paced) }
  const noted = genesisChange(was, now)
  const isSettled = Object.keys({ ...settings, ...noted }).length === 0
  const commands: readonly NodeCommand[] = [
    ...paceCommands(was, now),
    ...(isSettled ? [] : [{ type: 'changeSettings', settings, noted } as const]),
  ]
  const actions: readonly Action[] = [
    ...commands.map((command) => ({ type: 'command', command }) as const),
    ...validatorActions(was, now),
  ]
  if (why.length > 0) return { kind: 'history', actions, why }
  const isSame = actions.length === 0 && before.digest === next.digest
  return isSame ? { kind: 'none' } : { kind: 'live', actions }
}

function paceCommands(was: Settings, now: Settings): readonly NodeCommand[] {
  const policy = {
    ...(now.interval !== was.interval ? { intervalMs: intervalMsOf(now) } : {}),
    ...(now.blocks !== was.blocks ? { mode: now.blocks } : {}),
    ...(now.lazy !== was.lazy ? { lazy: now.lazy } : {}),
  }
  return [
    ...(Object.keys(policy).length > 0 ? [{ type: 'setBlockPolicy', policy } as const] : []),
    ...(now.blockTime !== was.blockTime ? [{ type: 'setBlockStep', ms: durationMs(now.blockTime) } as const] : []),
  ]
}

/** Returns actions that add, change and remove validators by name, from the block after next. */
function validatorActions(was: Settings, now: Settings): readonly Action[] {
  const [old, fresh] = [powersOf(was), powersOf(now)]
  const gone = [...old.keys()].filter((name) => !fresh.has(name))
  return [...fresh, ...gone.map((name) => [name, 0n] as const)]
    .filter(([name, power]) => old.get(name) !== power)
    .map(([name, power]) => ({ type: 'validator', name, power }))
}

function powersOf(settings: Settings): ReadonlyMap<string, bigint> {
  return new Map(
    Array.from({ length: settings.validators }, (_, index) => [
      validatorNameAt(settings, index),
      validatorPowerAt(settings, index),
    ]),
  )
}

/**
 * Returns the fixture changes that need a new genesis. New accounts, changed balances and appended
 * transactions do not: they apply to the running chain.
 */
function fixtureChanges(before: Fixtures, after: Fixtures): readonly string[] {
  const isKept = before.txs.every((tx, index) => text(tx) === text(after.txs[index]))
  const keys = new Map(after.accounts.map(({ name, address }) => [name, text(address)]))
  const isMoved = before.accounts.some(({ name, address }) => keys.get(name) !== text(address))
  return [
    ...(isMoved ? ['fixtures.accounts'] : []),
    ...(isKept ? [] : ['fixtures.contracts or fixtures.genesisTxs']),
    ...(text(before.history) === text(after.history) ? [] : ['fixtures.history']),
  ]
}

function text(value: unknown): string {
  return canonicalJson(value ?? null)
}

/** Returns how many of the first `done` steps have changed. */
export function changedPast(before: readonly PlanStep[], after: readonly PlanStep[], done: number): number {
  const changed = before.slice(0, done).filter((step, index) => stepText(step) !== stepText(after[index]))
  return changed.length
}

function stepText(step: PlanStep | undefined): string {
  if (step === undefined) return ''
  const expectations = step.expectations.map((one) => ({ ...one, source: '' }))
  return canonicalJson({ ...step, source: '', expectations })
}
