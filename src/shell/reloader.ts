/**
 * Takes saved scenarios in: what changed decides whether the chain goes on with it, or begins again
 * from a new genesis (`mocks.md` §3.8). A bad file never takes effect.
 */
import { SimError } from '../errors.ts'
import { canonicalJson } from '../data/canonicalJson.ts'
import type { Fixtures } from '../node/fixtures.ts'
import type { NodeCommand } from '../node/command.ts'
import type { PlanStep } from '../node/plan.ts'
import { durationMs } from '../settings/duration.ts'
import type { Settings } from '../settings/settings.ts'
import { changeOf } from './config/reload.ts'
import type { Sinks } from './queue.ts'
import { loadScenario, type Loaded } from './scenarioFiles.ts'
import type { Running } from './server.ts'

/**
 * `restart`: a new genesis; `keep`: the rest of the change, on the old chain; `rebase`: a new genesis
 * to which is entered again what was entered to the old one.
 */
export const historyPolicies = ['restart', 'keep', 'rebase'] as const
export type OnHistoryChange = (typeof historyPolicies)[number]

export type Reloaded = {
  readonly change: 'none' | 'live' | 'restart' | 'rebased' | 'kept'
  readonly generation: number
  /** What a person should know of it. */
  readonly notes: readonly string[]
}

export type Reloader = {
  /** Reads the files again. Throws what is wrong with them; nothing has changed then. */
  readonly reload: () => Promise<Reloaded>
  /** Goes back to the set that was good before. Throws `NothingToUndo`. */
  readonly undo: () => Promise<Reloaded>
  /** The files of the set that is followed. */
  readonly closure: () => readonly string[]
}

export type ReloaderOptions = {
  readonly path: string
  readonly loaded: Loaded
  readonly running: () => Running
  /** Resolves the settings of a scenario: flags and environment still win. */
  readonly settingsOf: (scenario: Partial<Settings>) => Promise<Settings>
  /** Begins the chain again, with its past where that is the policy; resolves when it serves. */
  readonly restart: (loaded: Loaded, settings: Settings) => Promise<void>
  readonly onHistoryChange: OnHistoryChange
  readonly log: Sinks['log']
}

const keptMost = 10

/** Returns a reloader; its reloads are carried out one after the other. */
export function createReloader(options: ReloaderOptions): Reloader {
  const { path, running, log } = options
  const good: Loaded[] = [options.loaded]
  let last: Promise<unknown> = Promise.resolve()
  const inTurn = <Value>(work: () => Promise<Value>): Promise<Value> => {
    const done = last.then(work, work)
    last = done.catch(() => {})
    return done
  }
  const told = (reloaded: Reloaded): Reloaded => {
    if (reloaded.change !== 'none') log('info', `reloaded ${path}: generation ${reloaded.generation}${['restart', 'rebased'].includes(reloaded.change) ? ', from a new genesis' : ''}`)
    for (const note of reloaded.notes) log('warn', note)
    return reloaded
  }
  const takeIn = async (next: Loaded, before: Loaded): Promise<Reloaded> => {
    const [was, now] = [await options.settingsOf(before.settings), await options.settingsOf(next.settings)]
    const change = changed({ before, next, was, now })
    if (change.kind === 'none') return { change: 'none', generation: generation(), notes: [] }
    if (change.kind === 'history' && options.onHistoryChange !== 'keep') {
      const generationThen = generation() + 1
      const soon = new Promise<void>((done) => { setImmediate(done) })
      last = soon.then(() => options.restart(next, now))
      return {
        change: options.onHistoryChange === 'rebase' ? 'rebased' : 'restart',
        generation: generationThen,
        notes: [`a new genesis is needed for ${change.why.join(', ')}`],
      }
    }
    const ran = changedPast(before.plan.steps, next.plan.steps, running().simulation().progress.step)
    if (change.commands.length > 0) running().operate('reload', { type: 'sequence', commands: change.commands })
    running().operate('reload', { type: 'loadPlan', plan: next.plan })
    if (running().simulation().plan.digest !== next.plan.digest) throw new NotTakenIn()
    return {
      change: change.kind === 'history' ? 'kept' : 'live', generation: generation(),
      notes: [
        ...(change.kind === 'history' ? [`kept the chain as it is; a restart is needed for ${change.why.join(', ')}`] : []),
        ...(ran > 0 ? [`${ran} changed step${ran === 1 ? '' : 's'} already ran`] : []),
      ],
    }
  }
  const generation = () => running().simulation().progress.generation
  return {
    reload: () => inTurn(async () => {
      const next = await loadScenario(path, options.loaded.given)
      const reloaded = await takeIn(next, good.at(-1) ?? options.loaded)
      if (reloaded.change !== 'none') good.push(next)
      if (good.length > keptMost) good.shift()
      return told(reloaded)
    }),
    undo: () => inTurn(async () => {
      const [before, now] = [good.at(-2), good.at(-1)]
      if (before === undefined || now === undefined) throw new NothingToUndo()
      const reloaded = await takeIn(before, now)
      good.pop()
      return told(reloaded)
    }),
    closure: () => (good.at(-1) ?? options.loaded).closure,
  }
}

type Sets = { readonly before: Loaded; readonly next: Loaded; readonly was: Settings; readonly now: Settings }

type Change =
  | { readonly kind: 'none' }
  | { readonly kind: 'live'; readonly commands: readonly NodeCommand[] }
  | { readonly kind: 'history'; readonly commands: readonly NodeCommand[]; readonly why: readonly string[] }

/** Settings of blocks that a chain takes while it runs. */
const paceNames: readonly string[] = ['interval', 'blocks', 'lazy', 'blockTime']

function changed({ before, next, was, now }: Sets): Change {
  const { live, later, laterNames } = changeOf(was, now)
  const settled = later.filter((_, index) => !paceNames.includes(laterNames[index] ?? ''))
  const why = [...settled, ...fixtureChanges(before.plan.fixtures, next.plan.fixtures)]
  const commands = [...paceCommands(was, now), ...(Object.keys(live).length > 0 ? [{ type: 'changeSettings', settings: live } as const] : [])]
  if (why.length > 0) return { kind: 'history', commands, why }
  return commands.length === 0 && before.plan.digest === next.plan.digest ? { kind: 'none' } : { kind: 'live', commands }
}

function paceCommands(was: Settings, now: Settings): readonly NodeCommand[] {
  const policy = {
    ...(now.interval !== was.interval && now.interval !== '' ? { intervalMs: durationMs(now.interval) } : {}),
    ...(now.blocks !== was.blocks ? { mode: now.blocks as 'auto' | 'interval' | 'mixed' | 'manual' } : {}),
    ...(now.lazy !== was.lazy ? { lazy: now.lazy } : {}),
  }
  return [
    ...(Object.keys(policy).length > 0 ? [{ type: 'setBlockPolicy', policy } as const] : []),
    ...(now.blockTime !== was.blockTime ? [{ type: 'setBlockStep', ms: durationMs(now.blockTime) } as const] : []),
  ]
}

/** New accounts, other balances and transactions at the end are taken in live; the rest is the past. */
function fixtureChanges(before: Fixtures, after: Fixtures): readonly string[] {
  const text = (value: unknown) => canonicalJson(value ?? null)
  const isKept = before.txs.every((tx, index) => text(tx) === text(after.txs[index]))
  const keys = new Map(after.accounts.map(({ name, address }) => [name, text(address)]))
  return [
    ...(before.accounts.some(({ name, address }) => keys.get(name) !== text(address)) ? ['the accounts of fixtures'] : []),
    ...(isKept ? [] : ['contracts or transactions of fixtures']),
    ...(text(before.history) === text(after.history) ? [] : ['the history of fixtures']),
  ]
}

function changedPast(before: readonly PlanStep[], after: readonly PlanStep[], done: number): number {
  const text = (step: PlanStep | undefined) => step === undefined ? '' : canonicalJson({ ...step, source: '', expectations: step.expectations.map((one) => ({ ...one, source: '' })) })
  return before.slice(0, done).filter((step, index) => text(step) !== text(after[index])).length
}

/** There is no older set of files to go back to. */
export class NothingToUndo extends SimError {
  constructor() {
    super('NOTHING_TO_UNDO', 'there is no reload to undo', { hint: `The last ${keptMost} good sets are kept.` })
  }
}

/** A plan that was handed over and refused; the one before goes on. */
export class NotTakenIn extends SimError {
  constructor() {
    super('NOT_RELOADED', 'the scenario was not taken in; the one before goes on', { hint: 'The log says why.' })
  }
}
