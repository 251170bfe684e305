/** Reads a request to the REST API into a call. */
import { isExpected } from '../../errors.ts'
import { writeJson } from '../../codec/goJsonWrite.ts'
import { namedCodec } from '../../codec/schema/codecs.ts'
import { messageDescriptor } from '../../codec/schema/lookup.ts'
import { toJson } from '../../codec/schema/protoJson.ts'
import { readTarget, unescapeGo } from '../comet/path.ts'
import { methodName } from '../cosmos/table.ts'
import type { Call } from '../transport.ts'
import { boundRequest } from './bind.ts'
import { matchRoute, type Matched } from './routes.ts'

/** `height` is the header that selects the state to read. */
type RestRequest = {
  readonly verb: string
  readonly target: string
  readonly body: string
  readonly height: string | undefined
}

/** Returns the call of a request, or undefined for an unknown path. Throws `GrpcStatus`. */
export function restCall({ verb, target, body, height }: RestRequest): Call | undefined {
  const matched = matchedOf(verb, target)
  return matched && matchedCall(matched, { query: readTarget(target).query, body, height })
}

/** Returns whether the REST API has a route for a request. */
export function isRestPath(verb: string, target: string): boolean {
  return matchedOf(verb, target) !== undefined
}

/** Returns the names that the query of a request may contain, in both spellings. */
export function queryNames(verb: string, target: string): readonly string[] {
  const matched = matchedOf(verb, target)
  return matched === undefined
    ? []
    : messageDescriptor(matched.route.method.input).fields.flatMap(({ name, jsonName }) => [name, jsonName])
}

function matchedOf(verb: string, target: string): Matched | undefined {
  const path = unescapeGo(readTarget(target).path, 'plusStays')
  return path === undefined ? undefined : matchRoute(verb, path)
}

type Sent = { readonly query: string; readonly body: string; readonly height: string | undefined }

/** Returns the call for a matched route. Throws `GrpcStatus`. */
export function matchedCall(matched: Matched, { query, body, height }: Sent): Call {
  const { service, method } = matched.route
  const value = boundRequest(matched, { query, body })
  const encoded = namedCodec(method.input).encode(value)
  const name = methodName(service, method)
  // Go distinguishes empty bytes from missing ones.
  const isEmptyTx = name.endsWith('/BroadcastTx') && encoded.length === 0 && value['txBytes'] !== undefined
  const message = isEmptyTx ? emptyTx : encoded
  return { id: '', name, params: { form: 'json', text: messageJson(method.input, message), message, height } }
}

/** A broadcast request with an empty `tx_bytes` field. */
const emptyTx = Uint8Array.of(0x0a, 0)

/** Returns the message as JSON, or `{}` without a JSON form, which no fault matches. */
function messageJson(type: string, bytes: Uint8Array): string {
  try {
    return writeJson(toJson(type, namedCodec(type).decode(bytes)))
  } catch (error) {
    if (!isExpected(error)) throw error
    return '{}'
  }
}
