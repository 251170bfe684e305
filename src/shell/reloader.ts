/**
 * Hot reload of saved scenarios. The change determines whether the chain continues or restarts from
 * a new genesis (`mocks.md` §3.8). An invalid file never takes effect.
 */
import { counted } from '../data/counted.ts'
import { isExpected, SimError, thrownInFull } from '../errors.ts'
import { InvalidScenario } from '../scenario/diagnostic.ts'
import { misspeltMethods } from '../scenario/misspeltMethods.ts'
import type { Settings } from '../settings/settings.ts'
import type { Sinks } from './queue.ts'
import type { Beginning } from './beginning.ts'
import { assertDone } from './control/act.ts'
import { changeBetween, changedPast, type PlanChange } from '../simulation/reloadChange.ts'
import { loadScenarioAside } from './scenarios/scenarioAside.ts'
import type { LoadedScenario } from './scenarios/scenarioFiles.ts'
import type { Running } from './server.ts'
import type { Reloaded } from './ports.ts'
import { unlessAborted } from './unlessAborted.ts'

/**
 * How to apply a change that needs a new genesis. `restart` starts from the new genesis; `keep`
 * applies the rest of the change to the old chain; `rebase` replays all inputs on the new genesis.
 */
export const historyPolicies = ['restart', 'keep', 'rebase'] as const
export type OnHistoryChange = (typeof historyPolicies)[number]

export type Reloader = {
  /** Reads the files again. Throws if they are invalid, and then changes nothing. */
  readonly reload: () => Promise<Reloaded>
  /** Returns to the previous valid set of files. Throws `NothingToUndo`. */
  readonly undo: () => Promise<Reloaded>
  /** Gives up reloads that still read their files. Resolves when no other reload and no restart is in progress. */
  readonly close: () => Promise<void>
  /** Returns the paths of the current set of files. */
  readonly closure: () => readonly string[]
  /** Returns the texts of the current set of files by path. */
  readonly files: () => ReadonlyMap<string, string>
}

export type ReloaderOptions = {
  readonly path: string
  readonly loaded: LoadedScenario
  readonly running: () => Running
  /** Resolves with the settings of a scenario; flags and the environment take precedence. */
  readonly settingsOf: (scenario: Partial<Settings>) => Promise<Settings>
  /** Prepares a new chain while the old one serves. Rejects if it cannot start with the scenario. */
  readonly prepare: (loaded: LoadedScenario, settings: Settings) => Promise<Beginning>
  /**
   * Restarts the chain, with a rebase if that is the policy; resolves when it serves. Rejects with the reason
   * if it cannot; the old chain then serves again.
   */
  readonly restart: (loaded: LoadedScenario, beginning: Beginning) => Promise<void>
  readonly onHistoryChange: OnHistoryChange
  readonly log: Sinks['log']
}

const keptMost = 10

/** A change that was taken in, and the restart that it needs. */
type Taken = { readonly reloaded: Reloaded; readonly restart?: () => Promise<void> }

/** Returns a change with the warnings about the scenario, which a save without a change does not repeat. */
function withWarnings(taken: Taken, { plan }: LoadedScenario): Taken {
  const { change, notes } = taken.reloaded
  if (change === 'none') return taken
  return { ...taken, reloaded: { ...taken.reloaded, notes: [...notes, ...misspeltMethods(plan)] } }
}

/** Returns a reloader, which runs its reloads one after the other, each with its restart. */
export function createReloader(options: ReloaderOptions): Reloader {
  const { running } = options
  let good: readonly LoadedScenario[] = [options.loaded]
  /** The files whose genesis the chain has. */
  let made = options.loaded
  let last: Promise<unknown> = Promise.resolve()
  const closing = new AbortController()
  const inTurn = (work: () => Promise<Taken>): Promise<Reloaded> => {
    let before = good
    const taken = last.then(() => {
      before = good
      return work()
    })
    last = taken.then(
      async ({ restart }) => {
        if (restart === undefined) return
        if (await restarted(options, restart)) made = good.at(-1) ?? made
        else good = before
      },
      () => {},
    )
    return taken.then(({ reloaded }) => told(options, reloaded))
  }
  const takeIn = async (next: LoadedScenario, before: LoadedScenario): Promise<Taken> => {
    const was = await options.settingsOf(before.settings)
    const now = await options.settingsOf(next.settings)
    const change = changeBetween({ before: before.plan, next: next.plan, was, now })
    const { generation } = running().simulation().progress
    if (change.kind === 'none') return { reloaded: { change: 'none', generation, notes: [] } }
    if (change.kind === 'live' || options.onHistoryChange === 'keep') {
      const { settings, unapplied } = await sinceGenesis(options, made, { next, now })
      const reloaded = await takenInLive(running(), { change, next, before, unapplied })
      running().sessionsBeginWith({ settings, plan: next.plan, generation: reloaded.generation })
      return { reloaded }
    }
    const beginning = await options.prepare(next, now)
    return {
      reloaded: {
        change: options.onHistoryChange === 'rebase' ? 'rebased' : 'restart',
        generation: generation + 1,
        notes: [`changes that need a new genesis: ${change.why.join(', ')}`],
      },
      restart: () => options.restart(next, beginning),
    }
  }
  return {
    reload: () =>
      inTurn(async () => {
        const before = good.at(-1) ?? options.loaded
        const next = await readAgain(options, closing.signal)
        const taken = await takeIn(next, before)
        if (taken.reloaded.change !== 'none') good = [...good, next].slice(-keptMost)
        return withWarnings(taken, next)
      }),
    undo: () =>
      inTurn(async () => {
        const [before, now] = [good.at(-2), good.at(-1)]
        if (before === undefined || now === undefined) throw new NothingToUndo()
        const taken = await takeIn(before, now)
        good = good.slice(0, -1)
        return taken
      }),
    close: async () => {
      closing.abort()
      await last
    },
    closure: () => (good.at(-1) ?? options.loaded).closure,
    files: () => (good.at(-1) ?? options.loaded).files,
  }
}

/**
 * Resolves with the saved files. Rejects with `InvalidScenario`, and with `NotTakenIn` when the server closes: a
 * scenario as a module may load for half a minute.
 */
async function readAgain({ path, loaded: { given } }: ReloaderOptions, closing: AbortSignal): Promise<LoadedScenario> {
  const giveUp = () => new NotTakenIn('the server ends', 'Start the server again.')
  return unlessAborted(closing, () => loadScenarioAside(path, given), giveUp).catch((error: unknown) => {
    if (!(error instanceof InvalidScenario)) throw error
    const hint = 'The previous scenario is still running.'
    throw new InvalidScenario(error.diagnostics, error.files, hint)
  })
}

/**
 * Resolves with the changes that need another genesis than the chain's, and with the settings of new
 * sessions. `made` are the files whose genesis the chain has; sessions have it too.
 */
async function sinceGenesis(
  { settingsOf }: ReloaderOptions,
  made: LoadedScenario,
  { next, now }: { readonly next: LoadedScenario; readonly now: Settings },
): Promise<{ readonly settings: Settings; readonly unapplied: readonly string[] }> {
  const was = await settingsOf(made.settings)
  const since = changeBetween({ before: made.plan, next: next.plan, was, now })
  return since.kind === 'history' ? { settings: was, unapplied: since.why } : { settings: now, unapplied: [] }
}

/**
 * Restarts the chain when the response to the reload was sent, and resolves with whether it did. A failure is
 * logged: nobody waits for it.
 */
async function restarted({ log }: ReloaderOptions, restart: () => Promise<void>): Promise<boolean> {
  await new Promise((go) => {
    setImmediate(go)
  })
  return restart().then(
    () => true,
    (error: unknown) => {
      const why = isExpected(error) ? String(error) : thrownInFull(error)
      log('error', `the chain could not restart: ${why}`)
      return false
    },
  )
}

function told({ path, log }: ReloaderOptions, reloaded: Reloaded): Reloaded {
  const { change, generation, notes } = reloaded
  const isNew = change === 'restart' || change === 'rebased'
  const from = isNew ? ' with a new genesis' : ''
  if (change !== 'none') log('info', `reloaded ${path}: generation ${generation}${from}`)
  for (const note of notes) log('warn', note)
  return reloaded
}

type Taking = {
  readonly change: Exclude<PlanChange, { kind: 'none' }>
  readonly next: LoadedScenario
  readonly before: LoadedScenario
  /** Changes that need a new genesis, since the genesis of the chain. */
  readonly unapplied: readonly string[]
}

/** Applies a change to the running chain. Throws `NotTakenIn` or `ActionMetBug`, with no effect. */
async function takenInLive(running: Running, { change, next, before, unapplied }: Taking): Promise<Reloaded> {
  const { actions } = change
  const ran = changedPast(before.plan.steps, next.plan.steps, running.simulation().progress.step)
  const operated = await running.operate('reload', { type: 'loadPlan', plan: next.plan, actions }).settled
  if (operated.kind === 'refused') throw new NotTakenIn(operated.message)
  assertDone(operated)
  const { generation } = running.simulation().progress
  const isHistory = change.kind === 'history' && unapplied.length > 0
  return {
    change: isHistory ? 'kept' : 'live',
    generation,
    notes: [
      ...(isHistory ? [`the chain continues unchanged; start a new chain to apply ${unapplied.join(', ')}`] : []),
      ...(ran > 0 ? [`${counted(ran, 'changed step')} had already run`] : []),
    ],
  }
}

/** There is no previous set of files to return to. */
export class NothingToUndo extends SimError {
  constructor() {
    super('NOTHING_TO_UNDO', 'there is no reload to undo', {
      hint: `chainstage can undo the last ${keptMost} valid saves.`,
    })
  }
}

const correctHint = 'The chain keeps running with the previous scenario. Correct the file and save it again.'

/** A saved scenario cannot be reloaded; the chain keeps running with the previous one. */
export class NotTakenIn extends SimError {
  constructor(why: string, hint = correctHint) {
    super('NOT_RELOADED', `the scenario was not reloaded: ${why}`, { hint })
  }
}
