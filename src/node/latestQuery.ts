/** A query of the application's state after the last block, by code that is no client. */
import type { QueryResult } from '../app/abci.ts'
import { stateAt } from '../chain/history.ts'
import type { Chain } from '../chain/chain.ts'
import type { World } from './world.ts'

/** Returns what the application says of the last block's state, as `abci_query` would without a proof. */
export function latestQuery({ app }: World, chain: Chain, path: string, data: Uint8Array): QueryResult {
  return app.query(
    chain.app,
    { path, data, height: 0n, prove: false },
    {
      stateAt: (at) => stateAt(chain.history, at),
      latestHeight: chain.height,
      earliestHeight: chain.history.base,
      chainId: chain.genesis.chainId,
    },
  )
}
