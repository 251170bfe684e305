/** /cosmos.evm.precisebank.v1.Query: with 18 decimals there are no fractions to hold. */
import type { Context } from '../context.ts'
import { getEvmParams } from '../modules/evm/store.ts'
import { coinMessage } from '../wire.ts'
import { answerOf, given, type Methods, ofText } from './answer.ts'

const precisebank = '/cosmos.evm.precisebank.v1.Query/'

export const precisebankQueries: Methods = {
  [`${precisebank}Remainder`]: nothing,
  [`${precisebank}FractionalBalance`]: (context, data) => {
    given(ofText.decode(data).text, 'empty address string is not allowed')
    return nothing(context)
  },
}

function nothing(context: Context): Uint8Array {
  return answerOf(coinMessage.encode({ denom: getEvmParams(context).evmDenom, amount: 0n }))
}
