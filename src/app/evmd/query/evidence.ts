/** /cosmos.evidence.v1beta1.Query */
import { message, text } from '../../../codec/protobuf/message.ts'
import { readGoHex } from '../../../codec/base64.ts'
import { storeKey } from '../storeKeys.ts'
import { itemResponse, type Methods, ofPage } from './answer.ts'
import { listed, prefixPage, plainly } from './page.ts'
import { invalidArgument, notFound, PlainQueryError } from './status.ts'

const evidence = '/cosmos.evidence.v1beta1.Query/'
const evidenceRequest = message<{ hash: string }>({ 2: ['hash', text] })

export const evidenceQueries: Methods = {
  [`${evidence}Evidence`]: (context, data) => {
    const { hash } = evidenceRequest.decode(data)
    if (hash === '') throw invalidArgument('invalid request; hash is empty')
    const key = readGoHex(hash)
    if (typeof key === 'string') throw new PlainQueryError(`invalid evidence hash: ${key}`)
    const found = context.store('evidence').get(storeKey(0, key))
    if (found === undefined) throw notFound(`evidence ${hash} not found`)
    return itemResponse(found)
  },
  [`${evidence}AllEvidence`]: (context, data) => {
    const { page } = ofPage.decode(data)
    return listed.encode(prefixPage(context, { store: 'evidence', prefix: Uint8Array.of(0), page, refuses: plainly }))
  },
}
