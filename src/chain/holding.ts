/** Held transactions: they stay in the mempool and enter no block until they are released. */
import { equalBytes } from '../data/bytes.ts'
import type { Chain, ChainWorld } from './chain.ts'
import type { MempoolTx } from './event.ts'
import type { HoldRule } from './command.ts'

/** Returns a new transaction, held if a rule matches, and the rules with updated match counts. */
export function heldBack(
  world: ChainWorld,
  { holds = [] }: Pick<Chain, 'holds'>,
  entry: MempoolTx,
): { readonly entry: MempoolTx; readonly holds: readonly HoldRule[] } {
  const matching = holds.filter((rule) => isMeant(world, rule, entry))
  if (matching.length === 0) return { entry, holds }
  const counted = holds.map((rule) => (matching.includes(rule) ? { ...rule, matched: rule.matched + 1 } : rule))
  const by = matching.find(({ nth, matched }) => nth === undefined || matched + 1 === nth)
  return { entry: by === undefined ? entry : { ...entry, held: true, heldAs: by.name }, holds: counted }
}

/** Returns whether a transaction matches a description. */
export function isMeant(
  { ethereum }: ChainWorld,
  { from, to, nonce, selector }: Omit<HoldRule, 'name' | 'matched' | 'nth'>,
  { tx, info }: Pick<MempoolTx, 'tx' | 'info'>,
): boolean {
  if (from !== undefined && (info === undefined || !equalBytes(info.sender, from))) return false
  if (nonce !== undefined && info?.nonce !== nonce) return false
  if (to === undefined && selector === undefined) return true
  const [inside] = ethereum?.unwrap(tx) ?? []
  if (inside === undefined) return false
  const target = inside.tx.to ?? new Uint8Array(0)
  return (
    (to === undefined || equalBytes(target, to)) &&
    (selector === undefined || equalBytes(inside.tx.data.subarray(0, 4), selector))
  )
}
