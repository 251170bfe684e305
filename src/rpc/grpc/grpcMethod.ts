/** Methods that gRPC alone has, and how the messages of answers are kept as text. */
import { base64Of, readBase64 } from '../../codec/base64.ts'
import { callParams } from '../cosmos/params.ts'
import { type Context, type Method, query } from '../method.ts'
import { JsonText, written } from '../result.ts'

/**
 * Returns a method that answers a message, or the empty stream without one. `name` is
 * `package.Service/Method`.
 */
export function grpcQuery(
  name: string,
  answer: (context: Context, data: Uint8Array | undefined) => Uint8Array | undefined,
): Method {
  return query({
    name,
    summary: `The gRPC method ${name}.`,
    spec: 'cosmos-rest-grpc.md §10',
    params: callParams,
    result: written({ type: 'string' }),
    examples: [],
    read: (context, [data]) => new JsonText(messageText(answer(context, data))),
  })
}

/** Returns a message as the JSON text that the core keeps of an answer: base64, or null for none. */
export function messageText(message: Uint8Array | undefined): string {
  return message === undefined ? 'null' : `"${base64Of(message)}"`
}

/** Returns the message that such a text holds; undefined for none. */
export function messageOf(text: string): Uint8Array | undefined {
  const value: unknown = JSON.parse(text)
  const bytes = typeof value === 'string' ? readBase64(value) : ''
  return typeof bytes === 'string' ? undefined : bytes
}
