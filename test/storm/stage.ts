/**
 * A whole node in one process: the real queue, keeper, log of inputs, sockets and sessions, on a
 * disk in memory and with a clock that is moved.
 */
import type { Input, InputBody } from '../../src/plan/input.ts'
import type { Output, ReplyOutput } from '../../src/node/output.ts'
import { createInstance } from '../../src/shell/instance.ts'
import { openFileLog, type FileLog } from '../../src/shell/inputLog/fileLog.ts'
import { createKeeping, type Keeping } from '../../src/shell/inputLog/keeping.ts'
import { replayLog } from '../../src/shell/inputLog/replayLog.ts'
import type { Instance } from '../../src/shell/ports.ts'
import type { Queue } from '../../src/shell/queue.ts'
import { createSessions, type Sessions } from '../../src/shell/sessions.ts'
import { bytesOfState, stateBytes, simulationInFile } from '../../src/shell/stateFile.ts'
import { resumed, withoutConnections } from '../../src/simulation/resume.ts'
import type { Simulation } from '../../src/simulation/turn.ts'
import { createMemoryDisk, type MemoryDisk } from '../helpers/memoryDisk.ts'
import type { Draw } from '../helpers/randomTx.ts'
import { beginningOf, type Climate, lived, replaying, stormSettings } from './climate.ts'
import { forkName, openStormFork, type StormFork } from './fork.ts'
import { createReadThreads, type ReadThreads } from './longReads.ts'
import { createPast, type Past } from './past.ts'
import type { Plant } from './plants.ts'

const path = '/home/data/chainstage.state'

/** One life of the process. */
export type Life = {
  readonly main: Instance
  readonly sessions: Sessions
  readonly pasts: Map<string, Past>
  readonly enter: Queue['enter']
  readonly keeping: Keeping
  readonly log: FileLog
  readonly threads: ReadThreads
  /** The chain that continues the main chain, if one was opened. */
  fork: StormFork | undefined
}

export type Stage = {
  readonly life: () => Life
  readonly past: () => Past
  readonly disk: () => MemoryDisk
  readonly inputs: () => readonly Input[]
  /** Resolves when nothing is under way any more; with false, the process has ended. */
  readonly settle: () => Promise<boolean>
  /** Begins the next life after a crash. */
  readonly recover: (isPower: boolean) => Promise<void>
  /** Stops as Ctrl-C does; resolves with whether it did. */
  readonly stop: () => Promise<boolean>
  /** Takes the place of the chain by a saved one. */
  readonly become: (saved: Saved) => void
  /** Opens a fork of the main chain at its height, in place of an earlier one. */
  readonly fork: () => Promise<void>
  /** The chain of a name: '' is the main chain. */
  readonly chainAt: (name: string) => Instance
  readonly end: () => void
}

/** A saved chain: a state file, and what a replay leads to. */
export type Saved = { readonly lived: Buffer; readonly replayed: Simulation }

/** Told of all that happens on the main chain. */
export type Watcher = {
  readonly saw: (input: Input, outputs: readonly Output[], before: Simulation, after: Simulation) => void
  readonly log: (level: string, text: string) => void
}

export type StageOptions = { readonly draw: Draw; readonly climate: Climate; readonly plant: Plant }

/** Resolves with a node that serves, on a new disk. */
export async function openStage({ draw, climate, plant }: StageOptions, watcher: Watcher): Promise<Stage> {
  const { lived: firstLived, replayed: firstReplayed } = beginningOf(climate)
  const world = plant.world?.(lived.world) ?? lived.world
  const other = plant.world?.(replaying.world) ?? replaying.world
  let disk = createMemoryDisk(draw)
  const past = createPast(other, firstReplayed)
  const inputs: Input[] = []
  let sequence = 0
  let isBecoming = false
  let life = await begin()

  async function begin(): Promise<Life> {
    for (;;) {
      const started = await Promise.race([start(), disk.crashed])
      if (started !== undefined) return started
      disk = disk.afterCrash()
    }
  }

  async function start(): Promise<Life> {
    const log = await openFileLog(path, { disk: plant.disk?.(disk) ?? disk })
    const found = await replayLog(log, () => world)
    past.survived(log.last(), found?.simulation)
    sequence = log.last()
    const pasts = new Map([['', past]])
    const planted = plant.log?.(log) ?? log
    const keeping = createKeeping({
      log: {
        ...planted,
        append: (entry) => {
          sequence = entry.sequence
          return planted.append(entry)
        },
        shorten: (snapshot) => {
          sequence = Math.max(sequence, snapshot.sequence)
          return planted.shorten(snapshot)
        },
      },
      say: watcher.log,
      shortenAfter: 30_000,
      snapshotOf: ({ state, parts }) => Promise.resolve(bytesOfState(state, parts)),
    })
    let isBegun = false
    const boot = createPast(other, firstReplayed)
    let before = firstLived
    const { ethereum } = other
    if (ethereum === undefined) throw new Error('a storm needs an EVM')
    const threads = createReadThreads(ethereum, plant.read ?? ((job) => job))
    keeping.pause()
    const main = createInstance({
      ...{ session: '', world, first: firstLived, home: undefined, log: watcher.log, keeping },
      ...{ pace: 'manual', perform: threads.perform },
      record: (input, outputs, after) => {
        inputs.push(input)
        const to = isBegun ? past : boot
        to.entered(input, outputs, sequence)
        // The first input after a saved chain was taken up made none of its blocks.
        if (isBegun) watcher.saw(input, outputs, isBecoming ? after : before, after)
        isBecoming = false
        before = after
      },
    })
    if (found !== undefined) {
      boot.became(resumed(other, boot.replayed(), withoutConnections(past.replayed())))
      main.become(withoutConnections(found.simulation))
    }
    isBegun = true
    past.became(boot.replayed(), log.last() + 1)
    await keeping.begin(main.simulation())
    past.toldNow()
    const sessions = createSessions({
      main,
      most: stormSettings.maxSessions,
      expiryMs: 0,
      log: watcher.log,
      fork: (name) => {
        const own = createPast(other, firstReplayed)
        pasts.set(name, own)
        return createInstance({
          ...{ session: name, world, first: firstLived, home: undefined, log: watcher.log, pace: 'manual' },
          record: (input, outputs) => own.entered(input, outputs, 0),
        })
      },
    })
    const enter = plant.enter?.(main.enter) ?? main.enter
    return { main, sessions, pasts, enter, keeping, log, threads, fork: undefined }
  }

  function end(): void {
    life.sessions.stop()
    life.fork?.instance.stop()
    life.main.stop()
  }

  async function settle(): Promise<boolean> {
    for (let turn = 0; turn < 10_000; turn++) {
      await new Promise((go) => {
        setImmediate(go)
      })
      if (disk.hasCrashed()) return false
      const { node } = life.main.simulation()
      if ((node.mining ?? []).length > 0 || life.fork?.isAsking() === true) continue
      const isKept = await Promise.race([
        life.keeping.kept().then(
          () => true,
          () => false,
        ),
        disk.crashed.then(() => false),
      ])
      if (!isKept || ((node.mining ?? []).length === 0 && life.fork?.isAsking() !== true)) return isKept
    }
    throw new Error('the node has not come to rest')
  }

  return {
    life: () => life,
    past: () => past,
    disk: () => disk,
    inputs: () => inputs,
    settle,
    end,
    recover: async (isPower) => {
      end()
      disk = isPower ? disk.afterCrash() : disk.afterKill()
      life = await begin()
    },
    stop: async () => {
      const simulation = life.main.simulation()
      end()
      const finished = life.log.finish(stateBytes(simulation)).then(
        () => true,
        () => false,
      )
      const isDone = await Promise.race([finished, disk.crashed.then(() => false)])
      if (isDone) past.toldNow()
      return isDone
    },
    become: (saved) => {
      past.became(resumed(other, past.replayed(), saved.replayed), sequence + 1)
      isBecoming = true
      life.main.become(simulationInFile(saved.lived))
    },
    fork: async () => {
      const { main, pasts } = life
      life.fork?.instance.stop()
      const upstream = main.simulation()
      life.fork = await openStormFork({ world, other, upstream, log: watcher.log, source: plant.source })
      pasts.set(forkName, life.fork.past)
    },
    chainAt: (name) => {
      const { main, sessions, fork } = life
      return name === forkName ? (fork?.instance ?? main) : (sessions.find(name) ?? main)
    },
  }
}

export type Request = Extract<InputBody, { kind: 'request' }>
export type Answered = (reply: ReplyOutput) => void
