import { bool } from '../../codec/codec.ts'
import { param, query } from '../method.ts'
import { blockText } from './keptTexts.ts'
import { blockOf } from './lookup.ts'
import { numberParam } from './params.ts'
import { blockResult } from './results.ts'
import { shownBlock } from './uncommitted.ts'

export const eth_getBlockByNumber = query({
  name: 'eth_getBlockByNumber',
  summary: 'Returns the block with the given number, or null.',
  spec: 'cosmos-evm-rpc.md §2.2',
  params: [numberParam, param('full', bool)],
  result: blockResult,
  traits: ['aboutHead', 'showsTxs'],
  examples: [{ params: ['0xffffff', false], result: null }],
  read: (context, [ref, isFull]) => {
    const record = blockOf(context, ref)
    return record === undefined ? null : blockText(shownBlock(context, record), isFull)
  },
})
