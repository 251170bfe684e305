/** The genesis document in pieces of 16 MiB of its bytes, as base64 (`comet-rpc.md` §1.9). */
import type { Genesis } from '../../chain/chain.ts'
import { base64Of } from '../../codec/base64.ts'

const chunkBytes = 16 * 1024 * 1024
const known = new WeakMap<Genesis, readonly string[]>()

/** Returns the pieces; they are made once for a document. */
export function genesisChunks(genesis: Genesis): readonly string[] {
  const before = known.get(genesis)
  if (before !== undefined) return before
  const bytes = new TextEncoder().encode(genesis.document)
  const count = Math.ceil(bytes.length / chunkBytes)
  const chunks = Array.from({ length: count }, (_, index) =>
    base64Of(bytes.subarray(index * chunkBytes, (index + 1) * chunkBytes)))
  known.set(genesis, chunks)
  return chunks
}
