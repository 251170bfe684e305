/** Snapshots of a chain in the Object Store. A key names the newest one and the one before it. */
import type { Snapshot } from '../inputLog/inputLog.ts'
import type { Nats } from './nats.ts'

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
export function createSnapshots({ kv, objects, keyOf }: Nats, chain: string, id: string): Snapshots {
  const key = keyOf('snapshot', chain, id)
  const nameOf = (sequence: number) => `${key}.${sequence}`
  const known = async (): Promise<Known | undefined> => {
    const entry = await kv.get(key)
    return entry === null || entry.operation !== 'PUT' ? undefined : entry.json<Known>()
  }
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
      const at = await known()
      if (at !== undefined && at.newest >= sequence) return undefined
      await objects.putBlob({ name: nameOf(sequence) }, bytes)
      await kv.put(key, JSON.stringify({ newest: sequence, ...(at && { before: at.newest }) } satisfies Known))
      if (at?.before !== undefined) await objects.delete(nameOf(at.before))
      return at?.newest
    },
    remove: async () => {
      const at = await known()
      for (const sequence of [at?.newest, at?.before]) {
        if (sequence !== undefined) await objects.delete(nameOf(sequence)).catch(() => {})
      }
      await kv.delete(key)
    },
  }
}
