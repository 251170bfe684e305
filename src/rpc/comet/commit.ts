import { blockAt, resolveHeight } from '../../chain/view.ts'
import { commitJson, headerJson } from '../../feed/cometShapes.ts'
import type { Commit } from '../../chain/block.ts'
import { keptText } from '../keptText.ts'
import { query } from '../method.ts'
import { heightParam } from './params.ts'
import { shaped } from '../result.ts'
import { named, nullable } from './results.ts'

export const commit = query({
  name: 'commit',
  summary:
    'Returns the header at a height with its commit signatures, which are canonical once the next block contains them.',
  spec: 'comet-rpc.md §1.14',
  params: [heightParam],
  result: shaped(nullable(named('SignedHeader'))),
  traits: ['cacheableAtHeight', 'aboutHead', 'ofBlock'],
  examples: [{ params: [null], result: '…' }],
  read: ({ node: { chain } }, [height]) => {
    const resolved = resolveHeight(chain, height)
    const record = blockAt(chain, resolved)
    if (record === undefined) return null
    const next = blockAt(chain, resolved + 1n)
    const signed = (signatures: Commit) => ({
      signed_header: { header: headerJson(record.block.header), commit: commitJson(signatures) },
      canonical: next !== undefined,
    })
    // The next block identifies its predecessor, so the text can be cached with the next block
    // alone.
    if (next === undefined) return signed(record.seenCommit)
    const { lastCommit } = next.block
    return keptText(next, 'commit below', () => signed(lastCommit))
  },
})
