/** Commits: who signed a block, with real signatures over real sign bytes (`comet-rpc.md` §5.5). */
import { plainHexOf } from '../codec/hex.ts'
import { compareTime, zeroTime, type Time } from '../data/time.ts'
import type { CommitVote } from '../app/abci.ts'
import type { BlockId, Commit, CommitSignature, ValidatorSet } from './block.ts'
import type { Signers } from './chain.ts'
import { voteSignBytes, zeroBlockId } from './hashing.ts'
import { totalPower } from './validators.ts'

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

/** Returns the commit of a block: a precommit of every validator that is up, all at `time`. */
export function signCommit(
  { set, down, signers, chainId }: Signing, of: { height: bigint; blockId: BlockId; time: Time },
): Commit {
  const message = voteSignBytes({ type: 2, round: 0, ...of }, chainId)
  const signatures = set.validators.map(({ address }): CommitSignature => {
    const signature = down.has(plainHexOf(address)) ? undefined : signers.sign(address, message)
    return signature === undefined ? absent : { flag: 2, address, time: of.time, signature }
  })
  return { height: of.height, round: 0, blockId: of.blockId, signatures }
}

/** Returns the commit with another time: itself when it is signed for that time already. */
export function commitAt(signing: Signing, commit: Commit, time: Time): Commit {
  const signed = commit.signatures.find(({ flag }) => flag !== 1)
  if (signed === undefined || compareTime(signed.time, time) === 0) return commit
  return signCommit(signing, { height: commit.height, blockId: commit.blockId, time })
}

/** Returns whether more than two thirds of the power can sign: without it no block is made. */
export function hasQuorum({ set, down, signers }: Signing): boolean {
  const up = set.validators.filter(({ address }) =>
    !down.has(plainHexOf(address)) && signers.sign(address, noBytes) !== undefined)
  return totalPower(up) * 3n > totalPower(set.validators) * 2n
}

/** Returns what the application is told of a commit: who of the set signed. */
export function commitVotes(set: ValidatorSet, commit: Commit): readonly CommitVote[] {
  return commit.signatures.map(({ flag }, index) => {
    const validator = set.validators[index]
    return { address: validator?.address ?? noBytes, power: validator?.power ?? 0n, signed: flag !== 1 }
  })
}
