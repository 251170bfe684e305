/** Snapshots of a chain in the Object Store. A key names the newest one and the one before it. */
import type { KvEntry } from '@nats-io/kv'
import type { Snapshot } from '../inputLog/inputLog.ts'
import { replaced, type Nats } from './nats.ts'

export type Snapshots = {
  readonly newest: () => Promise<Snapshot | undefined>
  /**
   * Stores a snapshot. Resolves with the number of the previous snapshot; undefined if there is
   * none, or if a newer one exists.
   */
  readonly keep: (snapshot: Snapshot) => Promise<number | undefined>
  readonly remove: () => Promise<void>
}

type Known = { readonly newest: number; readonly before?: number }

/** Returns the snapshots of the chain whose log has this id. */
export function createSnapshots({ kv, objects, forget, keyOf }: Nats, chain: string, id: string): Snapshots {
  const key = keyOf('snapshot', chain, id)
  const nameOf = (sequence: number) => `${key}.${sequence}`
  const known = async () => knownIn(await kv.get(key))
  return {
    newest: async () => {
      for (;;) {
        const at = await known()
        if (at === undefined) return undefined
        const bytes = await objects.getBlob(nameOf(at.newest))
        if (bytes !== null) return { sequence: at.newest, bytes }
        // It was replaced during the read, unless the key still names it.
        if ((await known())?.newest === at.newest) return undefined
      }
    },
    keep: async ({ sequence, bytes }) => {
      const entry = await kv.get(key)
      const at = knownIn(entry)
      if (at !== undefined && at.newest >= sequence) return undefined
      await objects.putBlob({ name: nameOf(sequence) }, bytes)
      // While this member was paused, others may have kept newer ones, and the entries before them are gone.
      if (
        !(await replaced(kv, { key, entry }, { newest: sequence, ...(at && { before: at.newest }) } satisfies Known))
      ) {
        const now = await known()
        if (now?.newest !== sequence && now?.before !== sequence) await forget(nameOf(sequence))
        return undefined
      }
      if (at?.before !== undefined) await forget(nameOf(at.before))
      return at?.newest
    },
    remove: async () => {
      const at = await known()
      for (const sequence of [at?.newest, at?.before]) {
        if (sequence !== undefined) await forget(nameOf(sequence)).catch(() => {})
      }
      await kv.delete(key)
    },
  }
}

function knownIn(entry: KvEntry | null): Known | undefined {
  return entry === null || entry.operation !== 'PUT' ? undefined : entry.json<Known>()
}
