/** A server that hot-reloads its scenario and restarts where a change needs it. */
import type { Settings } from '../settings/settings.ts'
import { createInputs, createRebase, type Inputs, type Rebase, type Rebased } from './rebase.ts'
import { saveFault } from './saveFault.ts'
import { createReloader, type OnHistoryChange, type Reloader } from './reloader.ts'
import type { Loaded } from './scenarioFiles.ts'
import { begin, startingNow, type Beginning } from './beginning.ts'
import { inTurns } from './turns.ts'
import { run, type Running, type RunOptions } from './server.ts'
import { watchScenario } from './watch.ts'
import type { Listener } from './urls.ts'
import { noPlan } from '../plan/plan.ts'

export type ServingOptions = Omit<RunOptions, 'plan' | 'reload'> & {
  /** The scenario, and the path that it was read from. */
  readonly scenario: { readonly path: string; readonly loaded: Loaded } | undefined
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

/** Starts to serve. Rejects with the error of an invalid genesis, address or port. */
export async function serve(serving: ServingOptions): Promise<Serving> {
  const { scenario, watches, onHistoryChange, settingsOf, genesisOf, state, ...options } = serving
  // A fork cannot be rebased, because the remote state that it has fetched is not an input.
  const isKept = onHistoryChange === 'rebase' && options.forking === undefined
  const inputs = isKept ? createInputs() : undefined
  const start = (loaded: Loaded | undefined, more: More): Promise<Running> =>
    run({
      ...options,
      ...more,
      plan: loaded?.plan ?? noPlan,
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
  const documentOf = async (settings: Settings) => (genesisOf === undefined ? options.genesis : genesisOf(settings))
  const prepare = async ({ plan }: Loaded, settings: Settings): Promise<Beginning> => {
    // A rebased chain keeps the start of the old one, from which the times of the inputs count.
    const began = inputs?.past() !== undefined && settings.startTimeMs === 0 ? startOf(running) : {}
    const now = startingNow({ ...settings, ...began, ...addressesOf(running.listeners) })
    const generation = running.simulation().progress.generation + 1
    return inTurns(begin({ settings: now, plan, genesis: await documentOf(now), generation }))
  }
  const restart = async (loaded: Loaded, beginning: Beginning): Promise<void> => {
    const past = inputs?.past()
    const rebase = past === undefined ? undefined : createRebase(beginning, past)
    const heightNow = () => running.simulation().node.chain.height
    // The old chain serves until the new chain has replayed its inputs.
    await rebase?.catchUp(heightNow, options.log)
    const [before, height] = [running, heightNow()]
    await before.close(serviceRestart)
    try {
      const from = inputs === undefined ? undefined : withPast(inputs, rebase, height)
      for (const note of from?.notes ?? []) options.log('warn', note)
      running = await start(loaded, { beginning, settings: beginning.settings, state: from?.simulation })
      served = loaded
    } catch (error) {
      inputs?.goOn(past)
      running = await start(served, { ...again(before), genesis: await documentOf(before.settings) })
      throw error
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
          restart,
        })
  let served = scenario?.loaded
  let running = await start(served, { settings: options.settings, state })
  const teller = { problems: () => running.problems, log: options.log }
  const watching =
    scenario === undefined || reloader === undefined || !watches
      ? undefined
      : await watchScenario(scenario.path, reloader, teller)
  return {
    running: () => running,
    reloader,
    close: async () => {
      await watching?.close()
      await reloader?.settled()
      await running.close()
    },
  }
}

type More = Pick<RunOptions, 'settings' | 'state' | 'beginning'> & Partial<Pick<RunOptions, 'genesis'>>

/** Returns what starts a closed server again: with the state that it had, unless a recording or a fleet holds it. */
function again({ settings, listeners, simulation, main, fleet }: Running): More {
  const isElsewhere = main.playback !== undefined || fleet !== undefined
  return {
    settings: { ...settings, ...addressesOf(listeners) },
    ...(isElsewhere ? {} : { state: simulation() }),
  }
}

function startOf({ settings: { startTimeMs } }: Running): Partial<Settings> {
  return { startTimeMs }
}

/** Returns the chain after the replay, or only a note if the inputs were too large to keep. */
function withPast(inputs: Inputs, rebase: Rebase | undefined, height: bigint): Partial<Rebased> {
  const from = inputs.past() === undefined ? undefined : rebase?.finish(height)
  inputs.goOn(from?.past ?? [])
  return (
    from ?? {
      notes: ['there are too many inputs to replay: the chain starts without them'],
    }
  )
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
