/** The NATS resources of a fleet: streams, keys, objects and messages. */
import type { JetStreamClient, JetStreamManager } from '@nats-io/jetstream'
import type { KV, KvEntry } from '@nats-io/kv'
import type { ObjectStore } from '@nats-io/obj'
import type { NatsConnection } from '@nats-io/transport-node'
import { SimError } from '../../errors.ts'
import { patiently } from './patience.ts'
import { BadFleet, connectToNats } from './connection.ts'
import type { FleetOptions } from './options.ts'

export type Nats = {
  readonly connection: NatsConnection
  readonly js: JetStreamClient
  readonly jsm: JetStreamManager
  readonly kv: KV
  readonly objects: ObjectStore
  /** Deletes an object if it exists. */
  readonly forget: (object: string) => Promise<void>
  readonly replicas: number
  /** Maximum size of a log entry in bytes: the server's message limit minus overhead. */
  readonly entryMost: number
  readonly streamOf: (chain: string) => string
  /** `id` is the id of the chain's log (`jetStreamLog.ts`). */
  readonly keyOf: (kind: 'snapshot' | 'leader', chain: string, id: string) => string
  readonly subjectOf: (...words: readonly string[]) => string
}

const streamMissing = 10059
const wrongRevision = 10071
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
    const jsm = await patiently(() => jetstreamManager(connection))
    const bucket = `chainstage_${name}`
    // A replica may lag: only the server that leads the bucket has its newest value.
    const { kv, replicas } = await patiently(async () => {
      const count = await replicasOf(jsm, `KV_${bucket}`, options.replicas ?? defaultReplicas(connection))
      const asked = options.replicas ?? count
      if (asked !== count) throw new FleetDiffers(`its --fleet-replicas is ${count}, but this member has ${asked}`)
      const opened = await new Kvm(connection).create(bucket, { history: 1, replicas: count, allow_direct: false })
      return { kv: opened, replicas: count }
    })
    const objects = await patiently(() => new Objm(connection).create(bucket, { replicas }))
    return {
      connection,
      js: jetstream(connection),
      jsm,
      kv,
      objects,
      forget: async (object) => {
        await objects.delete(object)
        // The mark of a deleted object would keep all that was stored near it on the server's disk.
        const word = Buffer.from(object).toString('base64').replaceAll('+', '-').replaceAll('/', '_')
        await jsm.streams.purge(`OBJ_${bucket}`, { filter: `$O.${bucket}.M.${word}` })
      },
      replicas,
      entryMost: (connection.info?.max_payload ?? 1 << 20) - 16_384,
      streamOf: (chain) => `chainstage_${name}_${subjectWord(chain)}`,
      keyOf: (kind, chain, id) => `${kind}.${subjectWord(chain)}.${id}`,
      subjectOf: (...words) => ['chainstage', name, ...words].join('.'),
    }
  } catch (error) {
    await connection.close()
    throw error
  }
}

/** Resolves with the replicas of the fleet's bucket; `fallback` if no member has created it yet. */
async function replicasOf(jsm: JetStreamManager, stream: string, fallback: number): Promise<number> {
  const info = await jsm.streams.info(stream).catch(unlessMissing)
  return info?.config.num_replicas ?? fallback
}

function defaultReplicas({ info }: NatsConnection): number {
  return info?.cluster === undefined ? 1 : 3
}

/**
 * Returns the subject token of a chain. Session names may contain dots, which separate tokens in
 * NATS.
 */
export function subjectWord(chain: string): string {
  return chain === '' ? 'main' : `s-${chain.replaceAll('_', '__').replaceAll('.', '_-')}`
}

/** Resolves with whether the value of a key was replaced; false if it is no longer the entry. */
export async function replaced(
  kv: KV,
  { key, entry }: { readonly key: string; readonly entry: KvEntry | null },
  value: unknown,
): Promise<boolean> {
  try {
    if (entry === null) await kv.create(key, JSON.stringify(value))
    else await kv.update(key, JSON.stringify(value), entry.revision)
    return true
  } catch (error) {
    if (codeOf(error) !== wrongRevision) throw error
    return false
  }
}

/** Returns the code of a JetStream error; undefined for any other error. */
export function codeOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined
}

/** Rethrows an error unless it says that a stream does not exist. */
export function unlessMissing(error: unknown): undefined {
  if (codeOf(error) !== streamMissing) throw error
  return undefined
}

/** Thrown when this member would compute or keep a different chain from the rest of the fleet. */
export class FleetDiffers extends SimError {
  constructor(what: string) {
    super('FLEET_DIFFERS', `this member cannot join the fleet: ${what}`, {
      hint: 'Start every member with the same version, scenario and settings, or choose another --fleet-name.',
    })
  }
}
