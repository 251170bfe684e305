/** Polled filters (`cosmos-evm-rpc.md` §5.1). */
import type { Outcome } from '../../chain/outcome.ts'
import { assert } from '../../errors.ts'
import type { FilterSpec, NodeCommand } from '../../node/command.ts'
import { isExpired } from '../../node/filters.ts'
import type { Filter } from '../../node/node.ts'
import { hasQuirk } from '../../settings/quirks.ts'
import type { Context } from '../method.ts'
import { serverError } from './errors.ts'
import type { LogQuery } from './logFilterParam.ts'

/** Returns the command that installs a filter. Throws if there are too many filters. */
export function installing(context: Context, filter: FilterSpec): NodeCommand {
  if (isFull(context)) throw serverError(`${refusals[filter.kind]}: max limit reached`)
  return { type: 'installFilter', filter }
}

const refusals = {
  logs: 'error creating filter',
  blocks: 'error creating block filter',
  pending: 'error creating pending tx filter',
} as const

/** Returns whether the limit on filters is reached. */
function isFull({ node }: Context): boolean {
  const live = [...node.filters.values()].filter((filter) => !isExpired(node, filter))
  return live.length >= node.settings.filterCap
}

/**
 * Returns whether a filter is refused with a response that looks like success (quirk
 * `filter-cap-as-text`). The command then does nothing.
 */
export function isRefusedAsText(context: Context): boolean {
  return isFull(context) && hasQuirk(context.node.settings, 'filter-cap-as-text')
}

/** Returns the id in an outcome. */
export function idOf(outcome: Outcome): string {
  assert(outcome.type === 'id', `a filter or subscription gave ${outcome.type}`)
  return outcome.id
}

/** Returns an installed filter. Throws if there is none with that id. */
export function installedFilter({ node }: Context, id: string): Filter {
  const filter = node.filters.get(id)
  if (filter === undefined || isExpired(node, filter)) throw serverError(`filter ${id} not found`)
  return filter
}

/** Returns the query of a log filter. Throws for other kinds, with geth's number for the kind. */
export function logQueryOf(context: Context, id: string): LogQuery {
  const { spec } = installedFilter(context, id)
  if (spec.kind === 'logs') return { ...spec.filter, from: spec.said?.from, to: spec.said?.to }
  const number = spec.kind === 'blocks' ? 3 : 2
  throw serverError(`filter ${id} doesn't have a LogsSubscription type: got ${number}`)
}
