/**
 * Where a bug can be planted into a storm. chainstage itself has no switches for that: each seam is
 * between two parts of it, or between it and its surroundings.
 */
import type { World } from '../../src/node/world.ts'
import type { Disk } from '../../src/shell/durable/disk.ts'
import type { InputLog } from '../../src/shell/inputLog/inputLog.ts'
import type { OpenSocket } from '../../src/shell/peer.ts'
import type { Queue } from '../../src/shell/queue.ts'

export type Plant = {
  readonly disk?: (disk: Disk) => Disk
  readonly log?: (log: InputLog) => InputLog
  /** Of the chain, and of its replay. */
  readonly world?: (world: World) => World
  readonly enter?: (enter: Queue['enter']) => Queue['enter']
  readonly socket?: (socket: OpenSocket) => OpenSocket
  /** Between the frames of a server and the client that reads them. */
  readonly receive?: (receive: (text: string) => void) => (text: string) => void
}
