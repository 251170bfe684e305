/** /cosmos.consensus.v1.Query */
import { itemResponse, type Methods, stored } from './answer.ts'

const key = new TextEncoder().encode('Consensus')

export const consensusQueries: Methods = {
  '/cosmos.consensus.v1.Query/Params': (context) => itemResponse(stored(context, 'consensus', key)),
}
