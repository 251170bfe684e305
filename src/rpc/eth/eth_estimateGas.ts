import { EstimateFailed } from '../../app/ethereumView.ts'
import { blockNumber, type BlockRef } from '../../codec/blockRef.ts'
import { hasQuirk } from '../../settings/quirks.ts'
import { RpcError } from '../errors.ts'
import { param, query } from '../method.ts'
import { callOf, isGasTooLow } from './calls.ts'
import { aboveHead, grpcText, serverError } from './errors.ts'
import { ethereumOf, stateOf } from './lookup.ts'
import { rawOverrides, stateOverrides } from './overrides.ts'
import { quantityResult } from './results.ts'
import { revertError } from './revert.ts'
import { txArgs } from './txArgs.ts'

const pending: BlockRef = { kind: 'tag', tag: 'pending' }

export const eth_estimateGas = query({
  name: 'eth_estimateGas',
  summary: 'Returns the least gas with which a message succeeds.',
  spec: 'cosmos-evm-rpc.md §2.5',
  params: [
    param('transaction', txArgs), param('block', blockNumber, pending),
    param('overrides', rawOverrides, undefined),
  ],
  result: quantityResult,
  examples: [{
    params: [{
      from: '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
      to: '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
      value: '0x1',
    }],
    result: '0x5208',
  }],
  read: (context, [args, at, given]) => {
    const state = stateOf(context, at, aboveHead.header)
    const price = args.gasPrice ?? args.maxFeePerGas
    const isPriced = price !== undefined && price > 0n
    if (isPriced && args.from === undefined && hasQuirk(context.node.settings, 'handler-crashes')) {
      throw serverError(
        grpcText('Internal', 'runtime error: invalid memory address or nil pointer dereference')
      )
    }
    const call = callOf(context, state, { args, overrides: stateOverrides(given) })
    try {
      return ethereumOf(context).estimate(state, call)
    } catch (error) {
      throw error instanceof EstimateFailed ? failed(error, call.tx.gasLimit) : error
    }
  },
})

function failed({ result, message }: EstimateFailed, gas: bigint): RpcError {
  if (result?.status === 'revert') return revertError(result.output)
  const isShort = result?.status === 'refused' && isGasTooLow(result.reason?.kind ?? '')
  const text = isShort ? `gas required exceeds allowance (${gas})` : message
  return serverError(grpcText('Unknown', text))
}
