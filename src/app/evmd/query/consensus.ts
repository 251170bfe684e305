/** /cosmos.consensus.v1.Query */
import { answerOf, type Methods, stored } from './answer.ts'

const key = new TextEncoder().encode('Consensus')

export const consensusQueries: Methods = {
  '/cosmos.consensus.v1.Query/Params': (context) => answerOf(stored(context, 'consensus', key)),
}
