/** Why no block can be mined: too few validators sign, or the application is halted. */
import { SimError } from '../errors.ts'
import type { Chain, ChainWorld } from './chain.ts'
import { hasQuorum, keylessPower, powers, type CommitSigning } from './commits.ts'

/** Returns the validators that sign the next block, and the means to sign it. */
export function signingOf(world: ChainWorld, chain: Chain): CommitSigning {
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
  return hasQuorum(signing) ? undefined : new NoQuorum(signing)
}

/** Returns why the application executes no further block, or undefined. */
export function haltOf({ app }: ChainWorld, chain: Chain): ChainHalted | undefined {
  const why = app.halted(chain.app)
  return why === undefined ? undefined : new ChainHalted(why)
}

/** Returns why no block can be made now, or undefined. */
export function noBlockReason(world: ChainWorld, chain: Chain): ChainHalted | NoQuorum | undefined {
  return haltOf(world, chain) ?? quorumMissing(world, chain)
}

/** How many blocks were to be mined, and how many of them were not. */
type Shortfall = { readonly blocks: number; readonly left: number }

/** Returns the error of mining that ended early because the chain halted, lost its quorum or was restored. */
export function stoppedMining(world: ChainWorld, chain: Chain, { blocks, left }: Shortfall): SimError {
  const why = noBlockReason(world, chain)
  if (why !== undefined && left === blocks) return why
  const mined = `only ${blocks - left} of ${blocks} blocks were mined`
  return new MiningStopped(mined, why)
}

/** Fewer blocks were mined than were to be; `why` is undefined if the chain can mine now. */
class MiningStopped extends SimError {
  constructor(mined: string, why: ChainHalted | NoQuorum | undefined) {
    const { code, message, hint } = why ?? interrupted
    super(code, `${mined}: ${message}`, hint === undefined ? {} : { hint })
  }
}

const interrupted = {
  code: 'MINING_STOPPED',
  message: 'meanwhile the chain was reset, restored or reloaded, or lacked a quorum',
  hint: 'Mine again.',
}

/** The application is halted; the message is its own, such as `UPGRADE "v2" NEEDED at height: 9: `. */
export class ChainHalted extends SimError {
  constructor(why: string) {
    super('CHAIN_HALTED', why, {
      hint: 'Restore a checkpoint or roll back, or resume with chain: { resume: true } in a step of a scenario.',
    })
  }
}

/** Validators with too little power sign. */
export class NoQuorum extends SimError {
  constructor(signing: CommitSigning) {
    const { up, all } = powers(signing)
    const keyless = keylessPower(signing)
    const found = `the validators that sign have ${up} of ${all} power; a block needs more than two thirds`
    // Without keys, bringing validators up does not help.
    const isForKeys = keyless * 3n >= all
    super('NO_QUORUM', isForKeys ? `${found}, and the keys of ${keyless} power are missing` : found, {
      hint: isForKeys
        ? 'Give the private keys of the validators of the genesis document with --validator-keys: each is priv_key.value in a priv_validator_key.json.'
        : 'Bring one up with set_signing_status on CometBFT RPC, or with signing: { validator, up: true } in a step.',
    })
  }
}
