/** Prints votes and block ids as Go does (CometBFT `types/vote.go`, `types/block.go`). */
import type { Vote, BlockId } from '../../chain/block.ts'
import { upperHexOf } from '../../codec/comet.ts'
import { formatTime } from '../../codec/time.ts'

export type PrintedVote = Omit<Vote, 'blockId'> & { readonly hash: Uint8Array }

/** Returns a vote with six bytes of each byte field. */
export function voteText(vote: PrintedVote): string {
  const kind = vote.type === 1 ? 'SIGNED_MSG_TYPE_PREVOTE(Prevote)' : 'SIGNED_MSG_TYPE_PRECOMMIT(Precommit)'
  const place = `${vote.height}/${vote.round.toString().padStart(2, '0')}/${kind}`
  return (
    `Vote{${vote.validatorIndex}:${six(vote.validatorAddress)} ${place} ${six(vote.hash)} ` +
    `${six(vote.signature)} ${six(new Uint8Array(0))} @ ${formatTime(vote.time)}}`
  )
}

/** Returns the first six bytes in hex, as Go prints a fingerprint. */
export function six(bytes: Uint8Array): string {
  return upperHexOf(bytes.subarray(0, 6)).padEnd(12, '0')
}

/** Returns a block id as Go prints it. */
export function blockIdText({ hash, parts }: BlockId): string {
  return `${upperHexOf(hash)}:${parts.total}:${six(parts.hash)}`
}
