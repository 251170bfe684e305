/** The query services that are answered, by path: request bytes to response bytes. */
import type { Context } from '../context.ts'
import { authQueries } from './auth.ts'
import { bankQueries } from './bank.ts'
import { stakingQueries } from './staking.ts'
import { evmQueries } from './evm.ts'
import { txQueries } from './simulate.ts'

export type GrpcMethod = (context: Context, data: Uint8Array) => Uint8Array

export const grpcMethods: Readonly<Record<string, GrpcMethod>> = {
  ...authQueries, ...bankQueries, ...evmQueries, ...stakingQueries, ...txQueries,
}
