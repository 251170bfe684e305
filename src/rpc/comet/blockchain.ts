import type { BlockRecord } from '../../chain/block.ts'
import type { Chain } from '../../chain/chain.ts'
import { blockAt } from '../../chain/view.ts'
import { int64 } from '../../codec/comet.ts'
import type { PlainObject } from '../../codec/goJsonWrite.ts'
import { blockIdJson, headerJson } from '../../feed/cometShapes.ts'
import { query } from '../method.ts'
import { JsonText } from '../result.ts'
import { failed } from './errors.ts'
import { cometParam } from './params.ts'
import { arraySchema, named, numeral, objectOf } from './results.ts'

const mostMetas = 20n

export const blockchain = query({
  name: 'blockchain',
  summary: 'Returns the headers and sizes (in bytes) of up to 20 blocks between two heights, newest first.',
  spec: 'comet-rpc.md §1.7',
  params: [cometParam('minHeight', int64, { role: 'block' }), cometParam('maxHeight', int64, { role: 'newestBlock' })],
  result: objectOf({ last_height: numeral, block_metas: arraySchema(named('BlockMeta')) }),
  traits: ['cacheable', 'ofBlock'],
  examples: [{ params: ['1', '1'], result: '…' }],
  read: ({ node: { chain }, other: metas }, [least, most]) => {
    const last = chain.height.toString()
    return metas === undefined
      ? { last_height: last, block_metas: recordsBetween(chain, least, most).map(metaJson) }
      : new JsonText(`{"last_height":"${last}","block_metas":${metas}}`)
  },
})

function recordsBetween(chain: Chain, least: bigint, most: bigint): readonly BlockRecord[] {
  if (least < 0n || most < 0n) throw failed('heights must be non-negative')
  const max = most === 0n || most > chain.height ? chain.height : most
  const from = least === 0n ? 1n : least
  const lowest = chain.history.base > from ? chain.history.base : from
  const min = max - mostMetas + 1n > lowest ? max - mostMetas + 1n : lowest
  if (min > max) throw failed(`min height ${min} can't be greater than max height ${max}`)
  const heights = Array.from({ length: Number(max - min) + 1 }, (_, index) => max - BigInt(index))
  return heights.flatMap((height) => blockAt(chain, height) ?? [])
}

function metaJson({ id, sizeBytes, block }: BlockRecord): PlainObject {
  return {
    block_id: blockIdJson(id),
    block_size: sizeBytes.toString(),
    header: headerJson(block.header),
    num_txs: block.txs.length.toString(),
  }
}
