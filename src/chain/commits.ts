/** Commits with real signatures over real sign bytes (`comet-rpc.md` §5.5). */
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

export type CommitSigning = {
  readonly set: ValidatorSet
  readonly down: ReadonlySet<string>
  readonly signers: Signers
  readonly chainId: string
}

/** A round and its proposer. */
export type Round = { readonly round: number; readonly proposer: Uint8Array }

/**
 * Returns the first round whose proposer is up. Earlier rounds end in nil votes (§5.9), and so do
 * the first `failing` ones. Requires a quorum.
 */
export function decidingRound(signing: CommitSigning, failing = 0): Round {
  let { set } = signing
  for (let round = 0; round < rotationsMost; round++) {
    const proposer = set.validators[set.proposer]
    const isUpNow = proposer !== undefined && isUp(signing, proposer.address)
    if (isUpNow && round >= failing) return { round, proposer: proposer.address }
    set = incremented(set, 1)
  }
  throw new AssertionFailed('no validator that is up came to propose')
}

/**
 * A search limit. One validator may propose this many times in a row if powers differ widely; more
 * is a bug.
 */
const rotationsMost = 1_000_000

type Decision = {
  readonly height: bigint
  readonly round: number
  readonly blockId: BlockId
  readonly time: Time
}

/** Returns the commit of a block: a precommit of every validator that is up, all at `time`. */
export function signCommit(signing: CommitSigning, { height, round, blockId, time }: Decision): Commit {
  const message = voteSignBytes({ type: 2, height, round, blockId, time }, signing.chainId)
  const signatures = signing.set.validators.map(({ address }): CommitSignature => {
    const signature = isUp(signing, address) ? signing.signers.sign(address, message) : undefined
    return signature === undefined ? absent : { flag: 2, address, time, signature }
  })
  return { height, round, blockId, signatures }
}

/**
 * Returns a commit signed for `time`. A commit already signed for that time is returned as is;
 * otherwise its signers sign again, even those that are now down.
 */
export function commitAt(
  { signers, chainId }: Omit<CommitSigning, 'set' | 'down'>,
  commit: Commit,
  time: Time,
): Commit {
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

/** Returns the power of the validators that can sign, and that of all. */
export function powers(signing: CommitSigning): { readonly up: bigint; readonly all: bigint } {
  const { validators } = signing.set
  const up = validators.filter(({ address }) => isUp(signing, address))
  return { up: totalPower(up), all: totalPower(validators) }
}

/** Returns the power of the validators whose keys we lack. */
export function keylessPower({ set, signers }: CommitSigning): bigint {
  return totalPower(set.validators.filter(({ address }) => !holdsKey(signers, address)))
}

/**
 * Returns whether validators with more than two thirds of the power can sign; no block is mined
 * without them.
 */
export function hasQuorum(signing: CommitSigning): boolean {
  const { up, all } = powers(signing)
  return up * 3n > all * 2n
}

function isUp({ down, signers }: CommitSigning, address: Uint8Array): boolean {
  return !(down.size > 0 && down.has(plainHexOf(address))) && holdsKey(signers, address)
}

const keysHeld = new WeakMap<Signers, Map<string, boolean>>()

/**
 * Returns whether we hold the key of an address. The result is cached, because the test makes a
 * signature.
 */
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

/**
 * Returns the votes that the application receives for a commit: each validator and whether it
 * signed.
 */
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
