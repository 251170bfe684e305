/** Actions on transactions in the mempool. */
import { isMeant } from '../chain/holding.ts'
import { waiting } from '../chain/mempool.ts'
import type { MempoolTx } from '../chain/event.ts'
import { equalBytes } from '../data/bytes.ts'
import { plainHexOf } from '../codec/hex.ts'
import type { Action, TxSelect } from '../plan/action.ts'
import type { World } from '../node/world.ts'
import { addressOf } from './names.ts'
import { type Simulation, type Turn, carry } from './turn.ts'

type Of<Type> = Extract<Action, { type: Type }>

/** Returns the turn with a rule that holds matching transactions from now on. */
export function hold(world: World, turn: Turn, { select, name, nth }: Of<'hold'>): Turn {
  const rule = {
    name,
    matched: 0,
    ...(nth !== undefined && { nth }),
    ...meant(world, turn.simulation, select),
  }
  return carry(world, turn, { type: 'holdNext', rule })
}

/** Returns the turn after held transactions and their hold rules were released. */
export function release(world: World, turn: Turn, { select }: Of<'release'>): Turn {
  const open =
    select.name === undefined && Object.keys(select).length > 0
      ? turn
      : carry(world, turn, { type: 'holdNoMore', name: select.name })
  return selected(world, open, select)
    .filter(({ held }) => held)
    .reduce((before, { hash }) => carry(world, before, { type: 'holdTx', hash, held: false }), open)
}

/** Returns the turn after the selected transactions were removed from the mempool. */
export function drop(world: World, turn: Turn, { select }: Of<'drop'>): Turn {
  return selected(world, turn, select).reduce(
    (before, { hash }) => carry(world, before, { type: 'dropTx', hash }),
    turn,
  )
}

function selected(world: World, turn: Turn, select: TxSelect): readonly MempoolTx[] {
  const {
    node,
    progress: { facts },
  } = turn.simulation
  const { hash, name } = select
  const rule = meant(world, turn.simulation, select)
  const named = name === undefined ? undefined : facts.txs[name]
  return waiting(node.chain.mempool).filter(
    (entry) =>
      isMeant(world, rule, entry) &&
      (hash === undefined || isHash(entry, hash)) &&
      (name === undefined || entry.heldAs === name || named?.hash === plainHexOf(entry.hash)),
  )
}

function isHash({ hash, info }: MempoolTx, wanted: Uint8Array): boolean {
  return equalBytes(hash, wanted) || (info?.ethHash !== undefined && equalBytes(info.ethHash, wanted))
}

function meant(world: World, { node, progress: { facts } }: Simulation, { from, to, nonce, selector }: TxSelect) {
  return {
    ...(from !== undefined && { from: addressOf(world, node, from, facts) }),
    ...(to !== undefined && { to: addressOf(world, node, to, facts) }),
    ...(nonce !== undefined && { nonce }),
    ...(selector !== undefined && { selector }),
  }
}
