/**
 * A server that takes its saved scenario in while it serves, and begins again where that is needed.
 */
import type { Settings } from '../settings/settings.ts'
import { createInputs, rebased, type Inputs, type Rebased, type Rebasing } from './rebase.ts'
import { createReloader, type OnHistoryChange, type Reloader } from './reloader.ts'
import type { Loaded } from './scenarioFiles.ts'
import { createSimulation } from '../simulation.ts'
import { createWorld } from './world.ts'
import { run, type Listener, type Running, type RunOptions } from './server.ts'
import { noPlan } from './start.ts'
import { watchScenario } from './watch.ts'

export type ServingOptions = Omit<RunOptions, 'plan' | 'reload'> & {
  /** What is followed, and where it was read. */
  readonly scenario: { readonly path: string; readonly loaded: Loaded } | undefined
  readonly watches: boolean
  readonly onHistoryChange: OnHistoryChange
  readonly settingsOf: (scenario: Partial<Settings>) => Promise<Settings>
}

export type Serving = {
  /** What serves now; another one after a restart. */
  readonly running: () => Running
  readonly reloader: Reloader | undefined
  readonly close: () => Promise<void>
}

/** What WebSockets are told when the chain begins again (RFC 6455: service restart). */
const serviceRestart = 1012

/** Resolves when it serves. Throws what refuses genesis, address or port. */
export async function serve(serving: ServingOptions): Promise<Serving> {
  const { scenario, watches, onHistoryChange, settingsOf, state, ...options } = serving
  // What a fork has learned of its other chain is no input.
  const isKept = onHistoryChange === 'rebase' && options.forking === undefined
  const inputs = isKept ? createInputs() : undefined
  const start = (settings: Settings, loaded: Loaded | undefined, begin: Begin): Promise<Running> =>
    run({
      ...options, ...begin, settings, plan: loaded?.plan ?? noPlan,
      ...(reloader === undefined ? {} : { artifacts: reloader.files }),
      record: (input, outputs, simulation) => {
        inputs?.record(input, outputs, simulation)
        options.record(input, outputs, simulation)
      },
      ...(reloader === undefined || !watches ? {} : {
        reload: (undo) => undo ? reloader.undo() : reloader.reload(),
      }),
    })
  const restart = async (loaded: Loaded, settings: Settings): Promise<void> => {
    const again = { ...settings, ...addressesOf(running.listeners) }
    const { progress, node: { chain: { height } } } = running.simulation()
    const generation = progress.generation + 1
    await running.close(serviceRestart)
    const { genesis } = options
    const from = inputs === undefined ? undefined
      : withPast(inputs, { settings: again, genesis, plan: loaded.plan, height, generation })
    for (const note of from?.notes ?? []) options.log('warn', note)
    running = await start(again, loaded, { generation, state: from?.simulation })
  }
  const reloader = scenario === undefined ? undefined : createReloader({
    ...scenario, running: () => running, settingsOf, onHistoryChange, log: options.log, restart,
    assertStarts: ({ plan }, settings) => {
      const { world, genesis } = createWorld(settings, options.genesis)
      createSimulation(world, { settings, genesis, plan })
    },
  })
  let running = await start(options.settings, scenario?.loaded, { state })
  const teller = { problems: () => running.problems, log: options.log }
  const watching = scenario === undefined || reloader === undefined || !watches
    ? undefined : await watchScenario(scenario.path, reloader, teller)
  return {
    running: () => running, reloader,
    close: async () => {
      await watching?.close()
      await running.close()
    },
  }
}

type Begin = Pick<RunOptions, 'state' | 'generation'>

/** Returns the chain that begins with the inputs so far; nothing where they were too many. */
function withPast(inputs: Inputs, rebasing: Omit<Rebasing, 'past'>): Partial<Rebased> {
  const past = inputs.past()
  const from = past === undefined ? undefined : rebased({ ...rebasing, past })
  inputs.goOn(from?.past ?? [])
  return from ?? {
    notes: ['too much was entered to do it again: the chain begins without its past'],
  }
}

/** The ports that were free once are kept: clients come back to where they were. */
function addressesOf(listeners: readonly Listener[]): Partial<Settings> {
  const of = (kind: Listener['serves']) => listeners.filter(({ serves }) => serves === kind)
    .map(({ url }) => url.replace(/^https?:\/\//, ''))
  const [eth = ''] = of('eth')
  const [ethWs = ''] = of('ethWs')
  const [control = ''] = of('control')
  return {
    rpcLaddr: of('comet').map((one) => one.startsWith('unix:') ? one : `tcp://${one}`).join(','),
    ethAddress: eth, ethWsAddress: ethWs, controlAddress: control,
  }
}
