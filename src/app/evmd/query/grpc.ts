/** The implemented query services, by path: from request bytes to response bytes. */
import type { Methods } from './answer.ts'
import { authQueries } from './auth.ts'
import { authzQueries } from './authz.ts'
import { bankQueries } from './bank.ts'
import { consensusQueries } from './consensus.ts'
import { distributionQueries } from './distribution.ts'
import { erc20Queries } from './erc20.ts'
import { evidenceQueries } from './evidence.ts'
import { evmQueries } from './evm.ts'
import { evmCallQueries } from './evmCalls.ts'
import { evmTraceQueries } from './evmTraces.ts'
import { feegrantQueries } from './feegrant.ts'
import { govQueries } from './gov.ts'
import { govLegacyQueries } from './govLegacy.ts'
import { ibcQueries } from './ibc.ts'
import { ibcV2Queries } from './ibcV2.ts'
import { mintQueries } from './mint.ts'
import { precisebankQueries } from './precisebank.ts'
import { txQueries } from './simulate.ts'
import { reflectionQueries } from './reflection.ts'
import { slashingQueries } from './slashing.ts'
import { stakingQueries } from './staking.ts'
import { upgradeQueries } from './upgrade.ts'

export const grpcMethods: Methods = {
  ...authQueries,
  ...bankQueries,
  ...evmQueries,
  ...stakingQueries,
  ...govQueries,
  ...govLegacyQueries,
  ...distributionQueries,
  ...mintQueries,
  ...slashingQueries,
  ...authzQueries,
  ...feegrantQueries,
  ...erc20Queries,
  ...evidenceQueries,
  ...txQueries,
  ...consensusQueries,
  ...upgradeQueries,
  ...precisebankQueries,
  ...ibcQueries,
  ...ibcV2Queries,
  ...evmCallQueries,
  ...evmTraceQueries,
  ...reflectionQueries,
}
