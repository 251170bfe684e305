/** A server that hot-reloads its scenario and restarts where a change needs it. */
import { SimError, thrownText } from '../errors.ts'
import type { Settings } from '../settings/settings.ts'
import { loaded } from '../simulation/follow.ts'
import type { Simulation } from '../simulation/turn.ts'
import { createInputs, createRebase } from './rebase.ts'
import { saveFault } from './saveFault.ts'
import { createReloader, type OnHistoryChange, type Reloader } from './reloader.ts'
import { loadPart } from './loadPart.ts'
import type { LoadedScenario } from './scenarios/scenarioFiles.ts'
import { begin, startingNow, type Beginning } from './beginning.ts'
import { inTurns } from './turns.ts'
import { run, type Running, type RunOptions } from './server.ts'
import { watchScenario } from './watch.ts'
import type { Listener } from './urls.ts'
import { noPlan } from '../plan/plan.ts'

export type ServingOptions = Omit<RunOptions, 'plan' | 'reload'> & {
  /** The scenario, and the path that it was read from. */
  readonly scenario: { readonly path: string; readonly loaded: LoadedScenario } | undefined
  readonly watches: boolean
  readonly onHistoryChange: OnHistoryChange
  readonly settingsOf: (scenario: Partial<Settings>) => Promise<Settings>
  /** Resolves with the genesis document of a restart, if it depends on settings (default: that of the start). */
  readonly genesisOf?: (settings: Settings) => Promise<string>
}

export type Serving = {
  /** Returns the server that runs now; a restart replaces it. */
  readonly running: () => Running
  readonly reloader: Reloader | undefined
  readonly close: () => Promise<void>
}

/** The code with which WebSockets close when the chain restarts (RFC 6455: service restart). */
const serviceRestart = 1012

/** How often, and at which interval, a server whose restart failed tries to open its ports again. */
const [triesMost, betweenTriesMs] = [10, 500]

/** Starts to serve. Rejects with the error of an invalid genesis, address or port. */
export async function serve(serving: ServingOptions): Promise<Serving> {
  const { scenario, watches, onHistoryChange, settingsOf, genesisOf, state, ...options } = serving
  // A fork cannot be rebased, because the remote state that it has fetched is not an input.
  const isKept = onHistoryChange === 'rebase' && options.forking === undefined
  const inputs = isKept ? createInputs() : undefined
  const start = async ({ isRebased = false, ...more }: More): Promise<Running> => {
    let isOpen = false
    const opened = await run({
      ...options,
      ...more,
      // A saved state does not follow from the inputs.
      onResume: () => {
        if (isOpen || !isRebased) inputs?.forget()
      },
      ...(reloader === undefined ? {} : { artifacts: reloader.files }),
      record: (input, outputs, simulation) => {
        inputs?.record(input, outputs, simulation)
        options.record(input, outputs, simulation)
      },
      ...(reloader === undefined || !watches
        ? {}
        : {
            reload: (undo) => (undo ? reloader.undo() : reloader.reload()),
            saveFault: (name, rule) => saveFault(scenario?.path ?? '', name, rule),
          }),
    })
    isOpen = true
    return opened
  }
  const prepare = async ({ plan }: LoadedScenario, settings: Settings): Promise<Beginning> => {
    if (inputs !== undefined && inputs.past() === undefined) throw new InputsUnknown()
    // A rebased chain keeps the start of the old one, from which the times of the inputs count.
    const began = inputs !== undefined && settings.startTimeMs === 0 ? startOf(running) : {}
    const now = startingNow({ ...settings, ...began, ...addressesOf(running.listeners) })
    const generation = running.simulation().progress.generation + 1
    const genesis = genesisOf === undefined ? options.genesis : await genesisOf(now)
    return inTurns(begin({ settings: now, plan, genesis, generation }))
  }
  const restart = async ({ plan }: LoadedScenario, beginning: Beginning): Promise<void> => {
    const past = inputs?.past()
    const rebase = past === undefined ? undefined : createRebase(beginning, past)
    const heightNow = () => running.simulation().node.chain.height
    // A rebase replays all inputs without a pause, also those with late actions.
    if (rebase !== undefined) await loadPart('lateActions')
    // The old chain serves until the new chain has replayed its inputs.
    await rebase?.catchUp(heightNow, options.log)
    if (inputs !== undefined && inputs.past() === undefined) throw new InputsUnknown()
    const [before, height] = [running, heightNow()]
    await before.close(serviceRestart)
    try {
      const from = rebase?.finish(height)
      for (const note of from?.notes ?? []) options.log('warn', note)
      inputs?.goOn(from?.past ?? [])
      const { settings } = beginning
      running = await start({ beginning, plan, settings, state: from?.simulation, isRebased: true })
    } catch (error) {
      inputs?.goOn(past ?? [])
      running = await reopened(before)
      throw error
    }
  }
  /** Starts a closed server again with the state that it had. Tries for some seconds: a port may be taken for a moment. */
  const reopened = async (before: Running): Promise<Running> => {
    for (let left = triesMost - 1; ; left--) {
      try {
        const opened = await start(continuing(before))
        options.log('warn', 'the chain continues with the previous scenario')
        return opened
      } catch (error) {
        if (left > 0) await new Promise((done) => setTimeout(done, betweenTriesMs))
        else {
          options.log('error', `nothing serves any more, so the process ends: ${thrownText(error)}`)
          options.stop?.('failed')
          throw error
        }
      }
    }
  }
  const reloader =
    scenario === undefined
      ? undefined
      : createReloader({
          ...scenario,
          running: () => running,
          settingsOf,
          onHistoryChange,
          log: options.log,
          prepare,
          restart: (loaded, beginning) =>
            restart(loaded, beginning).catch((error: unknown) => {
              running.problems.set(scenario.path, `the chain could not restart: ${thrownText(error)}`)
              throw error
            }),
        })
  let running = await start({ plan: scenario?.loaded.plan ?? noPlan, settings: options.settings, state })
  const teller = { problems: () => running.problems, log: options.log }
  const watching =
    scenario === undefined || reloader === undefined || !watches
      ? undefined
      : await watchScenario(scenario.path, reloader, teller)
  return {
    running: () => running,
    reloader,
    close: async () => {
      watching?.close()
      await reloader?.close()
      await running.close()
    },
  }
}

/** `isRebased`: `state` follows from the inputs, or the inputs from before it are kept. */
type More = Pick<RunOptions, 'plan' | 'settings' | 'state' | 'beginning'> & { readonly isRebased?: boolean }

/** Returns what continues a closed server: with its state, unless a recording or a fleet holds that. */
function continuing({ beginning: { world, first }, listeners, simulation, main, fleet }: Running): More {
  const state = simulation()
  const { plan, node } = state
  const settings = { ...node.settings, ...addressesOf(listeners) }
  const isElsewhere = main.playback !== undefined || fleet !== undefined
  return {
    ...{ plan, settings, beginning: { settings, world, first: withSettingsOf(state, loaded(first, plan)) } },
    isRebased: true,
    ...(isElsewhere ? {} : { state }),
  }
}

function withSettingsOf({ node: { settings, given, noted } }: Simulation, first: Simulation): Simulation {
  return {
    ...first,
    node: { ...first.node, settings, ...(given && { given }), ...(noted && { noted }) },
  }
}

function startOf({ settings: { startTimeMs } }: Running): Partial<Settings> {
  return { startTimeMs }
}

/** The chain cannot be rebased; it keeps running with the previous scenario. */
class InputsUnknown extends SimError {
  constructor() {
    super('NOT_RELOADED', 'the scenario was not reloaded: its chain cannot replay the inputs that led to its state', {
      hint:
        'Inputs are known from the start of a process on, up to 64 MiB, and until a saved state is loaded. ' +
        'Start with --on-history-change restart for a new chain, or keep for the old one.',
    })
  }
}

/** Returns settings with the addresses of listeners, so that a restart keeps the chosen ports. */
function addressesOf(listeners: readonly Listener[]): Partial<Settings> {
  const of = (kind: Listener['serves']) =>
    listeners.filter(({ serves }) => serves === kind).map(({ url }) => url.replace(/^https?:\/\//, ''))
  const [eth = ''] = of('eth')
  const [ethWs = ''] = of('ethWs')
  const [rest = ''] = of('rest')
  const [grpc = ''] = of('grpc')
  const [control = ''] = of('control')
  const [metrics = ''] = of('metrics')
  return {
    rpcLaddr: of('comet')
      .map((one) => (one.startsWith('unix:') ? one : `tcp://${one}`))
      .join(','),
    ethAddress: eth,
    ethWsAddress: ethWs,
    apiAddress: rest,
    grpcAddress: grpc,
    controlAddress: control,
    prometheusAddress: metrics,
  }
}
