/** /cosmos.evm.erc20.v1.Query */
import { bool, message } from '../../../codec/protobuf/message.ts'
import { bytesOfDigits } from '../../../codec/hex.ts'
import { erc20Params, findTokenPair, tokenPairMessage } from '../modules/erc20/tokenPairs.ts'
import { isDenom } from '../coins.ts'
import { itemResponse, type Methods, ofPage, ofText } from './answer.ts'
import { listed, prefixPage } from './page.ts'
import { invalidArgument, notFound } from './status.ts'

const erc20 = '/cosmos.evm.erc20.v1.Query/'
type Erc20Params = { enabled: boolean; open: boolean }
const erc20ParamsMessage = message<Erc20Params>({ 1: ['enabled', bool], 5: ['open', bool] })

export const erc20Queries: Methods = {
  [`${erc20}TokenPairs`]: (context, data) => {
    const { page } = ofPage.decode(data)
    return listed.encode(prefixPage(context, { store: 'erc20', prefix: Uint8Array.of(1), page }))
  },
  [`${erc20}TokenPair`]: (context, data) => {
    const { text: token } = ofText.decode(data)
    const address = /^0x[0-9a-f]{40}$/i.test(token) ? bytesOfDigits(token.slice(2)) : undefined
    if (address === undefined && !isDenom(token)) {
      // The error text is the node's (cosmos/evm x/erc20 grpc_query.go TokenPair).
      throw invalidArgument(`invalid format for token ${token}, should be either hex ('0x...') cosmos denom`)
    }
    const pair = findTokenPair(context, address ?? token)
    if (pair === undefined) throw notFound(`token pair with token '${token}'`)
    return itemResponse(tokenPairMessage.encode(pair))
  },
  [`${erc20}Params`]: (context) => {
    const { isEnabled: enabled, isOpen: open } = erc20Params(context)
    return itemResponse(erc20ParamsMessage.encode({ enabled, open }))
  },
}
