/** Actions on the state of the application. */
import type { StateEdit } from '../app/application.ts'
import type { NodeCommand } from '../node/command.ts'
import type { Action, Span } from '../plan/action.ts'
import type { Node } from '../node/node.ts'
import type { World } from '../node/world.ts'
import type { Sustained } from '../scenario/facts.ts'
import { addressOf } from './names.ts'
import { type Turn, carry, withFacts } from './turn.ts'
import type { Fee } from '../plan/tx.ts'

type Of<Type> = Extract<Action, { type: Type }>

/** Returns the turn after an operator's change of an account. */
export function editAccount(world: World, turn: Turn, { who, change }: Of<'editAccount'>): Turn {
  const { node, progress } = turn.simulation
  const address = addressOf(world, node, who, progress.facts)
  return carry(world, turn, { type: 'edit', edits: [{ ...change, address }] })
}

/** Returns the turn with a new base fee or block gas limit, for a span or permanently. */
export function fees(world: World, turn: Turn, { baseFee, gasLimit, span }: Of<'fees'>): Turn {
  const { node } = turn.simulation
  const { block } = node.chain.consensusParams
  const edits: readonly StateEdit[] = [
    ...(gasLimit === undefined ? [] : [limitEdit(block, gasLimit)]),
    ...(baseFee === undefined ? [] : [{ type: 'setBaseFee', baseFee: plannedFee(world, node, baseFee) } as const]),
  ]
  const set = carry(world, turn, { type: 'edit', edits })
  if (span === undefined) return set
  // The base fee returns to normal by itself; only the gas limit must be restored.
  const after: readonly NodeCommand[] =
    gasLimit === undefined ? [] : [{ type: 'edit', edits: [limitEdit(block, block.maxGas)] }]
  return lasting(set, { edits, after, span })
}

function limitEdit(block: { readonly maxBytes: bigint }, maxGas: bigint): StateEdit {
  return { type: 'setConsensusParams', params: { block: { maxBytes: block.maxBytes, maxGas } } }
}

/** Returns a planned fee in wei per gas: an amount, or a multiple of the next block's base fee. */
export function plannedFee(world: World, { chain }: Node, fee: Fee): bigint {
  return 'amount' in fee ? fee.amount : fee.times * (world.ethereum?.nextBaseFee(chain.app) ?? 0n)
}

type Lasting = Pick<Sustained, 'edits' | 'after'> & { readonly span: Span }

/** Returns the turn with edits that are repeated until a span is over. */
export function lasting(turn: Turn, { edits, after, span: { ms, blocks } }: Lasting): Turn {
  const {
    node: { nowMs, chain },
    progress: { facts },
  } = turn.simulation
  const one: Sustained = {
    edits,
    after,
    untilMs: ms === undefined ? undefined : nowMs + ms,
    untilHeight: blocks === undefined ? undefined : chain.height + blocks,
  }
  return withFacts(turn, { sustained: [...facts.sustained, one] })
}

/** Returns the turn with changed node settings (sync status, peers), for a span or permanently. */
export function nodeSettings(world: World, turn: Turn, { settings, span }: Of<'settings'>): Turn {
  const set = carry(world, turn, { type: 'changeSettings', settings })
  if (span === undefined) return set
  const { catchingUp, peers } = turn.simulation.node.settings
  const before = {
    ...(settings.catchingUp === undefined ? {} : { catchingUp }),
    ...(settings.peers === undefined ? {} : { peers }),
  }
  return lasting(set, { edits: [], after: [{ type: 'changeSettings', settings: before }], span })
}

/**
 * Returns the turn after the sustained edits were repeated for a new block and the expired ones
 * ended.
 */
export function sustain(world: World, turn: Turn, isNewBlock: boolean): Turn {
  const {
    node,
    progress: { facts },
  } = turn.simulation
  if (facts.sustained.length === 0) return turn
  const isOver = ({ untilMs, untilHeight }: Sustained) =>
    (untilMs !== undefined && node.nowMs >= untilMs) || (untilHeight !== undefined && node.chain.height >= untilHeight)
  const going = facts.sustained.filter((one) => !isOver(one))
  const edits = isNewBlock ? going.flatMap((one) => one.edits) : []
  const commands: readonly NodeCommand[] = [
    ...facts.sustained.filter(isOver).flatMap(({ after }) => after),
    ...(edits.length === 0 ? [] : [{ type: 'edit', edits } as const]),
  ]
  const next = going.length === facts.sustained.length ? turn : withFacts(turn, { sustained: going })
  return commands.reduce((before, command) => carry(world, before, command), next)
}
