/** Polled filters: collects changes between two polls (`cosmos-evm-rpc.md` §5.1). */
import type { BlockRecord } from '../chain/block.ts'
import type { ChainEvent } from '../chain/event.ts'
import { ethHashOf } from '../chain/ethIds.ts'
import { blockAt } from '../chain/view.ts'
import type { FilterChanges } from '../chain/outcome.ts'
import { SimError } from '../errors.ts'
import { wantedLogs } from '../feed/logFilter.ts'
import type { FilterSpec } from './command.ts'
import type { Filter, Node } from './node.ts'

/** Maximum number of hashes or removed blocks that a filter collects between two polls. */
const gatheredMost = 10_000

/** A filter expires after this time without a poll, in milliseconds. */
const lifeMs = 300_000n

/** Returns the node with a new filter under `id` and without expired filters. */
export function withFilter(node: Node, id: string, spec: FilterSpec): Node {
  const filter: Filter = { spec, seen: node.chain.height, polledAtMs: node.nowMs, gathered: [] }
  return { ...node, filters: new Map([...liveFilters(node), [id, filter]]) }
}

function liveFilters(node: Node): readonly (readonly [string, Filter])[] {
  return [...node.filters].filter(([, filter]) => !isExpired(node, filter))
}

/** Returns whether a filter has expired (`cosmos-evm-rpc.md` §5.1). */
export function isExpired({ nowMs }: Node, { polledAtMs }: Filter): boolean {
  return nowMs - polledAtMs > lifeMs
}

/**
 * Returns the changes since a filter's last poll, and the node in which the filter starts over.
 * Throws `UnknownFilter` if no filter has this id.
 */
export function polled(node: Node, id: string): { node: Node; changes: FilterChanges } {
  const filter = node.filters.get(id)
  if (filter === undefined) throw new UnknownFilter(id)
  const { spec } = filter
  const next: Filter = { spec, seen: node.chain.height, polledAtMs: node.nowMs, gathered: [] }
  return {
    changes: changesOf(node, filter),
    node: { ...node, filters: new Map([...node.filters, [id, next]]) },
  }
}

function changesOf({ chain }: Node, { spec, seen, gathered, gone = [] }: Filter): FilterChanges {
  if (spec.kind === 'pending') return { kind: 'pending', hashes: gathered }
  if (spec.kind === 'logs') return { kind: 'logs', from: seen + 1n, to: chain.height, gone }
  const hashes: Uint8Array[] = []
  for (let height = seen + 1n; height <= chain.height; height++) {
    const record = blockAt(chain, height)
    if (record !== undefined) hashes.push(ethHashOf(record))
  }
  return { kind: 'blocks', hashes }
}

/** Returns the node after its filters have processed the events. */
export function gathering(node: Node, events: readonly ChainEvent[]): Node {
  const after = events.reduce((before, event) => {
    if (event.type === 'ethReorganised') return rewound(before, event.gone)
    return event.type === 'blocksRemoved' ? rewound(before, event.records) : before
  }, node)
  return withPending(after, events)
}

/** Rewinds filters to below the removed blocks, so that replacement blocks count as new. */
function rewound(node: Node, removed: readonly BlockRecord[]): Node {
  const last = (removed.at(-1)?.block.header.height ?? node.chain.height + 1n) - 1n
  const filters = [...node.filters].map(([id, filter]): [string, Filter] => {
    const seen = filter.seen < last ? filter.seen : last
    return [id, { ...filter, seen, ...missing(filter, removed) }]
  })
  return { ...node, filters: new Map(filters) }
}

/**
 * Returns the removed blocks that a log filter must report. Logs that it never showed are left out.
 */
function missing({ spec, seen, gone = [] }: Filter, removed: readonly BlockRecord[]): Pick<Filter, 'gone'> {
  if (spec.kind !== 'logs') return {}
  const lost = removed.filter(
    (record) => record.block.header.height <= seen && wantedLogs(record, spec.filter).length > 0,
  )
  return { gone: [...lost, ...gone].slice(0, gatheredMost) }
}

function withPending(node: Node, events: readonly ChainEvent[]): Node {
  const hashes = events.flatMap((event) =>
    event.type === 'txAccepted' && !event.tx.queued && event.tx.info?.ethHash !== undefined
      ? [event.tx.info.ethHash]
      : [],
  )
  if (hashes.length === 0 || node.filters.size === 0) return node
  // Expired filters go first: their clients are gone, and to collect for them would cost each transaction more.
  const filters = liveFilters(node).map(([id, filter]): [string, Filter] => [
    id,
    filter.spec.kind === 'pending'
      ? { ...filter, gathered: [...filter.gathered, ...hashes].slice(-gatheredMost) }
      : filter,
  ])
  return { ...node, filters: new Map(filters) }
}

/** The polled filter was never installed, or it has expired. */
class UnknownFilter extends SimError {
  constructor(id: string) {
    super('UNKNOWN_FILTER', `expected the id of an installed filter, received ${id}`, {
      hint: 'Filters expire when nobody polls them; install it again.',
    })
  }
}
