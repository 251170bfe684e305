/** The services that ask the node, not the modules, by path. */
import type { QueryContext } from '../../application.ts'
import { blockQueries } from './blocks.ts'
import { txServiceQueries } from './txs.ts'

export type ChainMethod = (context: QueryContext, data: Uint8Array) => Uint8Array

export const chainMethods: Readonly<Record<string, ChainMethod>> = {
  ...blockQueries, ...txServiceQueries,
}
