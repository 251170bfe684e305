/** Differences between a saved scenario and the running one, and what they mean for the chain (`mocks.md` §3.8). */
import { canonicalJson } from '../data/canonicalJson.ts'
import type { Fixtures } from '../plan/fixtures.ts'
import type { NodeCommand } from '../node/command.ts'
import type { Plan, PlanStep } from '../plan/plan.ts'
import type { Action } from '../plan/action.ts'
import { durationMs } from '../settings/duration.ts'
import { settingsChange } from '../settings/changes.ts'
import type { Settings } from '../settings/settings.ts'

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

/** Settings that a scenario can change in a running chain but the files of a home cannot. */
const plannedNames: readonly string[] = [
  'interval',
  'blocks',
  'lazy',
  'blockTime',
  'validators',
  'validatorNames',
  'validatorPowers',
]

/** Returns the change between two plans and the settings that were resolved with each. */
export function changeBetween({ before, next, was, now }: Sets): PlanChange {
  const { live, later, laterNames } = settingsChange(was, now)
  const settled = later.filter((_, index) => !plannedNames.includes(laterNames[index] ?? ''))
  const why = [...settled, ...fixtureChanges(before.fixtures, next.fixtures)]
  const commands: readonly NodeCommand[] = [
    ...paceCommands(was, now),
    ...(Object.keys(live).length > 0 ? [{ type: 'changeSettings', settings: live } as const] : []),
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
    ...(now.interval !== was.interval && now.interval !== '' ? { intervalMs: durationMs(now.interval) } : {}),
    ...(now.blocks !== was.blocks ? { mode: now.blocks } : {}),
    ...(now.lazy !== was.lazy ? { lazy: now.lazy } : {}),
  }
  return [
    ...(Object.keys(policy).length > 0 ? [{ type: 'setBlockPolicy', policy } as const] : []),
    ...(now.blockTime !== was.blockTime ? [{ type: 'setBlockStep', ms: durationMs(now.blockTime) } as const] : []),
  ]
}

const usualPower = 1000n

/** Returns actions that add, change and remove validators by name, from the block after next. */
function validatorActions(was: Settings, now: Settings): readonly Action[] {
  const [old, fresh] = [powersOf(was), powersOf(now)]
  const gone = [...old.keys()].filter((name) => !fresh.has(name))
  return [...fresh, ...gone.map((name) => [name, 0n] as const)]
    .filter(([name, power]) => old.get(name) !== power)
    .map(([name, power]) => ({ type: 'validator', name, power }))
}

function powersOf(settings: Settings): ReadonlyMap<string, bigint> {
  const { validators, validatorNames, validatorPowers } = settings
  return new Map(
    Array.from({ length: validators }, (_, index) => [
      validatorNames[index] ?? `validator${index}`,
      BigInt(validatorPowers[index] ?? usualPower),
    ]),
  )
}

/**
 * Returns the fixture changes that need a new genesis. New accounts, changed balances and appended
 * transactions do not: they apply to the running chain.
 */
function fixtureChanges(before: Fixtures, after: Fixtures): readonly string[] {
  const text = (value: unknown) => canonicalJson(value ?? null)
  const isKept = before.txs.every((tx, index) => text(tx) === text(after.txs[index]))
  const keys = new Map(after.accounts.map(({ name, address }) => [name, text(address)]))
  const isMoved = before.accounts.some(({ name, address }) => keys.get(name) !== text(address))
  return [
    ...(isMoved ? ['fixtures.accounts'] : []),
    ...(isKept ? [] : ['fixtures.contracts or fixtures.genesisTxs']),
    ...(text(before.history) === text(after.history) ? [] : ['fixtures.history']),
  ]
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
