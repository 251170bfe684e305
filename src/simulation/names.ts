/** Resolves a scenario's names on the current node. */
import { ownValue } from '../data/members.ts'
import type { Validator } from '../chain/block.ts'
import { bytesOfHex, hexOf, plainHexOf } from '../codec/hex.ts'
import { ed25519Address } from '../crypto/ed25519.ts'
import { keyPairFromSeed } from '../crypto/keys.ts'
import { equalBytes } from '../data/bytes.ts'
import { nearest } from '../data/nearest.ts'
import { SimError } from '../errors.ts'
import type { Node } from '../node/node.ts'
import type { Facts } from '../scenario/facts.ts'
import { keysOf, type World } from '../node/world.ts'
import { validatorNameAt } from '../settings/validators.ts'

/**
 * Returns the address of an account: `0x…`, or `@name` of a contract that a step created or of a
 * key that the node holds.
 */
export function addressOf(world: World, node: Node, who: string, { accounts }: Pick<Facts, 'accounts'>): Uint8Array {
  if (!who.startsWith('@')) return bytesOfHex(who)
  const made = ownValue(accounts, who.slice(1))
  if (made !== undefined) return bytesOfHex(made)
  const keys = keysOf(world, node)
  const key = keys.find(({ name }) => name === who.slice(1))
  if (key === undefined) {
    const known = [...Object.keys(accounts), ...keys.map(({ name }) => name)].map((name) => `@${name}`)
    throw new UnknownName('account', who, known)
  }
  return key.address
}

/**
 * Returns the addresses in hex by name: of contracts that steps created, then of keys the node
 * holds.
 */
export function accountsNamed(
  world: World,
  node: Node,
  { accounts }: Pick<Facts, 'accounts'>,
): ReadonlyMap<string, string> {
  const keys = keysOf(world, node).map(({ name, address }) => [name, hexOf(address)] as const)
  return new Map([...keys.toReversed(), ...Object.entries(accounts)])
}

/** Returns the operator account of a validator. */
export function operatorNamed(world: World, place: ValidatorNaming, name: string): Uint8Array {
  const address = validatorAddressNamed(place, name)
  const operator = world.ethereum?.operatorOf(place.node.chain.app, address)
  if (operator === undefined) throw new UnknownName('operator of a validator', name, [])
  return operator
}

/** The source of validator names: a node, and the validators that joined during the scenario. */
export type ValidatorNaming = { readonly node: Node; readonly facts: Pick<Facts, 'joined'> }

/**
 * Returns the names of the validators whose keys are known: those of the genesis, then those that
 * joined.
 */
function validatorNames({ node: { chain, settings }, facts }: ValidatorNaming): readonly string[] {
  const first = chain.genesis.validators.map((_, at) => validatorNameAt(settings, at))
  return [...first, ...facts.joined]
}

/** Returns the public key of a validator, or undefined for an unknown name. */
export function validatorKeyNamed(place: ValidatorNaming, name: string): Uint8Array | undefined {
  const {
    genesis,
    validators: { validators },
  } = place.node.chain
  const index = validatorNames(place).indexOf(name)
  if (index >= 0) return genesis.validators[index]?.publicKey.bytes ?? spareKey(place.node, index)
  return validators.find(({ address }) => plainHexOf(address) === name.toLowerCase())?.publicKey.bytes
}

/** Returns the key for the next validator that joins. */
export function nextValidatorKey(place: ValidatorNaming): Uint8Array {
  return spareKey(place.node, validatorNames(place).length)
}

function spareKey({ chain }: Node, index: number): Uint8Array {
  return keyPairFromSeed(chain.genesis.seed, 'validator', index).publicKey
}

/**
 * Returns the consensus address of a validator, even a jailed one: by name, or in hex while it is
 * in the validator set. Throws `UnknownName` if there is no such validator.
 */
export function validatorAddressNamed(place: ValidatorNaming, name: string): Uint8Array {
  const key = validatorKeyNamed(place, name)
  if (key === undefined) throw new UnknownName('validator', name, validatorNames(place))
  return ed25519Address(key)
}

/**
 * Returns a validator of the current set, by name or hex address. Throws `UnknownName` if there is
 * no such validator, and `SignsNoMore` if it is not in the set.
 */
export function validatorNamed(place: ValidatorNaming, name: string): Validator {
  const wanted = validatorAddressNamed(place, name)
  const { validators } = place.node.chain.validators
  const found = validators.find(({ address }) => equalBytes(address, wanted))
  if (found === undefined) throw new SignsNoMore(name)
  return found
}

/** The validator exists, but is not in the validator set. */
export class SignsNoMore extends SimError {
  constructor(name: string) {
    super('SIGNS_NO_MORE', `validator "${name}" is not in the validator set of this height`, {
      hint: 'It is jailed or has no power. Use unjail or validator first, then mine two blocks.',
    })
  }
}

/** A name in the scenario is unknown. */
export class UnknownName extends SimError {
  constructor(kind: string, name: string, known: readonly string[]) {
    const near = nearest(name, known)
    const hint =
      near === undefined ? `Known names: ${known.slice(0, 12).join(', ') || 'none'}.` : `Did you mean "${near}"?`
    super('UNKNOWN_NAME', `no ${kind} is called "${name}"`, { hint })
  }
}
