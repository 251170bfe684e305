/** /cosmos.authz.v1beta1.Query */
import { bytes, message, nested, text } from '../../../codec/protobuf/message.ts'
import { timestamp } from '../../../codec/protobuf/timestamp.ts'
import { equalBytes } from '../../../data/bytes.ts'
import type { Time } from '../../../data/time.ts'
import { accountText, addressOf } from '../address.ts'
import { authzError } from '../modules/authz/authorization.ts'
import { sized, storeKey } from '../storeKeys.ts'
import { type Methods, ofText } from './answer.ts'
import { listed, type PageRequest, prefixPage, pageRequest, plainly } from './page.ts'

const authz = '/cosmos.authz.v1beta1.Query/'
type GrantsAsked = { granter: string; grantee: string; type: string; page: PageRequest | undefined }
const grantsRequest = message<GrantsAsked>({
  1: ['granter', text],
  2: ['grantee', text],
  3: ['type', text],
  4: ['page', nested(pageRequest)],
})
type StoredGrant = { authorization: Uint8Array; expiration: Time | undefined }
const storedGrant = message<StoredGrant>({
  1: ['authorization', bytes],
  2: ['expiration', nested(timestamp)],
})
const namedGrant = message<StoredGrant & { granter: string; grantee: string }>({
  1: ['granter', text],
  2: ['grantee', text],
  3: ['authorization', bytes],
  4: ['expiration', nested(timestamp)],
})

/** Store keys consist of granter, grantee and message type. */
export const authzQueries: Methods = {
  [`${authz}Grants`]: (context, data) => {
    const { granter, grantee, type, page } = grantsRequest.decode(data)
    const parties = [sized(addressOf(context, granter)), sized(addressOf(context, grantee))]
    if (type === '') {
      const at = storeKey(1, ...parties)
      return listed.encode(prefixPage(context, { store: 'authz', prefix: at, page, refuses: plainly }))
    }
    const key = storeKey(1, ...parties, new TextEncoder().encode(type))
    const found = context.store('authz').get(key)
    if (found === undefined) {
      throw authzError(2, `authorization not found for ${type} type: authorization not found`)
    }
    return listed.encode({ items: [found], page: undefined })
  },
  [`${authz}GranterGrants`]: (context, data) => {
    const { text: granter, page } = ofText.decode(data)
    const at = storeKey(1, sized(addressOf(context, granter)))
    return listed.encode(
      prefixPage(context, { store: 'authz', prefix: at, page, refuses: plainly }, ([key, raw]) =>
        namedGrant.encode({
          ...storedGrant.decode(raw),
          granter,
          grantee: accountText(context, key.slice(1, 1 + (key[0] ?? 0))),
        }),
      ),
    )
  },
  [`${authz}GranteeGrants`]: (context, data) => {
    const { text: grantee, page } = ofText.decode(data)
    const asked = addressOf(context, grantee)
    return listed.encode(
      prefixPage(context, { store: 'authz', prefix: Uint8Array.of(1), page, refuses: plainly }, ([key, raw]) => {
        const split = 1 + (key[0] ?? 0)
        const to = key.slice(split + 1, split + 1 + (key[split] ?? 0))
        const granter = accountText(context, key.slice(1, split))
        return equalBytes(to, asked) ? namedGrant.encode({ ...storedGrant.decode(raw), granter, grantee }) : undefined
      }),
    )
  },
}
