/** Actions on validators and on what they have agreed. */
import { SimError } from '../errors.ts'
import type { Action } from '../node/planAction.ts'
import type { World } from '../node/world.ts'
import { clientAttack, doubleSign } from '../rpc/dev/misbehaviour.ts'
import { plainHexOf } from '../codec/hex.ts'
import type { Turn } from '../simulation.ts'
import { carry } from './act.ts'
import { validatorNamed } from './names.ts'

type Of<Type> = Extract<Action, { type: Type }>

/** Returns the turn after a validator stopped or went on signing. */
export function signing(world: World, turn: Turn, { validator, up }: Of<'signing'>): Turn {
  const { address } = validatorNamed(turn.simulation.node, validator)
  return carry(world, turn, { type: 'setSigning', validator: address, up })
}

/** Returns the turn with evidence that waits for the next block. */
export function evidence(world: World, turn: Turn, { validator, attack }: Of<'evidence'>): Turn {
  const { node } = turn.simulation
  const address = plainHexOf(validatorNamed(node, validator).address)
  const proof = attack === undefined
    ? doubleSign({ world, node }, address) : clientAttack({ world, node }, address, attack)
  return carry(world, turn, { type: 'addEvidence', evidence: proof })
}

/**
 * Returns the turn after an operator took blocks off the chain: connections are cut, as when nodes are
 * stopped for it, and the log says that consensus never does this (`mocks.md` §3.5).
 */
export function rollback(world: World, turn: Turn, { to, blocks }: Of<'rollback'>): Turn {
  const { node } = turn.simulation
  const { height } = node.chain
  const depth = blocks ?? height - (to ?? height)
  if (depth < 1n) throw new NothingToRollBack(to ?? height, height)
  const after = carry(world, turn, { type: 'rollback', depth })
  const cut = [...node.connections.keys()].map((connection) =>
    ({ kind: 'close', connection, code: 1012, reason: 'operator rollback' } as const))
  const text = `operator rollback from height ${height} to ${height - depth}: no CometBFT chain does this by itself`
  return { ...after, outputs: [...after.outputs, { kind: 'log', level: 'warn', text }, ...cut] }
}

/** The chain is not above the height it should go back to. */
export class NothingToRollBack extends SimError {
  constructor(to: bigint, height: bigint) {
    super('NOTHING_TO_ROLL_BACK', `cannot roll back to height ${to}: the chain is at ${height}`)
  }
}
