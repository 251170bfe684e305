/**
 * Executes a block on the previous state: begin hooks, transactions, end hooks, commit (cosmos-sdk
 * baseapp).
 */
import { fromBinaryString } from '../../data/binaryString.ts'
import { emptyMap, mapEntries, mapSet } from '../../data/persistentMap.ts'
import type { AbciEvent, FinalizeBlockRequest, FinalizeBlockResult, TxResult, ValidatorUpdate } from '../abci.ts'
import type { FinalizedBlock } from '../application.ts'
import { createDraft, goneAfter } from '../draft.ts'
import type { BlockPreview } from '../ethereumView.ts'
import { appHashOf, commitStores } from '../multiStore.ts'
import type { AppState, BlockContext, Overlay } from '../state.ts'
import type { Draft } from '../store.ts'
import { consensusParams } from './consensus.ts'
import { addAttribute, type BlockCounters, type Context, type Fixed, newContext, newCounters } from './context.ts'
import { evmBlockAfter } from './evmBlock.ts'
import { beginBlock, endBlock } from './hooks.ts'
import { baseFeeOf } from './modules/feemarket/baseFee.ts'
import { runTx } from './runTx.ts'

/**
 * Executes a block without committing it. The returned state holds the stores that `commit` adopts.
 */
export function finalizeBlock(fixed: Fixed, state: AppState, request: FinalizeBlockRequest): FinalizedBlock {
  const { draft, transient, result, incidents } = execute(fixed, state, request)
  const stores = commitStores(state.committed, draft.changes(), request.height)
  const appHash = appHashOf(stores, state.committed)
  const gone = state.forked === undefined ? {} : { gone: goneAfter(state, draft) }
  return {
    state: { ...state, pending: { stores, appHash, height: request.height, ...gone }, transient },
    result: { ...result, appHash },
    incidents,
  }
}

/**
 * Executes a block that will not be committed. Returns the results of its transactions and a state
 * with its changes as edits, so no tree is hashed.
 */
export function previewBlock(fixed: Fixed, state: AppState, request: FinalizeBlockRequest): BlockPreview {
  const {
    draft,
    transient,
    result: { txResults },
  } = execute(fixed, state, request)
  let edits: Overlay = emptyMap
  for (const [key, value] of draft.overlaid()) edits = mapSet(edits, key, value)
  const { height } = request
  return { state: { ...state, height, edits, check: emptyMap, transient }, txResults }
}

type Executed = {
  readonly draft: Draft
  readonly transient: AppState['transient']
  readonly result: Omit<FinalizeBlockResult, 'appHash'>
  readonly incidents: readonly string[]
}

function execute(fixed: Fixed, state: AppState, request: FinalizeBlockRequest): Executed {
  const draft = createDraft({ ...state, edits: emptyMap })
  foldEdits(draft, state)
  const counters = newCounters()
  // Gas wanted by genesis transactions counts toward the first block (cosmos-evm-rpc.md §7.3).
  if (state.height === 0n) counters.gasWanted = state.transient.gasWanted
  const block = blockContext(state, request)
  const base = { fixed, draft, block, mode: 'deliver' } as const
  const begun = hook(newContext(base, counters), 'BeginBlock', (context) =>
    beginBlock(context, { request, appHash: state.appHash }),
  )
  const txResults = request.txs.map((tx) => runInBlock(newContext(base, counters), tx))
  let validatorUpdates: readonly ValidatorUpdate[] = []
  const ended = hook(newContext(base, counters), 'EndBlock', (context) => {
    validatorUpdates = endBlock(context)
  })
  const consensusParamUpdates = consensusParams(newContext(base, counters))
  return {
    draft,
    transient: transientOf(newContext(base, counters), counters),
    result: { events: [...begun, ...ended], txResults, validatorUpdates, consensusParamUpdates },
    incidents: counters.incidents,
  }
}

/** Commits the finalized state. */
export function commit(state: AppState): AppState {
  if (state.pending === undefined) return state
  const { stores, appHash, height, gone } = state.pending
  const { folded: _, ...kept } = state
  const hasEdits = state.height > 0n && state.edits.root !== undefined
  return {
    ...kept,
    ...(hasEdits ? { folded: state.edits } : {}),
    height,
    committed: stores,
    appHash,
    edits: emptyMap,
    check: emptyMap,
    pending: undefined,
    ...(state.evmBlock === undefined ? {} : { evmBlock: evmBlockAfter(state.evmBlock) }),
    ...(gone === undefined ? {} : { gone }),
  }
}

/** Writes an operator's edits first, so that they belong to the block's changes. */
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
  context: Context,
  mode: 'BeginBlock' | 'EndBlock',
  run: (context: Context) => void,
): readonly AbciEvent[] {
  run(context)
  addAttribute(context.events, 0, { key: 'mode', value: mode, index: true })
  return context.events
}

function runInBlock(context: Context, tx: Uint8Array): TxResult {
  const { result } = runTx(context, tx)
  const { gasUsed, gasWanted } = result
  // A transaction that ran out of gas used more than its limit; the block counts only the limit.
  context.counters.gasUsed += gasWanted >= 0n && gasUsed > gasWanted ? gasWanted : gasUsed
  return result
}

function transientOf(context: Context, counters: BlockCounters): AppState['transient'] {
  const { gasWanted, gasUsed } = counters
  return { gasWanted, gasUsed, baseFee: baseFeeOf(context), header: context.block }
}
