import { blockNumber } from '../../codec/blockRef.ts'
import { nilPointer } from '../../codec/comet.ts'
import { hasQuirk } from '../../settings/quirks.ts'
import { inRole, param, query } from '../method.ts'
import { callOf, estimateBlock, estimated } from './calls.ts'
import { aboveHead, grpcText, serverError } from './errors.ts'
import { stateOfRef } from './lookup.ts'
import { rawOverrides, stateOverrides } from './overrides.ts'
import { isFixedIn, pending } from './params.ts'
import { quantityResult } from './results.ts'
import { txArgs } from '../../app/txArgs.ts'

export const eth_estimateGas = query({
  name: 'eth_estimateGas',
  summary: 'Returns the smallest gas limit with which a call succeeds.',
  spec: 'cosmos-evm-rpc.md §2.5',
  params: [
    param('transaction', txArgs),
    { ...inRole('state', param('block', blockNumber, pending)), isPointer: true },
    param('overrides', rawOverrides, undefined),
  ],
  result: quantityResult,
  examples: [
    {
      params: [
        {
          from: '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
          to: '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
          value: '0x1',
        },
      ],
      result: '0x5208',
    },
  ],
  // An estimate runs in the next block (`estimateBlock`).
  isKept: (_, { chain }) => isFixedIn(chain, pending),
  read: (context, [args, at, given]) => {
    const state = stateOfRef(context, at, aboveHead.header)
    const price = args.gasPrice ?? args.maxFeePerGas
    const isPriced = price !== undefined && price > 0n
    if (isPriced && args.from === undefined && hasQuirk(context.node.settings, 'handler-crashes')) {
      throw serverError(grpcText('Internal', nilPointer))
    }
    const overrides = stateOverrides(given)
    const block = estimateBlock(context, at, state)
    const call = callOf(context, state, { args, overrides, ...block })
    return estimated(context, state, call)
  },
})
