/**
 * The chain that `chainstage start` persists: its location, how it continues, and how it is saved.
 */
import { join } from 'node:path'
import { counted } from '../../data/counted.ts'
import { SimError } from '../../errors.ts'
import { genesisChange, genesisNames, ownGenesis, settingLabel } from '../../settings/changes.ts'
import type { Settings } from '../../settings/settings.ts'
import { ForeignState, withoutConnections } from '../../simulation/resume.ts'
import type { Simulation } from '../../simulation/turn.ts'
import { lockPath } from '../durable/lock.ts'
import type { Keeping } from '../inputLog/keeping.ts'
import type { Sinks } from '../queue.ts'
import type { StartOptions } from './startFlags.ts'

export type KeptChain = {
  readonly path: string
  readonly keeping: Keeping
  /** The simulation to continue from; undefined if no chain has been saved yet. */
  readonly state: Simulation | undefined
  /** Resolves when the state file holds the simulation and no log is needed. */
  readonly finish: (simulation: Simulation) => Promise<void>
  /** Releases the lock and leaves the files as they are. */
  readonly release: () => void
}

/** Path of the state file within a home. */
const inHome = join('data', 'chainstage.state')

/**
 * Returns the path of the state file, from `--state` or the home; undefined if the chain is not
 * persisted. A fleet stores its chain in its stream, and a playback does not change its recording.
 * Throws `NothingKept`.
 */
export function keptPath({ state, fleet, playback, durability }: StartOptions, home: string | undefined) {
  if (durability !== undefined && (state ?? home) === undefined) throw new NothingKept()
  if (durability === 'none' || fleet !== undefined || playback !== undefined) return undefined
  return state ?? (home === undefined ? undefined : join(home, inHome))
}

/**
 * Resolves with the chain of a state file and its log, and locks the file. A file of `--state` ends
 * up with the whole chain, one in a home refers to the history beside it. Throws `InUse`,
 * `CannotWrite`, `BadState`, `BrokenLog`, `BrokenHistory`, `ForeignLog` and `OtherOutcome`.
 */
export async function openKeptChain(
  path: string,
  { durability, state }: Pick<StartOptions, 'durability' | 'state'>,
  say: Sinks['log'],
): Promise<KeptChain> {
  const lock = lockPath(path)
  try {
    // Not loaded for chains that are not persisted.
    const { openFileLog } = await import('../inputLog/fileLog.ts')
    const { createKeeping } = await import('../inputLog/keeping.ts')
    const { replayLog } = await import('../inputLog/replayLog.ts')
    const { referring } = await import('../inputLog/storedHistory.ts')
    const { bytesOfState, stateBytes, withPath } = await import('../stateFile.ts')
    const log = await openFileLog(path, { durability: durability === 'write' ? 'write' : 'fsync', say })
    const found = await withPath(path, () => replayLog(log))
    if (found !== undefined) say('info', continuedText(path, found))
    return {
      path,
      keeping: createKeeping({ log, say }),
      state: found === undefined ? undefined : withoutConnections(found.simulation),
      finish: async (simulation) => {
        const ended = referring(withoutConnections(simulation), log.history)
        await log.finish(state === undefined ? bytesOfState(ended.state, ended.parts) : stateBytes(simulation))
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
  const from = inputs === 0 ? '' : ` and ${counted(inputs, 'input')} of its log`
  return `continued from height ${simulation.node.chain.height} (${path}${from})`
}

/**
 * Resolves when the process is asked to stop and every input until then is on disk. Resolves with
 * the error if inputs can no longer be saved.
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

type Kept = Pick<KeptChain, 'path' | 'state'>

type Given = { readonly settings: Settings; readonly isFork: boolean }

/** Returns the reason why a persisted chain cannot be served as it was started, with advice about its files. */
export function whyNotContinued(error: unknown, kept: Kept, given: Given): unknown {
  return error instanceof ForeignState ? new KeptOtherwise(kept, given, error) : error
}

/** Returns the advice how to start the kept chain. */
function adviceOn(kept: Kept, { settings, isFork }: Given): string {
  const wasFork = kept.state?.node.chain.app.forked !== undefined
  if (wasFork && !isFork) return 'The kept chain is a fork: start with its --fork.'
  if (isFork && !wasFork) return 'The kept chain is not a fork: start without --fork.'
  const changed = differences(kept, settings)
  if (changed.length === 0) return 'Start with the genesis document that it was made with, and a fork with its --fork.'
  return `These settings have changed: ${changed.join(', ')}. Start with those of the kept chain.`
}

/** Returns the settings of another genesis than that of the kept chain, with both values. */
function differences({ state }: Kept, given: Settings): readonly string[] {
  if (state === undefined) return []
  const { settings } = state.node
  const changed = genesisChange(settings, { ...given, ...ownGenesis(state.node, given) })
  return genesisNames
    .filter((name) => name in changed)
    .map((name) => {
      const [now, was] = [given[name], settings[name]].map((value) => JSON.stringify(value))
      return name === 'mnemonic' ? settingLabel(name) : `${settingLabel(name)} (${now}, and ${was} in the kept chain)`
    })
}

/** Thrown when the persisted chain has a different genesis. */
class KeptOtherwise extends SimError {
  constructor(kept: Kept, given: Given, cause: ForeignState) {
    const { path } = kept
    super(cause.code, `${path}: ${cause.message}`, {
      cause,
      hint: `${adviceOn(kept, given)} Or move ${path} and the files beside it away to begin a new chain.`,
    })
  }
}

/** Thrown for `--load-state` with a chain that has already been persisted. */
export class StateIsKept extends SimError {
  constructor(path: string) {
    super('BAD_SETTING', `${path} holds a chain already, so --load-state cannot load another one`, {
      hint: `Leave --load-state out, or move ${path} and the files beside it away.`,
    })
  }
}

/** Thrown for `--durability` without `--state` or a home. */
class NothingKept extends SimError {
  constructor() {
    super('BAD_SETTING', 'expected --state or --home beside --durability, received neither', {
      hint: 'Give --state FILE to keep the chain in a file.',
    })
  }
}
