/**
 * Checks whether a transaction may enter the mempool (cosmos-sdk baseapp CheckTx, cosmos-evm-rpc.md
 * §8).
 */
import { equalBytes } from '../../data/bytes.ts'
import { emptyMap, mapSet } from '../../data/persistentMap.ts'
import { emptyTxResult } from '../abci.ts'
import type { CheckTxOutcome, PoolAccount, TxInfo } from '../application.ts'
import { createDraft } from '../draft.ts'
import type { AppState, Overlay } from '../state.ts'
import type { Draft } from '../store.ts'
import { NonceGap, NonceTooLow } from './ante/ethereum.ts'
import { type Context, type Fixed, newContext } from './context.ts'
import { getAccount } from './modules/auth/accounts.ts'
import { getSpendableWei } from './modules/precisebank/send.ts'
import { evmCoin } from './evmCoin.ts'
import { emptyCodeHash, getCodeHash } from './modules/evm/store.ts'
import { type Ran, runTx } from './runTx.ts'
import { goError } from './txError.ts'

/**
 * Checks a transaction on the state left by earlier checks. With the EVM mempool, a transaction
 * whose nonce leaves a gap is queued, and a pending one may be replaced. Neither changes the state.
 */
export function checkTx(fixed: Fixed, state: AppState, tx: Uint8Array, kind: 'new' | 'recheck'): CheckTxOutcome {
  const draft = draftFor(fixed, state)
  const mark = draft.mark()
  const mode = kind === 'new' ? 'check' : 'recheck'
  const context = newContext({ fixed, draft, block: nextHeader(state), mode })
  const { incidents } = context.counters
  const ran = runTx(context, tx)
  const { info } = ran
  const account = kind === 'recheck' && ran.refusal === undefined ? undefined : poolAccount(fixed, state, info)
  if (ran.refusal === undefined) {
    const checked = { ...state, check: withEntries(state.check, draft.settle()) }
    last = { fixed, state: checked, draft }
    return { state: checked, result: ran.result, info, queued: false, account, incidents }
  }
  draft.cut(mark)
  last = { fixed, state, draft }
  const result = pooledResult(account, ran)
  const isKept = result.code === 0
  return {
    state,
    result,
    reported: isKept ? ran.result : result,
    info,
    queued: isKept && ran.refusal instanceof NonceGap,
    account,
    incidents,
  }
}

/** The draft of the last check; it holds what is in `state`, decoded. */
let last: { readonly fixed: Fixed; readonly state: AppState; readonly draft: Draft } | undefined

/**
 * Returns a draft over the state that CheckTx sees. The next check mostly continues where the last one
 * ended, and so does its draft: nothing is looked up or decoded again.
 */
function draftFor(fixed: Fixed, state: AppState): Draft {
  const before = last
  // If the check throws, its draft is unusable.
  last = undefined
  const continues = before?.fixed === fixed && state.forked === undefined && isSame(before.state, state)
  return continues ? before.draft : createDraft(seen(fixed, state), { seesCheck: true })
}

/** Returns whether a read of the last block, with its edits, gives the same on two states. */
function isSameBlock(a: AppState, b: AppState): boolean {
  return a.committed === b.committed && a.edits === b.edits && a.transient === b.transient
}

function isSame(a: AppState, b: AppState): boolean {
  return (
    isSameBlock(a, b) &&
    a.check === b.check &&
    a.impersonated === b.impersonated &&
    a.evmBlock === b.evmBlock &&
    a.height === b.height
  )
}

/**
 * Returns the state that CheckTx sees. With quirk `empty-first-checks`, checks before the first
 * block do not see the writes of InitChain, as in the SDK.
 */
function seen({ checksNothingFirst }: Fixed, state: AppState): AppState {
  return checksNothingFirst && state.height === 0n ? { ...state, edits: emptyMap } : state
}

/**
 * Returns the header for CheckTx, which runs in the block after the last commit. That block's
 * header is not known yet.
 */
function nextHeader({ transient: { header }, height }: AppState): AppState['transient']['header'] {
  return height === 0n ? header : { ...header, height }
}

/**
 * Returns the EVM mempool's result. It accepts a transaction rejected only for its nonce, unless
 * that nonce has been mined.
 */
function pooledResult(account: PoolAccount | undefined, { refusal, result, info }: Ran): Ran['result'] {
  if (account === undefined || info === undefined) return result
  if (!(refusal instanceof NonceGap) && !(refusal instanceof NonceTooLow)) return result
  const { nonce: next } = account
  if (info.nonce < next) {
    const { message: log } = goError(`nonce too low: next nonce ${next}, tx nonce ${info.nonce}`)
    return { ...result, log }
  }
  return { ...emptyTxResult, data: new Uint8Array(0), gasWanted: info.gasLimit }
}

/** Returns what the EVM's mempool must know of a sender, or undefined if it takes no such transaction. */
function poolAccount(fixed: Fixed, state: AppState, info: TxInfo | undefined): PoolAccount | undefined {
  if (!fixed.usesEvmMempool || info?.kind !== 'ethereum') return undefined
  const { sender } = info
  const context = blockContext(fixed, state)
  return {
    balance: getSpendableWei(context, sender, evmCoin(context)),
    nonce: getAccount(context, sender)?.sequence ?? 0n,
    hasCode: !equalBytes(getCodeHash(context, sender), emptyCodeHash),
  }
}

/** A context over the state of the last block, with what earlier checks have read. */
let lastBlock: { readonly fixed: Fixed; readonly state: AppState; readonly context: Context } | undefined

function blockContext(fixed: Fixed, state: AppState): Context {
  const before = lastBlock
  if (before?.fixed === fixed && state.forked === undefined && isSameBlock(before.state, state)) return before.context
  const context = newContext({ fixed, draft: createDraft(state), block: state.transient.header, mode: 'query' })
  lastBlock = { fixed, state, context }
  return context
}

function withEntries(check: Overlay, entries: ReturnType<Draft['settle']>): Overlay {
  let merged = check
  for (const [key, value] of entries) merged = mapSet(merged, key, value)
  return merged
}
