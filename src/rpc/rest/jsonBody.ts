/** Reads JSON bodies, with Go's texts for invalid ones. */
import { badRequest } from './scalars.ts'

/** Returns the first JSON value of a body; the rest is ignored. Throws `GrpcStatus`. */
export function jsonValue(body: string): unknown {
  try {
    return JSON.parse(body) as unknown
  } catch {
    throw badRequest(complaintOf(body))
  }
}

const literals = ['true', 'false', 'null'] as const

function complaintOf(body: string): string {
  const text = body.trimStart()
  for (const literal of literals) {
    if (text[0] !== literal[0]) continue
    const at = [...literal].findIndex((character, index) => text[index] !== character)
    if (at > 0 && text.length > at) {
      return `invalid character ${quoted(text[at])} in literal ${literal} (expecting ${quoted(literal[at])})`
    }
  }
  return /^[{["\d-]/.test(text)
    ? 'unexpected EOF'
    : `invalid character ${quoted(text[0])} looking for beginning of value`
}

function quoted(character: string | undefined): string {
  return `'${character ?? ''}'`
}
