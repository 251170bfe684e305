/**
 * The lease on a chain: a key whose value names the leader. Only one member can replace a given
 * value.
 */
import type { Members } from './members.ts'
import { replaced, type Nats } from './nats.ts'
import type { Leader } from './around.ts'

/** Resolves with the lease for a new term; undefined while another member holds it. */
export async function takeLease(
  { kv, keyOf }: Nats,
  { self, isAlive }: Members,
  { chain, id }: { readonly chain: string; readonly id: string },
): Promise<Leader | undefined> {
  const key = keyOf('leader', chain, id)
  const entry = await kv.get(key)
  const held = entry === null || entry.operation !== 'PUT' ? undefined : entry.json<Leader>()
  if (held !== undefined && held.member !== self && isAlive(held.member)) return undefined
  const lease: Leader = { member: self, term: (held?.term ?? 0) + 1 }
  return (await replaced(kv, { key, entry }, lease)) ? lease : undefined
}
