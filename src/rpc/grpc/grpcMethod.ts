/** Methods that only gRPC has, and the text form of their messages. */
import { base64Of, readBase64 } from '../../codec/base64.ts'
import { callParams } from '../cosmos/params.ts'
import { type Context, type Method, query } from '../method.ts'
import { JsonText, written } from '../result.ts'

/**
 * Returns a method whose response is a message, or an empty stream without one. `name` is
 * `package.Service/Method`.
 */
export function grpcQuery(
  name: string,
  answer: (context: Context, data: Uint8Array | undefined) => Uint8Array | undefined,
): Method {
  return query({
    name,
    summary: `Calls the gRPC method ${name}.`,
    spec: 'cosmos-rest-grpc.md §10',
    params: callParams,
    result: written({ type: 'string' }),
    examples: [],
    read: (context, [data]) => new JsonText(messageText(answer(context, data))),
  })
}

/** Returns the JSON text for a message: base64, or null for no message. */
export function messageText(message: Uint8Array | undefined): string {
  return message === undefined ? 'null' : `"${base64Of(message)}"`
}

/** Returns the message in such a text, or undefined for null. */
export function messageOf(text: string): Uint8Array | undefined {
  const value: unknown = JSON.parse(text)
  const bytes = typeof value === 'string' ? readBase64(value) : ''
  return typeof bytes === 'string' ? undefined : bytes
}
