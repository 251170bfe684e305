/** Messages of x/authz (msg_server.go). */
import { always, bytes, message, nested, repeated, text } from '../../../../codec/protobuf/message.ts'
import { isImplementation } from '../../../../codec/schema/files.ts'
import { accountText, addressOf, namedAddress } from '../../address.ts'
import type { Context, Handler } from '../../context.ts'
import { handler } from '../../tx/handler.ts'
import type { AnyMessage } from '../../tx/runHandler.ts'
import { goError, sdkError, TxError } from '../../txError.ts'
import { anyMessage, rewritten } from '../../wire.ts'
import { createAccount, getAccount } from '../auth/accounts.ts'
import { isBlocked } from '../bank/blocked.ts'
import { authzError, checkAuthorization, messageTypeOf } from './authorization.ts'
import { deleteGrant, dispatch, type Grant, grantMessage, saveGrant } from './grants.ts'

type MsgGrant = { granter: string; grantee: string; grant: Grant | undefined }
type MsgRevoke = { granter: string; grantee: string; type: string }
type MsgExec = { grantee: string; messages: readonly AnyMessage[] }

const msgGrant = message<MsgGrant>({
  1: ['granter', text],
  2: ['grantee', text],
  3: ['grant', nested(grantMessage)],
})
const msgRevoke = message<MsgRevoke>({
  1: ['granter', text],
  2: ['grantee', text],
  3: ['type', text],
})
const msgExec = message<MsgExec>({
  1: ['grantee', text],
  2: ['messages', repeated(always(anyMessage))],
})
const execResponse = message<{ results: readonly Uint8Array[] }>({
  1: ['results', repeated(bytes)],
})

const prefix = '/cosmos.authz.v1beta1.'
/** Type URL of the message that executes other messages. */
const execUrl = `${prefix}MsgExec`

export const authzMessages: Readonly<Record<string, Handler>> = {
  [`${prefix}MsgGrant`]: handler(msgGrant, ({ granter }, at) => addressOf(at, granter), grant),
  [`${prefix}MsgRevoke`]: handler(msgRevoke, ({ granter }, at) => addressOf(at, granter), revoke),
  [execUrl]: handler(
    msgExec,
    ({ grantee }, at) => addressOf(at, grantee),
    (context, asked) => {
      if (asked.grantee === '') throw goError('empty address string is not allowed')
      const grantee = namedAddress(context, 'grantee', asked.grantee)
      if (asked.messages.length === 0) throw sdkError('invalidRequest', 'messages cannot be empty')
      checkBasics(context, asked.messages)
      return execResponse.encode({ results: dispatch(context, grantee, asked.messages) })
    },
  ),
}

/** Throws for a message that is invalid whatever the state; no other message is run then. */
function checkBasics(context: Context, messages: readonly AnyMessage[]): void {
  for (const [index, { typeUrl, value }] of messages.entries()) {
    try {
      context.fixed.route(typeUrl)?.validate?.(value, context)
    } catch (error) {
      throw error instanceof TxError ? error.inside(`msg ${index}`) : error
    }
  }
}

function checkParties({ granter, grantee }: Pick<MsgGrant, 'granter' | 'grantee'>): void {
  if (granter.toLowerCase() !== grantee.toLowerCase()) return
  throw authzError(7, 'grantee and granter should be different')
}

function revoke(context: Context, asked: MsgRevoke): void {
  checkParties(asked)
  const grantee = namedAddress(context, 'grantee', asked.grantee)
  const granter = namedAddress(context, 'granter', asked.granter)
  if (asked.type === '') throw sdkError('invalidRequest', 'missing msg method name')
  deleteGrant(context, { grantee, granter }, asked.type)
}

function grant(context: Context, asked: MsgGrant): void {
  checkParties(asked)
  const grantee = namedAddress(context, 'grantee', asked.grantee)
  const granter = namedAddress(context, 'granter', asked.granter)
  const authorization = asked.grant?.authorization
  if (authorization === undefined) throw sdkError('invalidType', 'authorization is nil')
  checkAuthorization(authorization)
  if (getAccount(context, grantee) === undefined) {
    if (isBlocked(grantee)) {
      throw sdkError('unauthorized', `${accountText(context, grantee)} is not allowed to receive funds`)
    }
    createAccount(context, grantee)
  }
  const type = messageTypeOf(authorization)
  // The node has handlers for messages of IBC, so a relayer can be granted them.
  if (!isImplementation(type, 'cosmos.base.v1beta1.Msg')) throw sdkError('invalidType', `${type} doesn't exist.`)
  const { expiration } = asked.grant ?? {}
  saveGrant(context, { grantee, granter }, { authorization: rewritten(authorization), expiration })
}
