/** Reads JSON bodies, with Go's texts for invalid ones. */
import { JsonSyntaxError, parseJsonPrefix } from '../../codec/goJson.ts'
import { plainOf } from '../../codec/goJsonWrite.ts'
import { badRequest } from './scalars.ts'

/** Returns the first JSON value of a body; the rest is ignored. Throws `GrpcStatus`. */
export function jsonValue(body: string): unknown {
  try {
    return plainOf(parseJsonPrefix(body).value)
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error
    throw badRequest(error.message)
  }
}
