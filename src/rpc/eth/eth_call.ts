import { param, query } from '../method.ts'
import { callOf, checkTime, outputOf } from './calls.ts'
import { aboveHead } from './errors.ts'
import { ethereumOf, stateOfRef } from './lookup.ts'
import { blockOverride, rawOverrides, stateOverrides } from './overrides.ts'
import { isFixedIn, stateParam } from './params.ts'
import { bytesResult } from './results.ts'
import { txArgs } from '../../app/txArgs.ts'

export const eth_call = query({
  name: 'eth_call',
  summary: 'Executes a call on the state of a block and returns its output, without changing the state.',
  spec: 'cosmos-evm-rpc.md §2.5',
  params: [
    param('transaction', txArgs),
    stateParam,
    param('overrides', rawOverrides, undefined),
    param('blockOverrides', blockOverride, undefined),
  ],
  result: bytesResult,
  examples: [
    {
      params: [{ to: '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266' }, 'latest'],
      result: '0x',
    },
  ],
  isKept: ([, at], { chain }) => isFixedIn(chain, at),
  read: (context, [args, at, given, blockOverride]) => {
    const state = stateOfRef(context, at, aboveHead.header)
    const overrides = stateOverrides(given)
    const call = callOf(context, state, { args, overrides, blockOverride })
    const result = ethereumOf(context).call(state, call)
    checkTime(context, call, result)
    return outputOf(context, result)
  },
})
