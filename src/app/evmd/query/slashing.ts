/** /cosmos.slashing.v1beta1.Query */
import { consensusOf } from '../address.ts'
import { signingInfo, signingInfoMessage, signingInfosPlace } from '../modules/slashing/signingInfo.ts'
import { itemResponse, type Methods, ofPage, ofText, stored } from './answer.ts'
import { listed, prefixPage, plainly } from './page.ts'
import { invalidArgument, notFound } from './status.ts'

const slashing = '/cosmos.slashing.v1beta1.Query/'

export const slashingQueries: Methods = {
  [`${slashing}Params`]: (context) => itemResponse(stored(context, 'slashing', Uint8Array.of(0))),
  [`${slashing}SigningInfo`]: (context, data) => {
    const { text: address } = ofText.decode(data)
    if (address === '') throw invalidArgument('invalid request')
    const info = signingInfo(context, consensusOf(context, address))
    if (info === undefined) throw notFound(`SigningInfo not found for validator ${address}`)
    return itemResponse(signingInfoMessage.encode(info))
  },
  [`${slashing}SigningInfos`]: (context, data) => {
    const { page } = ofPage.decode(data)
    return listed.encode(prefixPage(context, { ...signingInfosPlace, page, refuses: plainly }))
  },
}
