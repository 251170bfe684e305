/** What a fleet has on its NATS server, read by other means than its own. */
import { jetstreamManager } from '@nats-io/jetstream'
import { Objm } from '@nats-io/obj'
import { connect } from '@nats-io/transport-node'

export type FleetStored = {
  /** The numbers of the first and last entry in the log of the main chain. */
  readonly first: number
  readonly last: number
  readonly entryBytes: number
  /** The sizes of the snapshots in bytes. */
  readonly snapshots: readonly number[]
}

/** Resolves with the log and the snapshots of a fleet with one chain. */
export async function fleetStored(url: string, name: string): Promise<FleetStored> {
  const connection = await connect({ servers: url })
  try {
    const jsm = await jetstreamManager(connection)
    const [log] = await jsm.streams.list(`chainstage.${name}.log.>`).next()
    const buckets = await new Objm(connection).list().next()
    const snapshots: number[] = []
    for (const { bucket } of buckets) {
      const store = await new Objm(connection).open(bucket)
      for (const { size } of await store.list()) snapshots.push(size)
    }
    if (log === undefined) throw new Error(`the fleet ${name} has no log`)
    const { first_seq: first, last_seq: last, bytes: entryBytes } = log.state
    return { first, last, entryBytes, snapshots }
  } finally {
    await connection.close()
  }
}
