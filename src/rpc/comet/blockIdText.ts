import type { BlockId } from '../../chain/block.ts'
import { upperHexOf } from '../../codec/comet.ts'
import { six } from './voteText.ts'

/** Returns a block id as Go prints it. */
export function blockIdText({ hash, parts }: BlockId): string {
  return `${upperHexOf(hash)}:${parts.total}:${six(parts.hash)}`
}
