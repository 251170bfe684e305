/** Removes a fleet that has no members: the logs of its chains, its snapshots and its charter. */
import type { JetStreamManager } from '@nats-io/jetstream'
import { SimError } from '../../errors.ts'
import { connectToNats } from './connection.ts'
import { unlessMissing } from './nats.ts'
import type { FleetOptions } from './options.ts'
import { hasMembers } from './status.ts'

/** A removed fleet, and the number of its chains. */
export type Removed = { readonly name: string; readonly chains: number }

/** Resolves when nothing of the fleet is left. Throws `FleetInUse`, `NoFleet` and `FleetUnreachable`. */
export async function removeFleet(options: FleetOptions): Promise<Removed> {
  const { name } = options
  const connection = await connectToNats(options, 'chainstage fleet remove')
  try {
    if (await hasMembers(connection, `chainstage.${name}.status`)) throw new FleetInUse(name)
    const { jetstreamManager } = await import('@nats-io/jetstream')
    const jsm = await jetstreamManager(connection)
    const logs = await logsOf(jsm, name)
    // The charter goes last: if this is interrupted, the next try finds the rest.
    const [charter, ...others] = [`KV_chainstage_${name}`, `OBJ_chainstage_${name}`, ...logs]
    for (const stream of others) await jsm.streams.delete(stream).catch(unlessMissing)
    const isRemoved = (await jsm.streams.delete(charter).catch(unlessMissing)) === true
    if (!isRemoved && logs.length === 0) throw new NoFleet(name)
    return { name, chains: logs.length }
  } finally {
    await connection.close()
  }
}

async function logsOf(jsm: JetStreamManager, name: string): Promise<readonly string[]> {
  const names: string[] = []
  for await (const { config } of jsm.streams.list(`chainstage.${name}.log.>`)) names.push(config.name)
  return names
}

/** Thrown when a fleet to be removed still has members. */
class FleetInUse extends SimError {
  constructor(name: string) {
    super('FLEET_IN_USE', `fleet ${name} cannot be removed: it has members`, {
      hint: 'List them with chainstage fleet status, stop all of them, and try again.',
    })
  }
}

/** Thrown when the servers have no fleet of this name. */
class NoFleet extends SimError {
  constructor(name: string) {
    super('NO_FLEET', `there is no fleet ${name} on these servers`, {
      hint: 'Check --fleet and the name: it is the --fleet-name of the members.',
    })
  }
}
