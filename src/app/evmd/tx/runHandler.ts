/** Runs a message and emits its event (cosmos-sdk baseapp runMsgs, createEvents). */
import type { AbciAttribute } from '../../abci.ts'
import { accountText } from '../address.ts'
import type { Context, Handler } from '../context.ts'
import { sdkError } from '../txError.ts'

/** A message of any type. */
export type AnyMessage = { readonly typeUrl: string; readonly value: Uint8Array }

/**
 * Runs a message nested in a proposal or another message, and returns the bytes of its response.
 * Throws the SDK's `unknown request` if no module handles it.
 */
export function runInner(context: Context, { typeUrl, value }: AnyMessage): Uint8Array {
  return routed(context, typeUrl).run(context, value)
}

/**
 * Runs a message of a transaction and returns the bytes of its response. The message's own event
 * precedes the events it emits, and names the module unless one of them does.
 */
export function runHandler(context: Context, { typeUrl, value }: AnyMessage): Uint8Array {
  const handler = routed(context, typeUrl)
  const before = context.events.length
  const response = handler.run(context, value)
  const [sender] = handler.signers(value, context)
  const namesModule = context.events
    .slice(before)
    .some(({ attributes }) => attributes.some(({ key }) => key === 'module'))
  const attributes: AbciAttribute[] = [{ key: 'action', value: typeUrl, index: true }]
  if (sender !== undefined) {
    attributes.push({ key: 'sender', value: accountText(context, sender), index: true })
  }
  const module = typeUrl.split('.')[1]
  if (!namesModule && module !== undefined) {
    attributes.push({ key: 'module', value: module, index: true })
  }
  context.events.splice(before, 0, { type: 'message', attributes })
  return response
}

function routed(context: Context, typeUrl: string): Handler {
  const handler = context.fixed.route(typeUrl)
  if (handler !== undefined) return handler
  throw sdkError('unknownRequest', `no message handler found for ${typeUrl}`)
}
