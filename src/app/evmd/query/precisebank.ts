/** /cosmos.evm.precisebank.v1.Query: the wei of accounts beyond whole coins. */
import type { Context } from '../context.ts'
import { evmCoin } from '../evmCoin.ts'
import { getFraction, getRemainder } from '../modules/precisebank/fractions.ts'
import { coinMessage } from '../wire.ts'
import { bech32AddressOf } from '../address.ts'
import { itemResponse, type Methods, ofText } from './answer.ts'

const precisebank = '/cosmos.evm.precisebank.v1.Query/'

export const precisebankQueries: Methods = {
  [`${precisebank}Remainder`]: (context) => weiResponse(context, getRemainder(context, evmCoin(context))),
  [`${precisebank}FractionalBalance`]: (context, data) => {
    const address = bech32AddressOf(context, ofText.decode(data).text)
    return weiResponse(context, getFraction(context, address, evmCoin(context)))
  },
}

function weiResponse(context: Context, amount: bigint): Uint8Array {
  return itemResponse(coinMessage.encode({ denom: evmCoin(context).extendedDenom, amount }))
}
