/**
 * Message types that must not be authorized or executed through authz (cosmos/evm
 * ante/cosmos/authz.go).
 */
import { GoPanic } from '../../../codec/comet.ts'
import { message, nested, repeated, always } from '../../../codec/protobuf/message.ts'
import { typeUrls } from '../../../codec/messages/cosmosEvm.ts'
import { grantMessage } from '../modules/authz/grants.ts'
import { messageTypeOf } from '../modules/authz/authorization.ts'
import type { AnyMessage } from '../tx/runHandler.ts'
import { sdkError, TxError } from '../txError.ts'
import { anyMessage, type StoredAny } from '../wire.ts'

const disabled: readonly string[] = [typeUrls.msgEthereumTx, '/cosmos.vesting.v1beta1.MsgCreateVestingAccount']
const mostLevels = 7
const execMessage = message<{ messages: readonly AnyMessage[] }>({
  2: ['messages', repeated(always(anyMessage))],
})
const grantOf = message<{ grant: ReturnType<typeof grantMessage.decode> | undefined }>({
  3: ['grant', nested(grantMessage)],
})

/**
 * Throws `unauthorized` if a grant, or a message in an execution, is of a disabled type. Also
 * throws if executions are nested too deeply.
 */
export function checkAuthz(messages: readonly AnyMessage[]): void {
  checkLevel(messages, 1)
}

function checkLevel(messages: readonly AnyMessage[], level: number): void {
  if (level >= mostLevels) {
    throw sdkError('unauthorized', `found more nested msgs than permitted; got: ${level}, expected: <${mostLevels}`)
  }
  let depth = level
  for (const { typeUrl, value } of messages) {
    if (typeUrl === '/cosmos.authz.v1beta1.MsgExec') {
      depth += 1
      checkLevel(execMessage.decode(value).messages, depth)
    } else if (typeUrl === '/cosmos.authz.v1beta1.MsgGrant') {
      const authorization = grantOf.decode(value).grant?.authorization
      if (authorization === undefined) throw sdkError('unauthorized', 'authorization is nil: invalid type')
      refuse(permittedType(authorization))
    } else if (level > 1) refuse(typeUrl)
  }
}

/** Returns the permitted type. The SDK panics for a StakeAuthorization without a known type. */
function permittedType(authorization: StoredAny): string {
  try {
    return messageTypeOf(authorization)
  } catch (error) {
    if (!(error instanceof TxError) || error.codespace !== 'authz') throw error
    throw new GoPanic(`cannot normalize authz type with types.AuthorizationType: ${error.message}`)
  }
}

function refuse(typeUrl: string): void {
  if (disabled.includes(typeUrl)) {
    throw sdkError('unauthorized', `found disabled msg type: ${typeUrl}`)
  }
}
