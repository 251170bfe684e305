/**
 * A whole node in one process: the real queue, keeper, log of inputs, sockets and sessions, on a
 * disk in memory and with a clock that is moved.
 */
import { noPlan } from '../../src/plan/plan.ts'
import type { Input, InputBody } from '../../src/plan/input.ts'
import type { Output, ReplyOutput } from '../../src/node/output.ts'
import { profileSettings } from '../../src/settings/profiles.ts'
import type { Settings } from '../../src/settings/settings.ts'
import { createInstance } from '../../src/shell/instance.ts'
import { openFileLog, type FileLog } from '../../src/shell/inputLog/fileLog.ts'
import { createKeeping, type Keeping } from '../../src/shell/inputLog/keeping.ts'
import { replayLog } from '../../src/shell/inputLog/replayLog.ts'
import type { Instance } from '../../src/shell/ports.ts'
import type { Queue } from '../../src/shell/queue.ts'
import { createSessions, type Sessions } from '../../src/shell/sessions.ts'
import { bytesOfState, stateBytes } from '../../src/shell/stateFile.ts'
import { createWorld } from '../../src/shell/world.ts'
import { createSimulation } from '../../src/simulation.ts'
import { resumed, withoutConnections } from '../../src/simulation/resume.ts'
import type { Simulation } from '../../src/simulation/turn.ts'
import { createMemoryDisk, type MemoryDisk } from '../helpers/memoryDisk.ts'
import type { Draw } from '../helpers/randomTx.ts'
import { createPast, type Past } from './past.ts'
import type { Plant } from './plants.ts'

export const stormSettings: Settings = { ...profileSettings('local'), pace: 'manual', maxSessions: 3 }

/** Two worlds of the same settings, so that what one of them remembers is not known to the other. */
const [lived, replaying] = [createWorld(stormSettings), createWorld(stormSettings)]
const firstIn = ({ world, genesis }: typeof lived) =>
  createSimulation(world, { settings: stormSettings, genesis, plan: noPlan })
const [firstLived, firstReplayed] = [firstIn(lived), firstIn(replaying)]

const path = '/home/data/chainstage.state'

/** One life of the process. */
export type Life = {
  readonly main: Instance
  readonly sessions: Sessions
  readonly pasts: Map<string, Past>
  readonly enter: Queue['enter']
  readonly keeping: Keeping
  readonly log: FileLog
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
  readonly end: () => void
}

export type Saved = { readonly lived: Simulation; readonly replayed: Simulation }

/** Told of all that happens on the main chain. */
export type Watcher = {
  readonly saw: (input: Input, outputs: readonly Output[], before: Simulation, after: Simulation) => void
  readonly log: (level: string, text: string) => void
}

/** Resolves with a node that serves, on a new disk. */
export async function openStage(draw: Draw, plant: Plant, watcher: Watcher): Promise<Stage> {
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
    keeping.pause()
    const main = createInstance({
      ...{ session: '', world, first: firstLived, home: undefined, log: watcher.log, keeping },
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
          ...{ session: name, world, first: firstLived, home: undefined, log: watcher.log },
          record: (input, outputs) => own.entered(input, outputs, 0),
        })
      },
    })
    return { main, sessions, pasts, enter: plant.enter?.(main.enter) ?? main.enter, keeping, log }
  }

  function end(): void {
    life.sessions.stop()
    life.main.stop()
  }

  async function settle(): Promise<boolean> {
    for (let turn = 0; turn < 10_000; turn++) {
      await new Promise((go) => {
        setImmediate(go)
      })
      if (disk.hasCrashed()) return false
      const { node } = life.main.simulation()
      if ((node.mining ?? []).length > 0) continue
      const isKept = await Promise.race([
        life.keeping.kept().then(
          () => true,
          () => false,
        ),
        disk.crashed.then(() => false),
      ])
      if (!isKept || (node.mining ?? []).length === 0) return isKept
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
      life.main.become(saved.lived)
    },
  }
}

export type Request = Extract<InputBody, { kind: 'request' }>
export type Answered = (reply: ReplyOutput) => void
