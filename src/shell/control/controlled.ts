/** The process that the control port controls, apart from its chains. */
import type { Abis } from './abis.ts'
import type { Fleet } from '../fleet/fleet.ts'
import type { Problem } from '../problems.ts'
import type { SoliditySources } from './sourceMaps.ts'
import type { Sinks } from '../queue.ts'
import type { Sessions } from '../sessions.ts'
import type { Urls } from '../urls.ts'
import type { Reloaded, Instance } from '../ports.ts'

export type Controlled = ControlledProcess & {
  /** The ABIs that logs and calls are decoded with. */
  readonly abis: Abis
  /** Returns the source maps found in the folders of `--artifacts`. */
  readonly sources: () => SoliditySources
}

/** What a process brings; ABIs and source maps are read from compiled contracts once somebody asks for them. */
export type ControlledProcess = {
  readonly main: Instance
  readonly sessions: Sessions
  /** The fleet of this process; undefined outside a fleet. */
  readonly fleet: Fleet | undefined
  readonly version: string
  readonly log: Sinks['log']
  /** A new id for every start of the process. */
  readonly instanceId: string
  readonly pid: number
  readonly urls: (session: string) => Urls
  /** Returns the files of the scenario by path, among them compiled contracts. */
  readonly scenarioFiles: () => ReadonlyMap<string, string>
  /** The folders of `--artifacts`. */
  readonly artifactFolders: readonly string[]
  readonly problems: () => readonly Problem[]
  readonly onProblem: (listener: () => void) => () => void
  /**
   * Reloads the saved scenario or, with `undo`, reloads the previous version. Absent if no scenario
   * is watched.
   */
  readonly reload?: (undo: boolean) => Promise<Reloaded>
  /** Adds a fault to the scenario file. Absent if no scenario is watched. */
  readonly saveFault?: (name: string, rule: unknown) => Promise<{ readonly path: string }>
  /** Asks the process to exit. */
  readonly stop: () => { readonly stopping: boolean }
}
