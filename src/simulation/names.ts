/** What the names of a scenario stand for, on the node as it is now. */
import type { Validator } from '../chain/block.ts'
import { validatorAddress } from '../chain/validators.ts'
import { bytesOfHex, plainHexOf } from '../codec/hex.ts'
import { ed25519Address } from '../crypto/ed25519.ts'
import { keyPairFromSeed } from '../crypto/keys.ts'
import { equalBytes } from '../data/bytes.ts'
import { nearest } from '../data/nearest.ts'
import { SimError } from '../errors.ts'
import type { Node } from '../node/node.ts'
import type { Facts } from '../scenario/facts.ts'
import type { World } from '../node/world.ts'

/**
 * Returns the address of an account: `0x…`, or `@name` of a contract that a step has made or of a key
 * that the node holds.
 */
export function addressOf(world: World, node: Node, who: string, { accounts }: Pick<Facts, 'accounts'>): Uint8Array {
  if (!who.startsWith('@')) return bytesOfHex(who)
  const made = accounts[who.slice(1)]
  if (made !== undefined) return bytesOfHex(made)
  const keys = [...world.keyring, ...(node.keys ?? [])]
  const key = keys.find(({ name }) => name === who.slice(1))
  if (key === undefined) {
    const known = [...Object.keys(accounts), ...keys.map(({ name }) => name)].map((name) => `@${name}`)
    throw new UnknownName('account', who, known)
  }
  return key.address
}

/** Returns the account of the operator of a validator. */
export function operatorNamed(world: World, node: Node, name: string): Uint8Array {
  const { address } = validatorNamed(node, name)
  const operator = world.ethereum?.operatorOf(node.chain.app, address)
  if (operator === undefined) throw new UnknownName('operator of a validator', name, [])
  return operator
}

/** Returns the public key of a validator that is one, or that `validator4` and so on could be. */
export function validatorKeyNamed({ chain }: Pick<Node, 'chain'>, name: string): Uint8Array {
  const { genesis, validators: { validators } } = chain
  const index = /^validator(\d+)$/.exec(name)?.[1]
  const known = index === undefined ? undefined : genesis.validators[Number(index)]?.publicKey
  if (known !== undefined) return known.bytes
  const found = validators.find(({ address }) => plainHexOf(address) === name.toLowerCase())
  if (found !== undefined) return found.publicKey.bytes
  if (index !== undefined) return keyPairFromSeed(genesis.seed, 'validator', Number(index)).publicKey
  throw new UnknownName('validator', name, genesis.validators.map((_, at) => `validator${at}`))
}

/** Returns a validator: by its address in hex, or `validator0` for the first of the genesis. */
export function validatorNamed({ chain }: Pick<Node, 'chain'>, name: string): Validator {
  const { genesis, validators: { validators } } = chain
  const index = /^validator(\d+)$/.exec(name)?.[1]
  const wanted = index === undefined ? name.toLowerCase()
    : plainHexOf(ed25519Address(validatorKeyNamed({ chain }, name)))
  const found = validators.find(({ address }) => plainHexOf(address) === wanted)
  if (found !== undefined) return found
  const known = genesis.validators.flatMap(({ publicKey }, at) =>
    validators.some(({ address }) => equalBytes(address, validatorAddress(publicKey))) ? [`validator${at}`] : [])
  throw new UnknownName('validator', name, known)
}

/** A scenario names what is not there. */
export class UnknownName extends SimError {
  constructor(kind: string, name: string, known: readonly string[]) {
    const near = nearest(name, known)
    const hint = near === undefined ? `There are ${known.slice(0, 12).join(', ') || 'none'}.` : `Did you mean "${near}"?`
    super('UNKNOWN_NAME', `no ${kind} is called "${name}"`, { hint })
  }
}
