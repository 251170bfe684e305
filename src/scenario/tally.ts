import { plainHexOf } from '../codec/hex.ts'
import type { MempoolTx } from '../chain/event.ts'
import { unlessRefused } from '../errors.ts'
import type { Plan } from '../plan/plan.ts'
import type { Facts, NamedTx } from './facts.ts'
import { nearer, nearMiss, type Near } from './nearMiss.ts'
import { timesIn, type Knowing, type Occurrence } from './occurrence.ts'
import { type Progress, wentBack } from './progress.ts'

/**
 * Returns the progress after an occurrence: counters are increased, named transactions recorded, and
 * heights lowered with the chain.
 */
export function saw(plan: Plan, before: Progress, occurrence: Occurrence, knowing: Knowing): Progress {
  const { counters = [] } = plan
  const progress = placed(before, occurrence)
  const facts = named(progress.facts, occurrence)
  const added: [string, number][] = []
  const near: [string, Near][] = []
  for (const { key, match } of counters) {
    // A match that uses a name that is not yet known does not match.
    const times = unlessRefused(() => timesIn(match, occurrence, facts, knowing)) ?? 0
    if (times > 0) added.push([key, (progress.tallies[key] ?? 0) + times])
    if (times > 0 || progress.state !== 'running') continue
    const miss = unlessRefused(() => nearMiss(match, occurrence, facts, knowing))
    if (miss !== undefined) near.push([key, nearer(progress.near[key], miss)])
  }
  if (added.length + near.length === 0 && facts === progress.facts) return progress
  return {
    ...progress,
    facts,
    tallies: { ...progress.tallies, ...Object.fromEntries(added) },
    near: { ...progress.near, ...Object.fromEntries(near) },
  }
}

/** Returns the progress at the height of the chain, which can be lower than before. */
function placed(progress: Progress, occurrence: Occurrence): Progress {
  if (occurrence.type !== 'chain' || occurrence.event.type !== 'restored') return progress
  return wentBack(progress, occurrence.event.height)
}

/**
 * Returns the facts with new names: of a held transaction, and of the replacement of a named one.
 */
function named(facts: Facts, occurrence: Occurrence): Facts {
  if (occurrence.type !== 'chain') return facts
  const { event } = occurrence
  if (event.type === 'txAccepted' && event.tx.heldAs !== undefined) {
    return withTx(facts, event.tx.heldAs, event.tx)
  }
  if (event.type !== 'txReplaced') return facts
  const hash = plainHexOf(event.old.hash)
  const names = Object.entries(facts.txs)
    .filter(([, tx]) => tx.hash === hash)
    .map(([name]) => name)
  return names.reduce((before, name) => withTx(before, `${name}.replacement`, event.by), facts)
}

function withTx(facts: Facts, name: string, tx: MempoolTx): Facts {
  return { ...facts, txs: { ...facts.txs, [name]: namedTx(tx) } }
}

/** Returns the recorded data of a transaction. */
function namedTx({ hash, info }: Pick<MempoolTx, 'hash' | 'info'>): NamedTx {
  return {
    hash: plainHexOf(hash),
    ethHash: info?.ethHash === undefined ? undefined : plainHexOf(info.ethHash),
    from: info === undefined ? '' : plainHexOf(info.sender),
    nonce: info?.nonce ?? 0n,
  }
}
