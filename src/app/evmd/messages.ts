/** The messages that the application can decode, and their signers. */
import type { Any } from '../../codec/messages/cosmos.ts'
import { msgEthereumTx, typeUrls } from '../../codec/messages/cosmosEvm.ts'
import { adminMessages } from './modules/admin/messages.ts'
import { authzMessages } from './modules/authz/messages.ts'
import { bankMessages } from './modules/bank/messages.ts'
import { distributionMessages } from './modules/distribution/messages.ts'
import { erc20Messages } from './modules/erc20/messages.ts'
import { evidenceMessages } from './modules/evidence/messages.ts'
import { feegrantMessages } from './modules/feegrant/messages.ts'
import { legacyGovMessages } from './modules/gov/legacy.ts'
import { govMessages } from './modules/gov/messages.ts'
import { slashingMessages } from './modules/slashing/messages.ts'
import { stakingMessages } from './modules/staking/messages.ts'
import { transferMessages } from './modules/transfer/messages.ts'
import { vestingMessages } from './modules/vesting/messages.ts'
import type { Addressing } from './address.ts'
import { sdkError } from './txError.ts'
import type { Handler } from './context.ts'

/** The handlers of Cosmos messages by type URL. */
export const handlers: Readonly<Record<string, Handler>> = {
  ...bankMessages,
  ...stakingMessages,
  ...distributionMessages,
  ...slashingMessages,
  ...govMessages,
  ...feegrantMessages,
  ...authzMessages,
  ...adminMessages,
  ...vestingMessages,
  ...erc20Messages,
  ...legacyGovMessages,
  ...transferMessages,
  ...evidenceMessages,
}

/** Returns whether a type URL names a message of this application. */
export function isKnownMessage(typeUrl: string): boolean {
  return typeUrl === typeUrls.msgEthereumTx || Object.hasOwn(handlers, typeUrl)
}

/** Returns the handler of a message type, or undefined. */
export function findHandler(typeUrl: string): Handler | undefined {
  return Object.hasOwn(handlers, typeUrl) ? handlers[typeUrl] : undefined
}

/** Returns the handler of a Cosmos message. Throws the SDK's `unknown request` if there is none. */
export function handlerOf({ typeUrl }: Any): Handler {
  const handler = findHandler(typeUrl)
  if (handler !== undefined) return handler
  throw sdkError('unknownRequest', `no message handler found for ${typeUrl}`)
}

/** Returns the unique signers of messages, in message order. */
export function signersOf(at: Addressing, messages: readonly Any[]): readonly Uint8Array[] {
  const all = messages.flatMap((message) =>
    message.typeUrl === typeUrls.msgEthereumTx
      ? [msgEthereumTx.decode(message.value).from]
      : handlerOf(message).signers(message.value, at),
  )
  const seen = new Set<string>()
  return all.filter((address) => {
    const key = address.join()
    return seen.has(key) ? false : seen.add(key)
  })
}
