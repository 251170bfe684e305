/** /cosmos.mint.v1beta1.Query */
import { getMinter } from '../modules/mint/mint.ts'
import { itemResponse, type Methods, stored } from './answer.ts'

const mint = '/cosmos.mint.v1beta1.Query/'

/** In these responses, a decimal is its digits as bytes. */
export const mintQueries: Methods = {
  [`${mint}Params`]: (context) => itemResponse(stored(context, 'mint', Uint8Array.of(1))),
  [`${mint}Inflation`]: (context) => itemResponse(decimalBytes(getMinter(context).inflation)),
  [`${mint}AnnualProvisions`]: (context) => itemResponse(decimalBytes(getMinter(context).annualProvisions)),
}

function decimalBytes(value: bigint): Uint8Array {
  return new TextEncoder().encode(value.toString())
}
