/**
 * Admits transactions to the mempool: CometBFT's checks with its error texts (`comet-rpc.md` §6.1),
 * then the application's CheckTx. If the application has its own mempool, transactions with later
 * nonces wait as `queued` and better-paid ones replace others (`cosmos-evm-rpc.md` §8).
 */
import type { TxResult } from '../app/abci.ts'
import type { TxInfo } from '../app/application.ts'
import type { AppState } from '../app/state.ts'
import { plainHexOf } from '../codec/hex.ts'
import { txHash } from '../app/txHash.ts'
import { maxDataBytes, sizeInBlock } from './blockLimits.ts'
import type { Chain, ChainWorld } from './chain.ts'
import type { ChainEvent, MempoolTx } from './event.ts'
import {
  added,
  changed,
  removed,
  waitingCount,
  followsPooled,
  waitingEthTx,
  type Mempool,
  type MempoolLimits,
} from './mempool.ts'
import { forget, remember, remembers } from './mempoolCache.ts'
import type { Submitted } from './outcome.ts'
import { poolVerdict } from './poolRules.ts'

export type Admission = {
  readonly mempool: Mempool
  readonly app: AppState
  readonly outcome: Submitted
  readonly events: readonly ChainEvent[]
}

export type Pool = Omit<Admission, 'outcome'>

/**
 * Returns the mempool after a submission, with its outcome; the first failing check determines the
 * refusal.
 */
export function admit(world: ChainWorld, chain: Chain, { tx, nowMs }: { tx: Uint8Array; nowMs: bigint }): Admission {
  const { mempool, app } = chain
  const hash = txHash(tx)
  const key = plainHexOf(hash)
  const nothing: Submitted = {
    type: 'submitted',
    hash,
    ethHash: undefined,
    refusal: undefined,
    check: undefined,
    admitted: false,
  }
  const early = refusalOf(world.limits, chain, tx)
  if (early !== undefined) {
    return { mempool, app, outcome: { ...nothing, refusal: early }, events: [] }
  }
  // A repeated transaction still becomes the newest entry of the cache.
  const cached = remember(world.limits, mempool, key)
  if (remembers(mempool, key)) {
    return { mempool: cached, app, outcome: { ...nothing, refusal: 'tx already exists in cache' }, events: [] }
  }
  const checked = world.app.checkTx(app, tx, 'new')
  const { state, result, info, account } = checked
  // A refused transaction has still used its nonce of CheckTx's state, so its check finds no gap after it.
  const isGapped = checked.queued || (account !== undefined && info !== undefined && info.nonce > account.nonce)
  const queued = isGapped && !followsPooled(mempool, info)
  const bump = world.limits.priceBumpPercent
  const isPooled = result.code === 0 && info?.kind === 'ethereum' && bump !== undefined
  const { maxGas } = chain.consensusParams.block
  const verdict = isPooled ? poolVerdict(cached, { hash, info, account, maxGas, bump }) : undefined
  const refused = typeof verdict === 'string' ? refusedAs(verdict) : undefined
  const check = refused ?? result
  const told = refused ?? checked.reported ?? result
  const outcome: Submitted = { ...nothing, ethHash: info?.ethHash, check: told }
  if (check.code !== 0 || !fitsBlock(chain, check)) {
    const kept = world.limits.keepInvalid ? cached : forget(cached, key)
    const events: readonly ChainEvent[] =
      check.code === 0 ? [] : [...incidentsIn(checked), { type: 'txRefused', hash, result: check }]
    return { mempool: kept, app: state, outcome, events }
  }
  const old = typeof verdict === 'object' ? verdict : undefined
  const inComet = told.code === 0 && !checked.queued && old === undefined
  const entry: MempoolTx = {
    hash,
    tx,
    seq: cached.nextSeq,
    info,
    gasWanted: check.gasWanted,
    since: { height: chain.height, ms: nowMs },
    held: false,
    queued,
    inComet,
    replaced: old === undefined || old.inComet ? old : old.replaced,
  }
  // The application reports a transaction that it keeps for itself as invalid to CometBFT.
  const known = inComet || world.limits.keepInvalid ? cached : forget(cached, key)
  const cleared = old === undefined ? known : removed(known, old.hash)
  const replaced: readonly ChainEvent[] = old === undefined ? [] : [{ type: 'txReplaced', old, by: entry }]
  const joined: Pool = {
    mempool: added(cleared, entry),
    app: state,
    events: [...replaced, { type: 'txAccepted', tx: entry }],
  }
  return {
    ...(queued || info === undefined ? joined : promoted(world, joined, info)),
    outcome: { ...outcome, admitted: true },
  }
}

/** Returns the events for bugs that were caught while the application ran. */
export function incidentsIn({ incidents = [] }: { readonly incidents?: readonly string[] }): readonly ChainEvent[] {
  return incidents.map((text) => ({ type: 'incident', text }))
}

/** Returns the error of the checks that precede cache and application, or undefined. */
function refusalOf(limits: MempoolLimits, chain: Chain, tx: Uint8Array): string | undefined {
  const { mempool } = chain
  if (limits.takesNothing) return 'not allowed with `nop` mempool'
  const count = waitingCount(mempool)
  if (count >= limits.size || mempool.totalBytes + BigInt(tx.length) > limits.maxTxsBytes) {
    return (
      `mempool is full: number of txs ${count} (max: ${limits.size}), ` +
      `total txs bytes ${mempool.totalBytes} (max: ${limits.maxTxsBytes})`
    )
  }
  if (tx.length > limits.maxTxBytes) {
    return `Tx too large. Max size is ${limits.maxTxBytes}, but got ${tx.length}`
  }
  const [size, most] = [sizeInBlock(tx), maxDataBytes(chain, [])]
  return BigInt(size) > most ? `tx pre check: tx size is too big: ${size}, max: ${most}` : undefined
}

/**
 * Returns whether the transaction's gas fits in a block. One that needs more passes its check but
 * does not enter the mempool (§6.2).
 */
function fitsBlock(
  {
    consensusParams: {
      block: { maxGas },
    },
  }: Chain,
  { gasWanted }: TxResult,
): boolean {
  return maxGas === -1n || (gasWanted >= 0n && gasWanted <= maxGas)
}

const refusedAs = (log: string): TxResult => ({
  code: 1,
  data: undefined,
  log,
  info: '',
  gasWanted: -1n,
  gasUsed: 0n,
  events: [],
  codespace: 'undefined',
})

/** Promotes the sender's queued transactions that follow a new one, nonce by nonce. */
function promoted(world: ChainWorld, before: Pool, info: TxInfo): Pool {
  let { mempool, app } = before
  const events = [...before.events]
  for (let nonce = info.nonce + 1n; ; nonce++) {
    const next = waitingEthTx(mempool, { sender: info.sender, nonce })
    if (next === undefined || !next.queued) break
    const checked = world.app.checkTx(app, next.tx, 'recheck')
    const { state, result } = checked
    events.push(...incidentsIn(checked))
    if (result.code !== 0 || (checked.queued && !followsPooled(mempool, next.info))) break
    const entry: MempoolTx = { ...next, queued: false }
    app = state
    mempool = changed(mempool, entry)
    events.push({ type: 'txAccepted', tx: entry })
  }
  return { mempool, app, events }
}
