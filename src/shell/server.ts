/** Starts and stops the world, queue, time and listeners of a server. */
import { randomUUID } from 'node:crypto'
import type { NodeKey } from '../node/world.ts'
import type { Plan } from '../plan/plan.ts'
import { firstBlock } from './fork/firstBlock.ts'
import { forkedApart } from './fork/forkedApart.ts'
import type { Fork } from './fork/forkParts.ts'
import type { Playing } from './playback.ts'
import { durationMs } from '../settings/duration.ts'
import type { Settings } from '../settings/settings.ts'
import { allOf } from '../data/work.ts'
import { artifactWarnings } from './artifactFolders.ts'
import { begin, noteKeys, startingNow, type Beginning } from './beginning.ts'
import type { ControlledProcess } from './control/controlled.ts'
import { assertLoopback, createControl } from './control/server.ts'
import { createDoors, createServers } from './doors.ts'
import { type Continued, settingsToContinue, takeInMissed } from './continuing.ts'
import type { Exchange } from './exchanges.ts'
import type { FleetOptions } from './fleet/options.ts'
import type { Fleet } from './fleet/fleet.ts'
import { createGrpcDoor } from './grpc/door.ts'
import { createHttp, type HttpOptions } from './http.ts'
import { createInstance } from './instance.ts'
import type { Keeping } from './inputLog/keeping.ts'
import { listen } from './transport/listen.ts'
import type { FleetMeasure } from './fleet/figures.ts'
import type { Metrics } from './metrics/metrics.ts'
import { packageVersion } from './packageFiles.ts'
import { createProblems, type Problems } from './problems.ts'
import type { Queue, Sinks } from './queue.ts'
import { createSessionsBegin, type SessionsBegin } from './sessionsBegin.ts'
import { createSessions, type Sessions } from './sessions.ts'
import { readTls } from './transport/tls.ts'
import { attachSockets } from './ws.ts'
import { type Listener, type Urls, doorsOf, servesGrpc, listenerUrls } from './urls.ts'
import type { Instance } from './ports.ts'
import type { Simulation } from '../simulation/turn.ts'

export type Running = {
  readonly urls: Urls
  /** Returns the addresses of a session. */
  readonly urlsOf: (session: string) => Urls
  readonly listeners: readonly Listener[]
  readonly settings: Settings
  readonly keys: readonly NodeKey[]
  readonly simulation: () => Simulation
  readonly enter: Queue['enter']
  /** Enters an operator's command. */
  readonly operate: Instance['operate']
  readonly main: Instance
  readonly sessions: Sessions
  readonly fleet: Fleet | undefined
  /** The current errors in saved files, for the dashboard. */
  readonly problems: Problems
  /** Moves simulation time forward if it stands still (`pace: manual`), in milliseconds. */
  readonly advance: Instance['advance']
  /** The world of the chain, and its simulation before the first input. */
  readonly beginning: Beginning
  /** Lets sessions that are created from now on begin with another plan and settings. */
  readonly sessionsBeginWith: SessionsBegin['with']
  /** Closes every connection and listener; a code is sent to WebSockets when they close. */
  readonly close: (code?: number) => Promise<void>
}

export type RunOptions = {
  readonly settings: Settings
  readonly plan: Plan
  readonly genesis: string | undefined
  /** The folder in which clients may have files written. */
  readonly home: string | undefined
  readonly log: Sinks['log']
  readonly record: Sinks['record']
  /** Whether `record` writes a recording. */
  readonly isRecorded?: boolean
  /** Reloads the scenario, or undoes a reload. Responses then name their generation. */
  readonly reload?: ControlledProcess['reload']
  readonly saveFault?: ControlledProcess['saveFault']
  /** The beginning of the chain if it is already prepared; `settings` and `plan` are those of it. */
  readonly beginning?: Beginning | undefined
  /** A saved simulation to continue from. */
  readonly state?: Simulation | undefined
  /** Returns the files of the scenario by path; their ABIs are used to decode logs. */
  readonly artifacts?: () => ReadonlyMap<string, string>
  /** Ends the process: at a request to the control port, or `failed`, because nothing serves any more. */
  readonly stop?: (why?: 'failed') => void
  /** The playback of a recording that answers instead of the chain. */
  readonly playing?: Playing
  /** Called for every answered request. */
  readonly onAnswer?: (exchange: Exchange) => void
  /** Called with a saved simulation before the main chain continues from it. */
  readonly onResume?: (saved: Simulation) => void
  /** The chain that this chain is forked from. */
  readonly forking?: Fork
  /** The fleet to join. */
  readonly fleet?: FleetOptions | undefined
  /** Saves the main chain beyond the end of the process. */
  readonly keeping?: Keeping | undefined
}

const noFiles: ReadonlyMap<string, string> = new Map()

/**
 * Starts a server and resolves when every listener is open. Rejects with the error of an invalid
 * genesis, address or port, and then leaves nothing open.
 */
export async function run(options: RunOptions): Promise<Running> {
  const { plan, genesis } = options
  const { settings, noted } = settingsOf(options)
  const series = options.fleet && (await import('./metrics/fleetSeries.ts')).createFleetSeries()
  const fleet = series && (await joinFleet(options.fleet, options, series.measure))
  const prepared = fleet === undefined ? options.beginning : undefined
  const { world, first } = prepared ?? allOf(begin({ settings: fleet?.settings ?? settings, plan, genesis, noted }))
  noteKeys(first, options)
  const doors = createDoors((error) => options.log('error', error.message))
  const measures = settings.prometheus || settings.telemetryEnabled
  const createMetrics = measures ? (await import('./metrics/metrics.ts')).createMetrics : undefined
  const metrics = createMetrics?.({
    world,
    settings,
    simulation: () => main.simulation(),
    nowMs: Date.now,
    sessions: () => sessions.list().length,
    ...(fleet && { fleet: () => series?.families(fleet.figures()) ?? [] }),
  })
  const measured = { ...(metrics === undefined ? options : withMetrics(options, metrics)), fleet }
  options.keeping?.pause()
  const main = createInstance({
    ...{ ...measured, session: '', world, first, listen: doors.close },
    onResume: (saved) => {
      metrics?.resumed(saved)
      options.onResume?.(saved)
    },
  })
  const beginning = { settings, world, first }
  const sessionsBegin = createSessionsBegin(beginning, genesis, options.log)
  await goOn(main, options).catch(async (error: unknown) => {
    main.stop()
    await fleet?.close()
    throw error
  })
  const { queue, sockets } = main
  const sessions = createSessions({
    main,
    most: settings.maxSessions,
    expiryMs: Number(durationMs(settings.sessionExpiry)),
    log: options.log,
    fork: (name) => {
      const { world: own, first: begun } = sessionsBegin.now()
      return createInstance({
        ...{ ...measured, session: name, world: own, first: forkedApart(begun) },
        ...{ record: () => {}, onResume: () => {}, keeping: undefined, state: undefined },
      })
    },
    ...(fleet === undefined ? {} : { onEnd: fleet.remove, member: fleet.self }),
  })
  fleet?.onSession({ open: sessions.at, close: sessions.leave })
  const shared = {
    queue,
    settings: () => queue.simulation().node.settings,
    wallSeconds: () => Math.floor(Date.now() / 1000),
    log: options.log,
    sessions,
    tellsGeneration: options.reload !== undefined,
    metrics,
  }
  const servers = createServers()
  const listeners: Listener[] = []
  const problems = createProblems()
  const controlledOf = (): ControlledProcess => ({
    main,
    sessions,
    fleet,
    scenarioFiles: options.artifacts ?? (() => noFiles),
    artifactFolders: settings.artifacts,
    version: world.version,
    log: options.log,
    instanceId: randomUUID(),
    pid: process.pid,
    urls: (session) => listenerUrls(listeners, session),
    problems: problems.list,
    onProblem: problems.onChange,
    ...(options.reload === undefined ? {} : { reload: options.reload }),
    ...(options.saveFault === undefined ? {} : { saveFault: options.saveFault }),
    stop: () => {
      setImmediate(() => options.stop?.())
      return { stopping: options.stop !== undefined }
    },
  })
  const close = async (code?: number) => {
    main.stop(code)
    sessions.stop(code)
    await Promise.all([servers.close(), fleet?.close()])
  }
  try {
    await main.joined
    if (settings.controlAddress !== '') assertLoopback(settings)
    const tls = await readTls(settings, options.home)
    for (const { serves, where } of doorsOf(settings)) {
      const door: HttpOptions = {
        ...shared,
        side: serves === 'ethWs' ? 'eth' : serves,
        ...(serves === 'comet' ? { tls } : {}),
        serves: serves === 'ethWs' ? 'sockets' : 'all',
      }
      const server = createHttp(door)
      servers.add(server)
      attachSockets(server, door, sockets)
      listeners.push({ serves, url: await listen(server, where) })
      doors.add(serves, server)
    }
    if (servesGrpc(settings)) {
      const server = createGrpcDoor(shared)
      servers.add(server)
      listeners.push({ serves: 'grpc', url: await listen(server, settings.grpcAddress) })
      doors.add('grpc', server)
    }
    if (metrics !== undefined && settings.prometheus && settings.prometheusAddress !== '') {
      const { createMetricsServer } = await import('./metrics/server.ts')
      const server = createMetricsServer(metrics, shared.settings)
      servers.add(server)
      listeners.push({ serves: 'metrics', url: await listen(server, settings.prometheusAddress) })
    }
    if (settings.controlAddress !== '') {
      for (const text of artifactWarnings(settings.artifacts)) options.log('warn', text)
      const server = createControl(controlledOf(), shared.settings)
      servers.add(server)
      listeners.push({ serves: 'control', url: await listen(server, settings.controlAddress) })
    }
    return {
      urls: listenerUrls(listeners),
      urlsOf: (session) => listenerUrls(listeners, session),
      listeners,
      problems,
      settings,
      keys: world.keyring,
      ...{ simulation: queue.simulation, enter: queue.enter, advance: main.advance, operate: main.operate },
      beginning,
      sessionsBeginWith: sessionsBegin.with,
      close,
      main,
      sessions,
      fleet,
    }
  } catch (error) {
    await close()
    throw error
  }
}

function settingsOf({ beginning, settings, state }: RunOptions): Continued {
  if (beginning !== undefined) return { settings: beginning.settings, noted: {} }
  return settingsToContinue(startingNow(settings), state?.node)
}

/**
 * Restores a saved state with what it has missed, waits for the fixtures and the first block of a fork, and
 * starts to save the chain.
 */
async function goOn(main: Instance, { state, forking, keeping, ...given }: RunOptions): Promise<void> {
  if (state !== undefined) {
    main.become(state)
    await takeInMissed(main, { ...given, state })
  }
  if (forking !== undefined) {
    await main.joined
    await firstBlock(main)
  }
  await keeping?.begin(main.simulation())
}

/** Joins a fleet. A member that cannot continue ends, so that its supervisor restarts it. */
async function joinFleet(
  fleet: FleetOptions,
  { settings, genesis, plan, log, stop }: RunOptions,
  measure: FleetMeasure,
): Promise<Fleet> {
  const { openFleet } = await import('./fleet/fleet.ts')
  const end = (why: string) => {
    log('error', `this member of the fleet stops: ${why}`)
    setImmediate(() => stop?.('failed'))
  }
  return openFleet(fleet, { version: packageVersion(), settings, genesis, plan: plan.digest }, { log, end, measure })
}

/** Returns options that also report every response and every input's simulation to metrics. */
function withMetrics(options: RunOptions, metrics: Metrics): RunOptions {
  return {
    ...options,
    onAnswer: (exchange) => {
      metrics.answered(exchange)
      options.onAnswer?.(exchange)
    },
    record: (input, outputs, simulation) => {
      options.record(input, outputs, simulation)
      metrics.saw(simulation)
    },
  }
}
