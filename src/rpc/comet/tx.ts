import { txByHash } from '../../chain/lookups.ts'
import { upperHexOf } from '../../codec/comet.ts'
import { query } from '../method.ts'
import { failed } from './errors.ts'
import { indexedHeight } from './indexed.ts'
import { txAnswer } from './lookup.ts'
import { txHashParam, proveParam } from './params.ts'
import { txResult } from './results.ts'

export const tx = query({
  name: 'tx',
  summary: 'Returns a mined transaction by its hash, optionally with a proof of inclusion in its block.',
  spec: 'comet-rpc.md §1.16',
  params: [txHashParam, proveParam],
  result: txResult,
  traits: ['cacheable', 'ofMinedTx', 'comesWithBlock', 'showsTxs'],
  examples: [
    {
      before: [['broadcast_tx_commit', 'YT0x']],
      params: ['wi/qXXQo5c9H72NUyXySI8ldbc3D4NIwD/eQVrH/PYU=', false],
      result: { hash: '…', height: '2', index: 0, tx_result: '…', tx: 'YT0x' },
    },
  ],
  isKept: () => true,
  read: ({ node }, [hash, prove]) => {
    const { chain, settings } = node
    if (settings.indexer === 'null') throw failed('transaction indexing is disabled')
    if (hash.length === 0) throw failed('transaction hash cannot be empty')
    const found = txByHash(chain.history, hash)
    if (found === undefined || found.height > indexedHeight(node)) {
      throw failed(`tx (${upperHexOf(hash)}) not found`)
    }
    return txAnswer(chain, found, prove)
  },
})
