/** Actions on the mempool and on fees. */
import { ownValue } from '../../data/members.ts'
import type { StateEdit } from '../../app/application.ts'
import { isMeant } from '../../chain/holding.ts'
import { waiting } from '../../chain/mempool.ts'
import type { MempoolTx } from '../../chain/event.ts'
import { equalBytes } from '../../data/bytes.ts'
import { plainHexOf } from '../../codec/hex.ts'
import type { NodeCommand } from '../../node/command.ts'
import type { Node } from '../../node/node.ts'
import type { ActionOf, Fee, TxSelect } from '../../plan/action.ts'
import type { World } from '../../node/world.ts'
import { addressOf } from '../names.ts'
import { lasting } from '../sustained.ts'
import { type Simulation, type Turn, carry } from '../turn.ts'

/** Returns the turn with a rule that holds matching transactions from now on. */
function hold(world: World, turn: Turn, { select, name, nth }: ActionOf<'hold'>): Turn {
  const rule = {
    name,
    matched: 0,
    ...(nth !== undefined && { nth }),
    ...meant(world, turn.simulation, select),
  }
  return carry(world, turn, { type: 'holdNext', rule })
}

/** Returns the turn after held transactions and their hold rules were released. */
function release(world: World, turn: Turn, { select }: ActionOf<'release'>): Turn {
  const open =
    select.name === undefined && Object.keys(select).length > 0
      ? turn
      : carry(world, turn, { type: 'holdNoMore', name: select.name })
  return selected(world, open, select)
    .filter(({ held }) => held)
    .reduce((before, { hash }) => carry(world, before, { type: 'holdTx', hash, held: false }), open)
}

/** Returns the turn after the selected transactions were removed from the mempool. */
function drop(world: World, turn: Turn, { select }: ActionOf<'drop'>): Turn {
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
  const named = name === undefined ? undefined : ownValue(facts.txs, name)
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

/** Returns the turn with a new base fee or block gas limit, for a span or permanently. */
function fees(world: World, turn: Turn, { baseFee, gasLimit, span }: ActionOf<'fees'>): Turn {
  const { node } = turn.simulation
  const { block } = node.chain.consensusParams
  const edits: readonly StateEdit[] = [
    ...(gasLimit === undefined ? [] : [limitEdit(block, gasLimit)]),
    ...(baseFee === undefined ? [] : [{ type: 'setBaseFee', baseFee: plannedFee(world, node, baseFee) } as const]),
  ]
  const limit = (maxGas: bigint): NodeCommand => ({ type: 'edit', edits: [limitEdit(block, maxGas)] })
  const set = carry(world, turn, { type: 'edit', edits })
  // The base fee returns to normal by itself; only the gas limit must be restored.
  const values = gasLimit === undefined ? {} : { gasLimit: { during: limit(gasLimit), after: limit(block.maxGas) } }
  return lasting(set, { edits, values, span })
}

function limitEdit(block: { readonly maxBytes: bigint }, maxGas: bigint): StateEdit {
  return { type: 'setConsensusParams', params: { block: { maxBytes: block.maxBytes, maxGas } } }
}

/** Returns a planned fee in wei per gas: an amount, or a multiple of the next block's base fee. */
export function plannedFee(world: World, { chain }: Node, fee: Fee): bigint {
  return 'amount' in fee ? fee.amount : fee.times * (world.ethereum?.nextBaseFee(chain.app) ?? 0n)
}

export const mempoolPerformers = { hold, release, drop, fees }
