/** Messages of x/feegrant (msg_server.go). */
import { GoPanic, nilPointer } from '../../../../codec/comet.ts'
import { message, nested, text } from '../../../../codec/protobuf/message.ts'
import { addressOf } from '../../address.ts'
import { emit, type Handler } from '../../context.ts'
import { handler } from '../../tx/handler.ts'
import { sdkError } from '../../txError.ts'
import { anyMessage, rewritten, type StoredAny } from '../../wire.ts'
import { checkAllowance, expirationOf } from './allowance.ts'
import { findGrant, grantAllowance, pruneAllowances, revokeAllowance } from './grants.ts'

type MsgGrant = { granter: string; grantee: string; allowance: StoredAny | undefined }
type MsgRevoke = { granter: string; grantee: string }

const msgGrant = message<MsgGrant>({
  1: ['granter', text],
  2: ['grantee', text],
  3: ['allowance', nested(anyMessage)],
})
const msgRevoke = message<MsgRevoke>({ 1: ['granter', text], 2: ['grantee', text] })
const msgPrune = message<{ pruner: string }>({ 1: ['pruner', text] })
const pruneMost = 75
const prefix = '/cosmos.feegrant.v1beta1.'

export const feegrantMessages: Readonly<Record<string, Handler>> = {
  [`${prefix}MsgGrantAllowance`]: handler(
    msgGrant,
    ({ granter }, at) => addressOf(at, granter),
    (context, asked) => {
      if (asked.granter.toLowerCase() === asked.grantee.toLowerCase()) {
        throw sdkError('invalidAddress', 'cannot self-grant fee authorization')
      }
      const parties = { grantee: addressOf(context, asked.grantee), granter: addressOf(context, asked.granter) }
      if (findGrant(context, parties) !== undefined) {
        throw sdkError('invalidRequest', 'fee allowance already exists')
      }
      const { allowance } = asked
      if (allowance === undefined) throw new GoPanic(nilPointer)
      expirationOf(allowance)
      checkAllowance(allowance)
      grantAllowance(context, parties, rewritten(allowance))
    },
  ),
  [`${prefix}MsgRevokeAllowance`]: handler(
    msgRevoke,
    ({ granter }, at) => addressOf(at, granter),
    (context, { granter, grantee }) => {
      if (granter === grantee) throw sdkError('invalidAddress', 'addresses must be different')
      revokeAllowance(context, { grantee: addressOf(context, grantee), granter: addressOf(context, granter) })
    },
  ),
  [`${prefix}MsgPruneAllowances`]: handler(
    msgPrune,
    ({ pruner }, at) => addressOf(at, pruner),
    (context, { pruner }) => {
      pruneAllowances(context, pruneMost)
      emit(context, 'prune_feegrant', { pruner })
    },
  ),
}
