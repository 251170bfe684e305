/** A query method that asks the node, not the modules. */
import { assert } from '../../../errors.ts'
import type { QueryRequest, QueryResult } from '../../abci.ts'
import type { ChainServices, QueryContext } from '../../application.ts'

/** `ask` puts another query to the application; `height` is of the state that is asked. */
export type ChainMethod = (
  context: QueryContext,
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
