import test from 'ava'
import { QueryParamsRequest } from 'cosmjs-types/cosmos/gov/v1/query'
import { startMessages } from '../../../helpers/messageChain.ts'

test('both versions of x/gov refuse an unknown kind of parameters in the same words', (t) => {
  const chain = startMessages()
  const data = QueryParamsRequest.encode({ paramsType: 'x' }).finish()
  for (const version of ['v1', 'v1beta1']) {
    t.throws(() => chain.query(`/cosmos.gov.${version}.Query/Params`, data), { message: /unknown params type: x/ })
  }
})
