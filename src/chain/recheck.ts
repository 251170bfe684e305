/** Rechecks the mempool after a block or another change of the state. */
import type { TxResult } from '../app/abci.ts'
import type { AppState } from '../app/state.ts'
import { plainHexOf } from '../codec/hex.ts'
import { emptyMap, mapGet } from '../data/persistentMap.ts'
import { incidentsIn, type Pool } from './admission.ts'
import type { Chain, ChainWorld } from './chain.ts'
import type { ChainEvent, MempoolTx } from './event.ts'
import {
  changed,
  followsPooled,
  removed,
  removedAll,
  waiting,
  waitingCount,
  type Mempool,
  type MempoolLimits,
} from './mempool.ts'
import { cached, forget, forgotten } from './mempoolCache.ts'

/**
 * Returns the mempool after a block. Included transactions leave it, except those that
 * `staysPooled` keeps; failed ones may be submitted again. The rest is rechecked in order of
 * arrival. This includes queued transactions, which are promoted when their nonce gap is closed.
 */
export function afterBlock(
  world: ChainWorld,
  { mempool, app, height }: Chain,
  {
    included,
    nowMs,
  }: {
    included: readonly ({ readonly key: string } & Checked)[]
    nowMs: bigint
  },
): Pool {
  const { limits } = world
  let next = mempool
  const gone: string[] = []
  for (const { key, code, codespace } of included) {
    const entry = mapGet(mempool.txs, key)
    const isKept = entry !== undefined && staysPooled(limits, entry, { code, codespace })
    if (isKept) next = changed(next, { ...entry, inComet: false })
    else gone.push(key)
  }
  next = removedAll(next, gone)
  next = cached(
    limits,
    next,
    included.map(({ key, code }) => ({ key, isKept: code === 0 || limits.keepInvalid })),
  )
  // CometBFT still contains a replaced transaction, and drops it when it checks it again.
  if (limits.recheck && !limits.keepInvalid) {
    for (const { key } of included) {
      const replaced = mapGet(mempool.txs, key)?.replaced
      if (replaced !== undefined) next = forget(next, plainHexOf(replaced.hash))
    }
  }
  const old = expired(limits, next, { height, ms: nowMs })
  for (const { hash } of old) next = forget(removed(next, hash), plainHexOf(hash))
  const events = old.map((tx) => ({ type: 'txEvicted', tx, why: 'expired' }) as const)
  if (!limits.recheck || waitingCount(next) === 0) return { mempool: next, app, events }
  const checked = rechecked(world, { mempool: next, app })
  return { ...checked, events: [...events, ...checked.events] }
}

/**
 * Returns the transactions past their TTL, as CometBFT v0.37's priority mempool defines it.
 * CometBFT v0.38 no longer has these settings.
 */
function expired(
  { ttlBlocks, ttlMs }: MempoolLimits,
  mempool: Mempool,
  { height, ms }: MempoolTx['since'],
): readonly MempoolTx[] {
  if (ttlBlocks === 0n && ttlMs === 0n) return []
  return waiting(mempool).filter(
    ({ since }) => (ttlBlocks > 0n && height - since.height > ttlBlocks) || (ttlMs > 0n && ms - since.ms > ttlMs),
  )
}

type Checked = Pick<TxResult, 'code' | 'codespace'>

/** Returns whether the fee was too low: code 13 of cosmos-sdk types/errors. */
function isUnpaid({ code, codespace }: Checked): boolean {
  return code === 13 && codespace === 'sdk'
}

/**
 * Returns whether the application's own mempool keeps a transaction that CometBFT drops. A block
 * may include the transaction once the base fee has fallen (geth's legacypool checks only nonce and
 * balance).
 */
function staysPooled(limits: MempoolLimits, { info }: MempoolTx, result: Checked): boolean {
  return limits.priceBumpPercent !== undefined && info?.kind === 'ethereum' && isUnpaid(result)
}

/**
 * Returns the mempool after a recheck of every transaction. The state must not contain the effects
 * of earlier checks: a commit clears them, otherwise use `withoutChecks`.
 */
export function rechecked(world: ChainWorld, before: Pick<Pool, 'mempool' | 'app'>): Pool {
  let { mempool, app } = before
  const events: ChainEvent[] = []
  for (const entry of inNonceOrder(waiting(mempool))) {
    const checkedAgain = world.app.checkTx(app, entry.tx, 'recheck')
    const { state, result } = checkedAgain
    events.push(...incidentsIn(checkedAgain))
    // A transaction that a tester holds stays, even if the base fee has risen above its fee cap.
    if (entry.held && isUnpaid(result)) continue
    if (staysPooled(world.limits, entry, result)) {
      mempool = changed(mempool, { ...entry, inComet: false })
      continue
    }
    if (result.code !== 0) {
      const rest = removed(mempool, entry.hash)
      mempool = world.limits.keepInvalid ? rest : forgotten(rest, entry)
      events.push({ type: 'txEvicted', tx: entry, why: 'recheck' })
      continue
    }
    app = state
    const queued = checkedAgain.queued && !followsPooled(mempool, entry.info)
    const inComet = entry.inComet && (checkedAgain.reported ?? result).code === 0
    if (queued === entry.queued && inComet === entry.inComet) continue
    const next: MempoolTx = { ...entry, queued, inComet }
    mempool = changed(mempool, next)
    if (entry.queued && !queued) events.push({ type: 'txAccepted', tx: next })
  }
  return { mempool, app, events }
}

/** Returns the state without the effects of earlier transaction checks. */
export function withoutChecks(app: AppState): AppState {
  return { ...app, check: emptyMap }
}

/** Sorts transactions by arrival, and those of one sender by nonce. */
function inNonceOrder(entries: readonly MempoolTx[]): readonly MempoolTx[] {
  const bySender = new Map<string, MempoolTx[]>()
  for (const entry of entries) {
    const sender = plainHexOf(entry.info === undefined ? entry.hash : entry.info.sender)
    const own = bySender.get(sender)
    if (own === undefined) bySender.set(sender, [entry])
    else own.push(entry)
  }
  return [...bySender.values()].flatMap((own) => (own.length === 1 ? own : own.toSorted(byNonce)))
}

function byNonce(a: MempoolTx, b: MempoolTx): number {
  const [left, right] = [a.info?.nonce ?? 0n, b.info?.nonce ?? 0n]
  return left === right ? a.seq - b.seq : left < right ? -1 : 1
}
