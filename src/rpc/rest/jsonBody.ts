/** Reads JSON bodies, with Go's texts for invalid ones. */
import { type Json, JsonSyntaxError, parseJsonPrefix } from '../../codec/goJson.ts'
import { plainOf } from '../../codec/goJsonWrite.ts'
import { SpelledNumber } from '../../codec/schema/protoJsonRead.ts'
import { badRequest } from './scalars.ts'

/** Returns the first JSON value of a body; the rest is ignored. Throws `GrpcStatus`. */
export function jsonValue(body: string): unknown {
  try {
    return spelledOf(parseJsonPrefix(body).value, 0)
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error
    throw badRequest(error.message)
  }
}

/** Deeper than the numbers that a message has, and not too deep for recursion. */
const depthMost = 400

/** Returns a plain value in which a number that JavaScript would write in another way is spelled. */
function spelledOf(json: Json, depth: number): unknown {
  if (depth > depthMost) return plainOf(json)
  switch (json.type) {
    case 'number':
      return String(Number(json.raw)) === json.raw ? Number(json.raw) : new SpelledNumber(json.raw)
    case 'array':
      return json.items.map((one) => spelledOf(one, depth + 1))
    case 'object':
      return Object.fromEntries(json.members.map(([name, one]) => [name, spelledOf(one, depth + 1)]))
    default:
      return plainOf(json)
  }
}
