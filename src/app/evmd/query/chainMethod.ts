/** A query method that reads from the node instead of the modules. */
import { assert } from '../../../errors.ts'
import type { QueryRequest, QueryResult } from '../../abci.ts'
import type { ChainServices, QueryContext } from '../../application.ts'
import type { Addressing } from '../address.ts'

/** The chain that a query reads, with the constants of its application. */
export type ChainQuery = QueryContext & Addressing

/**
 * A query method. `ask` sends another query to the application; `height` is the height of the
 * queried state.
 */
export type ChainMethod = (
  context: ChainQuery,
  data: Uint8Array,
  ask: (request: QueryRequest) => QueryResult,
  height: bigint,
) => Uint8Array
export type ChainMethods = Readonly<Record<string, ChainMethod>>

/** Returns the node's services. */
export function servicesOf({ services }: QueryContext): ChainServices {
  assert(services !== undefined, 'this query asks the node')
  return services
}
