/** Actions on validators and consensus. */
import { SimError } from '../errors.ts'
import type { Action } from '../plan/action.ts'
import type { World } from '../node/world.ts'
import { clientAttack, doubleSign } from '../rpc/comet/mock/misbehaviour.ts'
import { plainHexOf } from '../codec/hex.ts'
import { nextValidatorKey, type Place, validatorAddressNamed, validatorKeyNamed, validatorNamed } from './names.ts'
import { type Turn, carry, withFacts } from './turn.ts'

type Of<Type> = Extract<Action, { type: Type }>

/** Returns the turn after a validator stopped or resumed signing. */
export function signing(world: World, turn: Turn, { validator, up }: Of<'signing'>): Turn {
  const address = validatorAddressNamed(placeOf(turn), validator)
  return carry(world, turn, { type: 'setSigning', validator: address, up })
}

/** Returns the turn with evidence for the next block. */
export function evidence(world: World, turn: Turn, { validator, attack }: Of<'evidence'>): Turn {
  const { node } = turn.simulation
  const address = plainHexOf(validatorNamed(placeOf(turn), validator).address)
  const proof =
    attack === undefined ? doubleSign({ world, node }, address) : clientAttack({ world, node }, address, attack)
  return carry(world, turn, { type: 'addEvidence', evidence: proof })
}

/**
 * Returns the turn after a change of voting power, which takes effect with the block after next. An
 * unknown name adds a validator.
 */
export function validator(world: World, turn: Turn, { name, power }: Of<'validator'>): Turn {
  const place = placeOf(turn)
  const known = validatorKeyNamed(place, name)
  const publicKey = known ?? nextValidatorKey(place)
  const set = carry(world, turn, { type: 'edit', edits: [{ type: 'setPower', publicKey, moniker: name, power }] })
  return known === undefined ? withFacts(set, { joined: [...place.facts.joined, name] }) : set
}

/** Returns the turn after a validator was jailed or unjailed. */
export function jail(world: World, turn: Turn, { validator: name, isJailed, slash }: Of<'jail'>): Turn {
  const consensus = validatorAddressNamed(placeOf(turn), name)
  return carry(world, turn, { type: 'edit', edits: [{ type: 'setJailed', consensus, isJailed, fraction: slash }] })
}

function placeOf({
  simulation: {
    node,
    progress: { facts },
  },
}: Turn): Place {
  return { node, facts }
}

/** Returns the turn with a planned upgrade: the chain halts before the block of that height. */
export function upgrade(world: World, turn: Turn, { name, height, in: later, info }: Of<'upgrade'>): Turn {
  const plan = { name, info, height: height ?? turn.simulation.node.chain.height + 1n + later }
  return carry(world, turn, { type: 'edit', edits: [{ type: 'planUpgrade', plan }] })
}

/**
 * Returns the turn after an upgraded program took over: the plan is cleared and block production
 * resumes.
 */
export function resume(world: World, turn: Turn, { appVersion }: Of<'resume'>): Turn {
  const free = carry(world, turn, { type: 'edit', edits: [{ type: 'planUpgrade', plan: undefined }] })
  const named =
    appVersion === undefined ? free : carry(world, free, { type: 'changeSettings', settings: { appVersion } })
  // Mines waiting transactions now, instead of with the next transaction.
  return carry(world, named, { type: 'setBlockPolicy', policy: {} })
}

/**
 * Returns the turn with `count` failing rounds before the next block. On interval chains the rounds
 * take time.
 */
export function rounds(world: World, turn: Turn, { count }: Of<'rounds'>): Turn {
  return carry(world, carry(world, turn, { type: 'failRounds', rounds: count }), { type: 'setBlockPolicy', policy: {} })
}

/**
 * Returns the turn after an operator removed blocks from the chain. Connections are closed, as when
 * nodes are stopped for a rollback. The log notes that consensus never does this (`mocks.md` §3.5).
 */
export function rollback(world: World, turn: Turn, { to, blocks }: Of<'rollback'>): Turn {
  const { node } = turn.simulation
  const { height } = node.chain
  const depth = blocks ?? height - (to ?? height)
  if (depth < 1n) throw new NothingToRollBack(to ?? height, height)
  const after = carry(world, turn, { type: 'rollback', depth })
  const cut = [...node.connections.keys()].map(
    (connection) => ({ kind: 'close', connection, code: 1012, reason: 'operator rollback' }) as const,
  )
  const text = `operator rollback from height ${height} to ${height - depth}: a real chain never does this by itself`
  return { ...after, outputs: [...after.outputs, { kind: 'log', level: 'warn', text }, ...cut] }
}

/** The chain is not above the height to roll back to. */
export class NothingToRollBack extends SimError {
  constructor(to: bigint, height: bigint) {
    super('NOTHING_TO_ROLL_BACK', `cannot roll back to height ${to}: the chain is at ${height}`)
  }
}
