/** /cosmos.feegrant.v1beta1.Query */
import { accountText } from '../address.ts'
import { findGrant as findAllowance, grantMessage as allowanceMessage } from '../modules/feegrant/grants.ts'
import { sized, storeKey } from '../storeKeys.ts'
import { answerOf, given, type Methods, ofText, ofTexts } from './answer.ts'
import { listed, pageOf } from './page.ts'
import { statusError } from './status.ts'

const feegrant = '/cosmos.feegrant.v1beta1.Query/'

/** Store keys consist of grantee and granter. */
export const feegrantQueries: Methods = {
  [`${feegrant}Allowance`]: (context, data) => {
    const { a, b } = ofTexts.decode(data)
    const parties = {
      granter: given(a, 'empty address string is not allowed'),
      grantee: given(b, 'empty address string is not allowed'),
    }
    const found = findAllowance(context, parties)
    if (found === undefined) {
      throw statusError('Internal', 'fee-grant not found: not found')
    }
    return answerOf(allowanceMessage.encode(found))
  },
  [`${feegrant}Allowances`]: (context, data) => {
    const { text: grantee, page } = ofText.decode(data)
    const at = storeKey(0, sized(given(grantee, 'empty address string is not allowed')))
    return listed.encode(pageOf(context, { store: 'feegrant', prefix: at, page }))
  },
  [`${feegrant}AllowancesByGranter`]: (context, data) => {
    const { text: granter, page } = ofText.decode(data)
    given(granter, 'empty address string is not allowed')
    return listed.encode(
      pageOf(context, { store: 'feegrant', prefix: Uint8Array.of(0), page }, ([, raw]) =>
        accountText(allowanceMessage.decode(raw).granter) === granter ? raw : undefined,
      ),
    )
  },
}
