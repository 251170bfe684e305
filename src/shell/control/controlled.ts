/** What the control port knows of the process beside its chains. */
import type { Abis } from './abis.ts'
import type { Fleet } from '../fleet/fleet.ts'
import type { Problem } from '../problems.ts'
import type { Sources } from './sourceMaps.ts'
import type { Sinks } from '../queue.ts'
import type { Sessions } from '../sessions.ts'
import type { Urls } from '../urls.ts'
import type { Reloaded, Instance } from '../ports.ts'

export type Controlled = {
  readonly main: Instance
  readonly sessions: Sessions
  /** The fleet that this process is a member of. */
  readonly fleet: Fleet | undefined
  readonly version: string
  readonly log: Sinks['log']
  /** Another one for every start. */
  readonly instanceId: string
  readonly pid: number
  readonly urls: (session: string) => Urls
  /** What logs are named by. */
  readonly abis: Abis
  /** The source maps of the folders of `--artifacts`. */
  readonly sources: () => Sources
  readonly problems: () => readonly Problem[]
  readonly onProblem: (listener: () => void) => () => void
  /**
   * Takes the saved scenario in again, or goes back to the set before; absent where none is
   * watched.
   */
  readonly reload?: (undo: boolean) => Promise<Reloaded>
  /** Adds a fault to the file of the scenario; absent where none is watched. */
  readonly saveFault?: (name: string, rule: unknown) => Promise<{ readonly path: string }>
  /** Asks the process to end. */
  readonly stop: () => { readonly stopping: boolean }
}
