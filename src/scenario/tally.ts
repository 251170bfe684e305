import { plainHexOf } from '../codec/hex.ts'
import type { MempoolTx } from '../chain/event.ts'
import { isExpected } from '../errors.ts'
import type { Plan } from '../node/plan.ts'
import type { Facts, NamedTx } from './facts.ts'
import { nearer, nearMiss, type Near } from './nearMiss.ts'
import { timesIn, type Knowing, type Occurrence } from './occurrence.ts'
import type { Progress } from './progress.ts'

/**
 * Returns the progress after something happened: what is counted has counted, what has a name is
 * noted.
 */
export function saw({ counters = [] }: Plan, progress: Progress, occurrence: Occurrence, knowing: Knowing): Progress {
  const facts = named(progress.facts, occurrence)
  const added: [string, number][] = []
  const near: [string, Near][] = []
  for (const { key, match } of counters) {
    const times = orNever(() => timesIn(match, occurrence, facts, knowing)) ?? 0
    if (times > 0) added.push([key, (progress.tallies[key] ?? 0) + times])
    if (times > 0 || progress.state !== 'running') continue
    const miss = orNever(() => nearMiss(match, occurrence, facts, knowing))
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

/** What names somebody that is not there has not happened. */
function orNever<Value>(look: () => Value): Value | undefined {
  try {
    return look()
  } catch (error) {
    if (isExpected(error)) return undefined
    throw error
  }
}

/** What a hold rule held has its name; what takes the place of a named one is its replacement. */
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

/** Returns what a scenario remembers of a transaction. */
export function namedTx({ hash, info }: Pick<MempoolTx, 'hash' | 'info'>): NamedTx {
  return {
    hash: plainHexOf(hash),
    ethHash: info?.ethHash === undefined ? undefined : plainHexOf(info.ethHash),
    from: info === undefined ? '' : plainHexOf(info.sender),
    nonce: info?.nonce ?? 0n,
  }
}
