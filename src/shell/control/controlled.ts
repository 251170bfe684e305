/** What the control port knows of the process beside its chains. */
import type { Instance } from '../instance.ts'
import type { Abis } from './abis.ts'
import type { Problem } from '../problems.ts'
import type { Reloaded } from '../reloader.ts'
import type { Sessions } from '../sessions.ts'
import type { Urls } from '../server.ts'

export type Controlled = {
  readonly main: Instance
  readonly sessions: Sessions
  readonly version: string
  /** Another one for every start. */
  readonly instanceId: string
  readonly pid: number
  readonly urls: (session: string) => Urls
  /** What logs are named by. */
  readonly abis: Abis
  readonly problems: () => readonly Problem[]
  readonly onProblem: (listener: () => void) => () => void
  /**
   * Takes the saved scenario in again, or goes back to the set before; absent where none is
   * watched.
   */
  readonly reload?: (undo: boolean) => Promise<Reloaded>
  /** Asks the process to end. */
  readonly stop: () => { readonly stopping: boolean }
}
