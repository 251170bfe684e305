/** Queries of the application's state by code that is no client. */
import type { QueryResult } from '../app/abci.ts'
import type { QueryContext } from '../app/application.ts'
import { stateAt } from '../chain/history.ts'
import type { Chain } from '../chain/chain.ts'
import type { World } from './world.ts'

/** Returns the context of a query that reads only the stores of a chain. */
export function storeQueryContext({ history, height, genesis: { chainId } }: Chain): QueryContext {
  return { stateAt: (at) => stateAt(history, at), latestHeight: height, earliestHeight: history.base, chainId }
}

/** Returns what the application says of the last block's state, as `abci_query` would without a proof. */
export function latestQuery({ app }: World, chain: Chain, path: string, data: Uint8Array): QueryResult {
  return app.query(chain.app, { path, data, height: 0n, prove: false }, storeQueryContext(chain))
}
