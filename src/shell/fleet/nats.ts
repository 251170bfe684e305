/** What a fleet uses of NATS: its streams, its keys, its objects and its messages. */
import type { JetStreamClient, JetStreamManager } from '@nats-io/jetstream'
import type { KV } from '@nats-io/kv'
import type { ObjectStore } from '@nats-io/obj'
import type { NatsConnection } from '@nats-io/transport-node'
import { patiently } from './patience.ts'
import { BadFleet, connectToNats } from './connection.ts'
import type { FleetOptions } from './options.ts'

export type Nats = {
  readonly connection: NatsConnection
  readonly js: JetStreamClient
  readonly jsm: JetStreamManager
  readonly kv: KV
  readonly objects: ObjectStore
  readonly replicas: number
  /** Of an entry of a log, in bytes: what the server takes, less what surrounds it. */
  readonly entryMost: number
  readonly streamOf: (chain: string) => string
  /** `id` is that of the chain's log (`jetStreamLog.ts`). */
  readonly keyOf: (kind: 'snapshot' | 'leader', chain: string, id: string) => string
  readonly subjectOf: (...words: readonly string[]) => string
}

const namePattern = /^[A-Za-z0-9_-]{1,32}$/

/** Resolves when everything a fleet uses is open. Throws `BadFleet` and `FleetUnreachable`. */
export async function openNats(options: FleetOptions, program: string): Promise<Nats> {
  const { name } = options
  if (!namePattern.test(name)) {
    throw new BadFleet(`expected --fleet-name of letters, digits, - and _, received ${JSON.stringify(name)}`)
  }
  const connection = await connectToNats(options, program)
  const [{ jetstream, jetstreamManager }, { Kvm }, { Objm }] = await Promise.all([
    import('@nats-io/jetstream'),
    import('@nats-io/kv'),
    import('@nats-io/obj'),
  ])
  try {
    const replicas = options.replicas ?? (connection.info?.cluster === undefined ? 1 : 3)
    const jsm = await patiently(() => jetstreamManager(connection))
    const bucket = `chainstage_${name}`
    return {
      connection,
      js: jetstream(connection),
      jsm,
      // A replica may be behind: only the server that leads the bucket tells its newest value.
      kv: await patiently(() => new Kvm(connection).create(bucket, { history: 1, replicas, allow_direct: false })),
      objects: await patiently(() => new Objm(connection).create(bucket, { replicas })),
      replicas,
      entryMost: (connection.info?.max_payload ?? 1 << 20) - 16_384,
      streamOf: (chain) => `chainstage_${name}_${wordOf(chain)}`,
      keyOf: (kind, chain, id) => `${kind}.${wordOf(chain)}.${id}`,
      subjectOf: (...words) => ['chainstage', name, ...words].join('.'),
    }
  } catch (error) {
    await connection.close()
    throw error
  }
}

/** Returns the word for a chain: names of sessions may have dots, which separate words in NATS. */
export function wordOf(chain: string): string {
  return chain === '' ? 'main' : `s-${chain.replaceAll('_', '__').replaceAll('.', '_-')}`
}
