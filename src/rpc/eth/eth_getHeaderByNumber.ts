import { headerJson } from '../../feed/ethShapes.ts'
import { query } from '../method.ts'
import { blockOf } from './lookup.ts'
import { numberParam } from './params.ts'
import { headerResult } from './results.ts'
import { shownBlock } from './uncommitted.ts'

export const eth_getHeaderByNumber = query({
  name: 'eth_getHeaderByNumber',
  summary: 'Returns the header of the block with the given number, or null.',
  spec: 'cosmos-evm-rpc.md §2.2',
  params: [numberParam],
  result: headerResult,
  examples: [{ params: ['0xffffff'], result: null }],
  read: (context, [ref]) => {
    const record = blockOf(context, ref)
    return record === undefined ? null : headerJson(shownBlock(context, record))
  },
})
