/** Actions on validators and consensus. */
import type { ActionOf } from '../../plan/action.ts'
import type { World } from '../../node/world.ts'
import { clientAttack, doubleSign } from '../../rpc/comet/mock/misbehaviour.ts'
import { plainHexOf } from '../../codec/hex.ts'
import {
  nextValidatorKey,
  type ValidatorNaming,
  validatorAddressNamed,
  validatorKeyNamed,
  validatorNamed,
} from '../names.ts'
import { type Turn, carry, withFacts } from '../turn.ts'

/** Returns the turn after a validator stopped or resumed signing. */
function signing(world: World, turn: Turn, { validator, up }: ActionOf<'signing'>): Turn {
  const address = validatorAddressNamed(placeOf(turn), validator)
  return carry(world, turn, { type: 'setSigning', validator: address, up })
}

/** Returns the turn with evidence for the next block. */
function evidence(world: World, turn: Turn, { validator, attack }: ActionOf<'evidence'>): Turn {
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
function validator(world: World, turn: Turn, { name, power }: ActionOf<'validator'>): Turn {
  const place = placeOf(turn)
  const known = validatorKeyNamed(place, name)
  const publicKey = known ?? nextValidatorKey(place)
  const set = carry(world, turn, { type: 'edit', edits: [{ type: 'setPower', publicKey, moniker: name, power }] })
  return known === undefined ? withFacts(set, { joined: [...place.facts.joined, name] }) : set
}

/** Returns the turn after a validator was jailed or unjailed. */
function jail(world: World, turn: Turn, { validator: name, isJailed, slash }: ActionOf<'jail'>): Turn {
  const consensus = validatorAddressNamed(placeOf(turn), name)
  return carry(world, turn, { type: 'edit', edits: [{ type: 'setJailed', consensus, isJailed, fraction: slash }] })
}

function placeOf({
  simulation: {
    node,
    progress: { facts },
  },
}: Turn): ValidatorNaming {
  return { node, facts }
}

/** Returns the turn with a planned upgrade: the chain halts before the block of that height. */
function upgrade(world: World, turn: Turn, { name, height, in: later, info }: ActionOf<'upgrade'>): Turn {
  const plan = { name, info, height: height ?? turn.simulation.node.chain.height + 1n + later }
  return carry(world, turn, { type: 'edit', edits: [{ type: 'planUpgrade', plan }] })
}

/**
 * Returns the turn after an upgraded program took over: the plan is cleared and block production
 * resumes.
 */
function resume(world: World, turn: Turn, { appVersion }: ActionOf<'resume'>): Turn {
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
function rounds(world: World, turn: Turn, { count }: ActionOf<'rounds'>): Turn {
  return carry(world, carry(world, turn, { type: 'failRounds', rounds: count }), { type: 'setBlockPolicy', policy: {} })
}

export const consensusPerformers = { signing, evidence, validator, jail, upgrade, resume, rounds }
