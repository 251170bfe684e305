/**
 * Where a bug can be planted into a storm. chainstage itself has no switches for that: each seam is
 * between two parts of it, or between it and its surroundings.
 */
import type { AppState } from '../../src/app/state.ts'
import type { LongRead } from '../../src/node/longRead.ts'
import type { World } from '../../src/node/world.ts'
import type { Disk } from '../../src/shell/durable/disk.ts'
import type { ForkSource } from '../../src/shell/fork/source.ts'
import type { FileLog } from '../../src/shell/inputLog/fileLog.ts'
import type { OpenSocket } from '../../src/shell/transport/peer.ts'
import type { Queue } from '../../src/shell/queue.ts'

export type Plant = {
  readonly disk?: (disk: Disk) => Disk
  readonly log?: (log: FileLog) => FileLog
  /** Of the chain, and of its replay. */
  readonly world?: (world: World) => World
  readonly enter?: (enter: Queue['enter']) => Queue['enter']
  readonly socket?: (socket: OpenSocket) => OpenSocket
  /** Between a fork and the chain that it continues. */
  readonly source?: (source: ForkSource) => ForkSource
  /** Of a long read, before a thread gets it; `now` is the state of the chain by then. */
  readonly read?: (job: LongRead, now: AppState) => LongRead
  /** Between the frames of a server and the client that reads them. */
  readonly receive?: (receive: (text: string) => void) => (text: string) => void
}
