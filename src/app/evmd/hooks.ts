/** Module hooks before and after the transactions of a block, in the order of evmd's `app.go`. */
import { goText } from '../../codec/goText.ts'
import type { FinalizeBlockRequest, ValidatorUpdate } from '../abci.ts'
import { consensusParams } from './consensus.ts'
import { emit, type Context } from './context.ts'
import { runContained } from './failure.ts'
import { beginAuthz } from './modules/authz/grants.ts'
import { beginDistribution } from './modules/distribution/allocate.ts'
import { punishMisbehavior } from './modules/evidence/misbehavior.ts'
import { beginEvm } from './modules/evm/state.ts'
import { pruneAllowances } from './modules/feegrant/grants.ts'
import { baseFeeOf, beginFeemarket, endFeemarket } from './modules/feemarket/baseFee.ts'
import { endGov } from './modules/gov/endBlock.ts'
import { beginMint } from './modules/mint/mint.ts'
import { beginSlashing } from './modules/slashing/infractions.ts'
import { endStaking } from './modules/staking/endBlock.ts'
import { trackHistory } from './modules/staking/historicalInfo.ts'

/** The block that begins, and the app hash of the previous block. */
export type Beginning = {
  readonly request: FinalizeBlockRequest
  readonly appHash: Uint8Array
}

/** A module's hook at the beginning or end of a block. An end hook may return validator updates. */
export type Hook<Run> = { readonly name: string; readonly run: Run }
type BeginHook = Hook<(context: Context, beginning: Beginning) => void>
// biome-ignore lint/suspicious/noConfusingVoidType: most hooks have nothing to return
type EndHook = Hook<(context: Context) => readonly ValidatorUpdate[] | void>

/** Maximum number of expired fee allowances removed per block (x/feegrant EndBlocker). */
const prunedPerBlock = 200

export const beginHooks: readonly BeginHook[] = [
  { name: 'mint', run: beginMint },
  {
    name: 'feemarket',
    run: (context) => {
      beginFeemarket(context, consensusParams(context).block.maxGas)
      emit(context, 'evm_fee_market', { base_fee: baseFeeOf(context).toString() })
    },
  },
  { name: 'evm', run: beginEvm },
  {
    name: 'distribution',
    run: (context, { request }) => {
      beginDistribution(context, request.lastCommit.votes)
    },
  },
  {
    name: 'slashing',
    run: (context, { request }) => {
      beginSlashing(context, request.lastCommit.votes)
    },
  },
  {
    name: 'evidence',
    run: (context, { request }) => {
      for (const each of request.misbehavior) punishMisbehavior(context, each)
    },
  },
  {
    name: 'staking',
    run: (context, { request: { nextValidatorsHash }, appHash }) => {
      trackHistory(context, { nextValidatorsHash, appHash })
    },
  },
  { name: 'authz', run: beginAuthz },
]

export const endHooks: readonly EndHook[] = [
  { name: 'gov', run: endGov },
  { name: 'staking', run: endStaking },
  {
    name: 'evm',
    run: (context) => {
      emit(context, 'block_bloom', { bloom: goText(context.counters.bloom) })
    },
  },
  { name: 'feemarket', run: endFeemarket },
  {
    name: 'feegrant',
    run: (context) => {
      pruneAllowances(context, prunedPerBlock)
    },
  },
]

/** Runs the hooks before the transactions. A module that throws has no effect in this block. */
export function beginBlock(context: Context, beginning: Beginning): void {
  for (const { name, run } of beginHooks) {
    runContained(context, whereabouts('BeginBlock', name, context), () => run(context, beginning))
  }
}

/**
 * Runs the hooks after the transactions and returns the validator updates. A module that throws has
 * no effect in this block.
 */
export function endBlock(context: Context): readonly ValidatorUpdate[] {
  return endHooks.flatMap(
    ({ name, run }) => runContained(context, whereabouts('EndBlock', name, context), () => run(context)) ?? [],
  )
}

function whereabouts(hook: string, module: string, { block: { height } }: Context): () => string {
  return () => `${hook} of ${module} (height ${height})`
}
