/** The NATS resources of a fleet: streams, keys, objects and messages. */
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
  /** Maximum size of a log entry in bytes: the server's message limit minus overhead. */
  readonly entryMost: number
  readonly streamOf: (chain: string) => string
  /** `id` is the id of the chain's log (`jetStreamLog.ts`). */
  readonly keyOf: (kind: 'snapshot' | 'leader', chain: string, id: string) => string
  readonly subjectOf: (...words: readonly string[]) => string
}

const namePattern = /^[A-Za-z0-9_-]{1,32}$/

/** Resolves when all resources of the fleet are open. Throws `BadFleet` and `FleetUnreachable`. */
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
      // A replica may lag: only the server that leads the bucket has its newest value.
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

/**
 * Returns the subject token of a chain. Session names may contain dots, which separate tokens in
 * NATS.
 */
export function wordOf(chain: string): string {
  return chain === '' ? 'main' : `s-${chain.replaceAll('_', '__').replaceAll('.', '_-')}`
}
