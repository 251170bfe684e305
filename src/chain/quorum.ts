/** Whether enough validators sign for a block. */
import { SimError } from '../errors.ts'
import type { Chain, ChainWorld } from './chain.ts'
import { hasQuorum, powers, type Signing } from './commits.ts'

/** Returns the validators that sign the next block, and the means to sign it. */
export function signingOf(world: ChainWorld, chain: Chain): Signing {
  return {
    set: chain.validators,
    down: chain.down,
    signers: world.signers,
    chainId: chain.genesis.chainId,
  }
}

/** Returns why no block can be mined for lack of validators that sign; undefined with a quorum. */
export function quorumMissing(world: ChainWorld, chain: Chain): NoQuorum | undefined {
  const signing = signingOf(world, chain)
  return hasQuorum(signing) ? undefined : new NoQuorum(powers(signing))
}

/** Validators with too little power sign. */
export class NoQuorum extends SimError {
  constructor({ up, all }: ReturnType<typeof powers>) {
    super('NO_QUORUM', `the validators that sign have ${up} of ${all} power; a block needs more than two thirds`, {
      hint: 'Bring one up with set_signing_status on CometBFT RPC, or with signing: { validator, up: true } in a step.',
    })
  }
}
