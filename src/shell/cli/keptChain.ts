/** The chain that `chainstage start` keeps: where it is, how it goes on, and how it is saved. */
import { join } from 'node:path'
import { SimError } from '../../errors.ts'
import { ForeignState, withoutConnections } from '../../simulation/resume.ts'
import type { Simulation } from '../../simulation/turn.ts'
import { lockPath } from '../durable/lock.ts'
import type { Keeping } from '../inputLog/keeping.ts'
import type { Sinks } from '../queue.ts'
import { stateBytes } from '../stateFile.ts'
import type { StartOptions } from './startFlags.ts'

export type KeptChain = {
  readonly path: string
  readonly keeping: Keeping
  /** What the chain goes on from; undefined where nothing was kept yet. */
  readonly state: Simulation | undefined
  /** Resolves when the state file holds the simulation, and needs no log. */
  readonly finish: (simulation: Simulation) => Promise<void>
  /** Gives the files up as they are. */
  readonly release: () => void
}

/** Of a chain that is kept in a home, below its folder. */
const inHome = join('data', 'chainstage.state')

/**
 * Returns the state file of the chain that flags and home ask to keep; undefined where nothing is
 * kept. A fleet keeps its chain in its stream, and a recording that is played is not changed.
 */
export function keptPath({ state, fleet, playback, durability }: StartOptions, home: string | undefined) {
  if (durability !== undefined && (state ?? home) === undefined) throw new NothingKept()
  if (durability === 'none' || fleet !== undefined || playback !== undefined) return undefined
  return state ?? (home === undefined ? undefined : join(home, inHome))
}

/**
 * Resolves with the chain of a state file and its log, which nobody else writes from now on. Throws
 * `InUse`, `CannotWrite`, `BadState`, `BrokenLog`, `ForeignLog` and `OtherOutcome`.
 */
export async function openKeptChain(
  path: string,
  durability: StartOptions['durability'],
  say: Sinks['log'],
): Promise<KeptChain> {
  const lock = lockPath(path)
  try {
    // Chains that nobody keeps start without these.
    const { openFileLog } = await import('../inputLog/fileLog.ts')
    const { createKeeping } = await import('../inputLog/keeping.ts')
    const { replayLog } = await import('../inputLog/replayLog.ts')
    const log = await openFileLog(path, { durability: durability === 'write' ? 'write' : 'fsync' })
    const found = await replayLog(log)
    if (found !== undefined) say('info', continuedText(path, found))
    return {
      path,
      keeping: createKeeping({ log, say }),
      state: found === undefined ? undefined : withoutConnections(found.simulation),
      finish: async (simulation) => {
        await log.finish(stateBytes(simulation))
        lock.release()
      },
      release: lock.release,
    }
  } catch (error) {
    lock.release()
    throw error
  }
}

function continuedText(path: string, { simulation, inputs }: { simulation: Simulation; inputs: number }): string {
  const from = inputs === 0 ? '' : ` and ${inputs} ${inputs === 1 ? 'input' : 'inputs'} of its log`
  return `continued from height ${simulation.node.chain.height} (${path}${from})`
}

/**
 * Resolves when the process is asked to end and everything until then is kept, or with why nothing
 * can be kept any more.
 */
export async function untilNotKept(stopped: Promise<void>, { keeping }: KeptChain): Promise<unknown> {
  try {
    await Promise.race([stopped, keeping.failed])
    await keeping.kept()
    return undefined
  } catch (error) {
    return error
  }
}

/** Returns why a chain that is kept does not serve, with what to do about its files. */
export function whyNotContinued(error: unknown, { path }: KeptChain): unknown {
  return error instanceof ForeignState ? new KeptOtherwise(path, error) : error
}

/** The kept chain began from another genesis. */
class KeptOtherwise extends SimError {
  constructor(path: string, cause: ForeignState) {
    super(cause.code, `${path}: ${cause.message}`, {
      cause,
      hint:
        'Start with the profile, seed, accounts, validators and chain id that it was made with. ' +
        `Or move ${path} away to begin a new chain.`,
    })
  }
}

/** `--load-state` beside a chain that is kept already. */
export class StateIsKept extends SimError {
  constructor(path: string) {
    super('BAD_SETTING', `${path} holds a chain already, so --load-state cannot begin another one`, {
      hint: `Leave --load-state out, or move ${path} away.`,
    })
  }
}

/** `--durability` where nothing is kept. */
class NothingKept extends SimError {
  constructor() {
    super('BAD_SETTING', 'expected --state or --home beside --durability, received neither', {
      hint: 'Give --state FILE to keep the chain in a file.',
    })
  }
}
