import { arrivals } from '../chain/mempool.ts'
import { plainHexOf } from '../codec/hex.ts'
import { sha256 } from '../crypto/hash.ts'
import { agendaEntries } from '../data/agenda.ts'
import { canonicalJson } from '../data/canonicalJson.ts'
import { utf8Of } from '../data/utf8.ts'
import { mapEntries } from '../data/persistentMap.ts'
import { recentEntries } from '../data/recentEntries.ts'
import type { Node } from '../node/node.ts'
import type { FaultState } from '../fault/rule.ts'
import { countsOf } from './journal.ts'
import type { Simulation } from './turn.ts'

/**
 * Returns the digest of a chain's last block and state, in hex. An operator's edit changes it only
 * with the next block, which applies the edit.
 */
export function chainDigest({ chain: { lastBlockId, app } }: Node): string {
  return digestOf({ block: lastBlockId, appHash: app.appHash })
}

/**
 * Returns the digest of a simulation, in hex: the chain's head, mempool, faults, subscriptions,
 * filters, agenda and scenario. Equal simulations have equal digests.
 */
export function digest({ node, plan, progress, journal }: Simulation): string {
  const { chain } = node
  return digestOf({
    block: chain.lastBlockId,
    appHash: chain.app.appHash,
    clock: chain.clock,
    policy: chain.policy,
    mempool: arrivals(chain.mempool),
    down: [...chain.down].sort(),
    holds: chain.holds ?? [],
    roundsToFail: chain.roundsToFail ?? 0,
    nowMs: node.nowMs,
    counters: node.counters,
    mining: (node.mining ?? []).length === 0 ? undefined : node.mining,
    batches: node.batches,
    faults: faultsOf(node.faults),
    held: node.held.length === 0 ? undefined : node.held,
    filters: [...node.filters.keys()],
    connections: [...node.connections.keys()],
    checkpoints: node.checkpoints.map(({ id }) => id),
    owed: node.owed.map(({ stamp }) => stamp.seq),
    agenda: [...agendaEntries(node.agenda)].map(({ timeMs, item }) => ({ timeMs, type: item.type })),
    plan: plan.digest,
    progress: {
      ...progress,
      marks: Object.fromEntries(mapEntries(progress.marks)),
      outcomes: Object.fromEntries(mapEntries(progress.outcomes)),
    },
    calls: [...countsOf(journal)],
  })
}

function digestOf(value: unknown): string {
  return plainHexOf(sha256(utf8Of(canonicalJson(value))))
}

/** Leaves empty lists out, so that unused features do not change the digest. */
function faultsOf({ active, counts, open, masked, refusals }: FaultState) {
  const unlessEmpty = <Item>(list: readonly Item[]) => (list.length === 0 ? undefined : list)
  return {
    active,
    masked: unlessEmpty(masked),
    refusals: unlessEmpty(refusals),
    open: unlessEmpty([...recentEntries(open)]),
    counts: [...counts].map(([name, count]) => [
      name,
      { ...count, buckets: [...recentEntries(count.buckets)], keyed: [...recentEntries(count.keyed)] },
    ]),
  }
}
