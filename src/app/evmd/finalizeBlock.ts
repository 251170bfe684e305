/** A block on the state before it: hooks, transactions, hooks, commit (cosmos-sdk baseapp). */
import { goText } from '../../codec/goText.ts'
import { fromBinaryString } from '../../data/binaryString.ts'
import { emptyMap, mapEntries } from '../../data/persistentMap.ts'
import type {
  AbciEvent, FinalizeBlockRequest, FinalizeBlockResult, TxResult, ValidatorUpdate,
} from '../abci.ts'
import { createDraft, goneAfter } from '../draft.ts'
import { appHashOf, commitStores } from '../multiStore.ts'
import type { AppState, BlockContext } from '../state.ts'
import type { Draft } from '../store.ts'
import { consensusParams } from './consensus.ts'
import {
  type BlockCounters, type Context, emit, type Fixed, newContext, newCounters,
} from './context.ts'
import { evmBlockAfter } from './evmBlock.ts'
import { beginAuthz } from './modules/authz/grants.ts'
import { beginDistribution } from './modules/distribution/allocate.ts'
import { beginEvm } from './modules/evm/state.ts'
import { pruneAllowances } from './modules/feegrant/grants.ts'
import { baseFeeOf, beginFeemarket, endFeemarket } from './modules/feemarket/baseFee.ts'
import { punishMisbehavior } from './modules/evidence/misbehavior.ts'
import { endGov } from './modules/gov/endBlock.ts'
import { beginMint } from './modules/mint/mint.ts'
import { beginSlashing } from './modules/slashing/infractions.ts'
import { endStaking } from './modules/staking/endBlock.ts'
import { trackHistory } from './modules/staking/historicalInfo.ts'
import { runTx } from './runTx.ts'

/** Executes a block. Nothing is committed: the state holds the stores that `commit` will adopt. */
export function finalizeBlock(
  fixed: Fixed, state: AppState, request: FinalizeBlockRequest,
): { state: AppState; result: FinalizeBlockResult } {
  const draft = createDraft({ ...state, edits: emptyMap })
  foldEdits(draft, state)
  const counters = newCounters()
  // What genesis transactions wanted still counts in the first block (cosmos-evm-rpc.md §7.3).
  if (state.height === 0n) counters.gasWanted = state.transient.gasWanted
  const block = blockContext(state, request)
  const base = { fixed, draft, block, mode: 'deliver' } as const
  const begun = hook(newContext(base, counters), 'BeginBlock', (context) => (
    beginBlock(context, { request, appHash: state.appHash })
  ))
  const txResults = request.txs.map((tx) => runInBlock(newContext(base, counters), tx))
  let validatorUpdates: readonly ValidatorUpdate[] = []
  const ended = hook(newContext(base, counters), 'EndBlock', (context) => {
    validatorUpdates = endBlock(context)
  })
  const consensusParamUpdates = consensusParams(newContext(base, counters))
  const stores = commitStores(state.committed, draft.changes(), request.height)
  const appHash = appHashOf(stores)
  const gone = state.forked === undefined ? {} : { gone: goneAfter(state, draft) }
  const transient = transientOf(newContext(base, counters), counters)
  return {
    state: { ...state, pending: { stores, appHash, height: request.height, ...gone }, transient },
    result: {
      events: [...begun, ...ended], txResults, validatorUpdates, consensusParamUpdates, appHash,
    },
  }
}

/** Makes the finalized state the committed one. */
export function commit(state: AppState): AppState {
  if (state.pending === undefined) return state
  const { stores, appHash, height, gone } = state.pending
  const { folded: _, ...kept } = state
  const hasEdits = state.height > 0n && state.edits.root !== undefined
  return {
    ...kept, ...(hasEdits ? { folded: state.edits } : {}),
    height, committed: stores, appHash, edits: emptyMap, check: emptyMap, pending: undefined,
    ...(state.evmBlock === undefined ? {} : { evmBlock: evmBlockAfter(state.evmBlock) }),
    ...(gone === undefined ? {} : { gone }),
  }
}

/** Writes an operator's edits first, so that they are part of the block's changes. */
function foldEdits(draft: Draft, state: AppState): void {
  for (const [key, value] of mapEntries(state.edits)) {
    const end = key.indexOf('\u0000')
    const store = draft.raw(key.slice(0, end))
    const at = fromBinaryString(key.slice(end + 1))
    if (value === null) store.delete(at)
    else store.set(at, value)
  }
}

function blockContext(state: AppState, request: FinalizeBlockRequest): BlockContext {
  return {
    height: request.height,
    timeSeconds: request.time.seconds,
    timeNanos: request.time.nanos,
    chainId: state.transient.header.chainId,
    proposerAddress: request.proposerAddress,
    hash: request.hash,
    ...(state.evmBlock === undefined ? {} : { evm: state.evmBlock }),
  }
}

function hook(
  context: Context, mode: 'BeginBlock' | 'EndBlock', run: (context: Context) => void,
): readonly AbciEvent[] {
  run(context)
  const attribute = { key: 'mode', value: mode, index: true }
  return context.events.map(
    ({ type, attributes }) => ({ type, attributes: [...attributes, attribute] })
  )
}

/** Expired fee allowances that one block removes at most (x/feegrant EndBlocker). */
const prunedPerBlock = 200

type Beginning = { readonly request: FinalizeBlockRequest; readonly appHash: Uint8Array }

function beginBlock(context: Context, { request, appHash }: Beginning): void {
  const { lastCommit: { votes }, nextValidatorsHash, misbehavior } = request
  beginMint(context)
  beginFeemarket(context, consensusParams(context).block.maxGas)
  emit(context, 'evm_fee_market', { base_fee: baseFeeOf(context).toString() })
  beginEvm(context)
  beginDistribution(context, votes)
  beginSlashing(context, votes)
  for (const each of misbehavior) punishMisbehavior(context, each)
  trackHistory(context, { nextValidatorsHash, appHash })
  beginAuthz(context)
}

function endBlock(context: Context): readonly ValidatorUpdate[] {
  endGov(context)
  const updates = endStaking(context)
  emit(context, 'block_bloom', { bloom: goText(context.counters.bloom) })
  endFeemarket(context)
  pruneAllowances(context, prunedPerBlock)
  return updates
}

function runInBlock(context: Context, tx: Uint8Array): TxResult {
  const { result } = runTx(context, tx)
  if (result.gasUsed > 0n) context.counters.gasUsed += result.gasUsed
  return result
}

function transientOf(context: Context, counters: BlockCounters): AppState['transient'] {
  const { gasWanted, gasUsed } = counters
  return { gasWanted, gasUsed, baseFee: baseFeeOf(context), header: context.block }
}
