/** /cosmos.evm.precisebank.v1.Query. With 18 decimals, no fractional balances exist. */
import type { Context } from '../context.ts'
import { getEvmParams } from '../modules/evm/store.ts'
import { coinMessage } from '../wire.ts'
import { bech32AddressOf } from '../address.ts'
import { itemResponse, type Methods, ofText } from './answer.ts'

const precisebank = '/cosmos.evm.precisebank.v1.Query/'

export const precisebankQueries: Methods = {
  [`${precisebank}Remainder`]: nothing,
  [`${precisebank}FractionalBalance`]: (context, data) => {
    bech32AddressOf(ofText.decode(data).text, 'cosmos')
    return nothing(context)
  },
}

function nothing(context: Context): Uint8Array {
  return itemResponse(coinMessage.encode({ denom: getEvmParams(context).evmDenom, amount: 0n }))
}
