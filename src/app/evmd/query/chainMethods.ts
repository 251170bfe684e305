/** The query services that read from the node instead of the modules, by path. */
import { abciQueries } from './abciQuery.ts'
import { blockQueries } from './blocks.ts'
import type { ChainMethods } from './chainMethod.ts'
import { nodeQueries } from './node.ts'
import { txServiceQueries } from './txs.ts'
import { validatorSetQueries } from './validatorSets.ts'

export const chainMethods: ChainMethods = {
  ...blockQueries,
  ...txServiceQueries,
  ...validatorSetQueries,
  ...nodeQueries,
  ...abciQueries,
}
