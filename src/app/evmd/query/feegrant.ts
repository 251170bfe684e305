/** /cosmos.feegrant.v1beta1.Query */
import { message, nested, text } from '../../../codec/protobuf/message.ts'
import { equalBytes } from '../../../data/bytes.ts'
import { addressOf } from '../address.ts'
import { findGrant as findAllowance, grantMessage as allowanceMessage } from '../modules/feegrant/grants.ts'
import { sized, storeKey } from '../storeKeys.ts'
import { anyMessage, type StoredAny } from '../wire.ts'
import { itemResponse, type Methods, ofText, ofTexts } from './answer.ts'
import { listed, prefixPage } from './page.ts'
import { statusError } from './status.ts'

const feegrant = '/cosmos.feegrant.v1beta1.Query/'
const shownAllowance = message<{ granter: string; grantee: string; allowance: StoredAny | undefined }>({
  1: ['granter', text],
  2: ['grantee', text],
  3: ['allowance', nested(anyMessage)],
})

/** Store keys consist of grantee and granter. */
export const feegrantQueries: Methods = {
  [`${feegrant}Allowance`]: (context, data) => {
    const { a, b } = ofTexts.decode(data)
    const parties = {
      granter: addressOf(context, a),
      grantee: addressOf(context, b),
    }
    const found = findAllowance(context, parties)
    if (found === undefined) {
      throw statusError('Internal', 'fee-grant not found: not found')
    }
    // The response repeats how the request spells the addresses.
    return itemResponse(shownAllowance.encode({ granter: a, grantee: b, allowance: found.allowance }))
  },
  [`${feegrant}Allowances`]: (context, data) => {
    const { text: grantee, page } = ofText.decode(data)
    const at = storeKey(0, sized(addressOf(context, grantee)))
    return listed.encode(prefixPage(context, { store: 'feegrant', prefix: at, page }))
  },
  [`${feegrant}AllowancesByGranter`]: (context, data) => {
    const { text: granter, page } = ofText.decode(data)
    const asked = addressOf(context, granter)
    return listed.encode(
      prefixPage(context, { store: 'feegrant', prefix: Uint8Array.of(0), page }, ([, raw]) =>
        equalBytes(allowanceMessage(context).decode(raw).granter, asked) ? raw : undefined,
      ),
    )
  },
}
