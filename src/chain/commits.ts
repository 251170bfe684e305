/** Commits: who signed a block, with real signatures over real sign bytes (`comet-rpc.md` §5.5). */
import { plainHexOf } from '../codec/hex.ts'
import { toBinaryString } from '../data/binaryString.ts'
import { compareTime, zeroTime, type Time } from '../data/time.ts'
import { AssertionFailed } from '../errors.ts'
import type { CommitVote } from '../app/abci.ts'
import type { BlockId, Commit, CommitSignature, ValidatorSet } from './block.ts'
import type { Signers } from './chain.ts'
import { voteSignBytes, zeroBlockId } from './hashing.ts'
import { incremented, totalPower } from './validators.ts'

const noBytes = new Uint8Array(0)
const absent: CommitSignature = { flag: 1, address: noBytes, time: zeroTime, signature: noBytes }

/** The commit that block 1 carries. */
export const firstCommit: Commit = { height: 0n, round: 0, blockId: zeroBlockId, signatures: [] }

export type Signing = {
  readonly set: ValidatorSet
  readonly down: ReadonlySet<string>
  readonly signers: Signers
  readonly chainId: string
}

/** A round and the validator that proposes in it. */
export type Round = { readonly round: number; readonly proposer: Uint8Array }

/**
 * Returns the first round whose proposer is up: the others end in votes for nil (§5.9), and so do
 * the first `failing` ones. Call it only when there is a quorum.
 */
export function decidingRound(signing: Signing, failing = 0): Round {
  let { set } = signing
  for (let round = 0; round < rotationsMost; round++) {
    const proposer = set.validators[set.proposer]
    const isUpNow = proposer !== undefined && isUp(signing, proposer.address)
    if (isUpNow && round >= failing) return { round, proposer: proposer.address }
    set = incremented(set, 1)
  }
  throw new AssertionFailed('no validator that is up came to propose')
}

/** Powers may differ so much that somebody proposes this many times in a row; more is a mistake. */
const rotationsMost = 1_000_000

type Decision = {
  readonly height: bigint
  readonly round: number
  readonly blockId: BlockId
  readonly time: Time
}

/** Returns the commit of a block: a precommit of every validator that is up, all at `time`. */
export function signCommit(signing: Signing, { height, round, blockId, time }: Decision): Commit {
  const message = voteSignBytes({ type: 2, height, round, blockId, time }, signing.chainId)
  const signatures = signing.set.validators.map(({ address }): CommitSignature => {
    const signature = isUp(signing, address) ? signing.signers.sign(address, message) : undefined
    return signature === undefined ? absent : { flag: 2, address, time, signature }
  })
  return { height, round, blockId, signatures }
}

/**
 * Returns the commit with another time: itself when it is signed for that time already, else signed
 * again by those who signed it, whether they are up now or not.
 */
export function commitAt({ signers, chainId }: Omit<Signing, 'set' | 'down'>, commit: Commit, time: Time): Commit {
  const signed = commit.signatures.find(({ flag }) => flag !== 1)
  if (signed === undefined || compareTime(signed.time, time) === 0) return commit
  const { height, round, blockId } = commit
  const message = voteSignBytes({ type: 2, height, round, blockId, time }, chainId)
  const signatures = commit.signatures.map((one): CommitSignature => {
    const signature = one.flag === 1 ? undefined : signers.sign(one.address, message)
    return signature === undefined ? one : { ...one, time, signature }
  })
  return { ...commit, signatures }
}

/** Returns whether more than two thirds of the power can sign: without it no block is made. */
export function hasQuorum(signing: Signing): boolean {
  const { validators } = signing.set
  const up = validators.filter(({ address }) => isUp(signing, address))
  return totalPower(up) * 3n > totalPower(validators) * 2n
}

function isUp({ down, signers }: Signing, address: Uint8Array): boolean {
  return !(down.size > 0 && down.has(plainHexOf(address))) && holdsKey(signers, address)
}

const keysHeld = new WeakMap<Signers, Map<string, boolean>>()

/** Whether somebody signs for an address: asked once, because asking is a signature. */
function holdsKey(signers: Signers, address: Uint8Array): boolean {
  const held = keysHeld.get(signers) ?? new Map<string, boolean>()
  keysHeld.set(signers, held)
  const key = toBinaryString(address)
  const known = held.get(key)
  if (known !== undefined) return known
  const isHeld = signers.sign(address, noBytes) !== undefined
  held.set(key, isHeld)
  return isHeld
}

/** Returns what the application is told of a commit: who of the set signed. */
export function commitVotes(set: ValidatorSet, commit: Commit): readonly CommitVote[] {
  return commit.signatures.map(({ flag }, index) => {
    const validator = set.validators[index]
    return {
      address: validator?.address ?? noBytes,
      power: validator?.power ?? 0n,
      signed: flag !== 1,
    }
  })
}
