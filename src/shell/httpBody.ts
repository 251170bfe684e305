import type { IncomingMessage, ServerResponse } from 'node:http'

export type BodyEnds = {
  readonly done: (body: string) => void
  /** Told once, with as much as was allowed; the rest is not read. */
  readonly tooLong: (body: string) => void
}

type Exchange = { readonly request: IncomingMessage; readonly response: ServerResponse }

/** Reads a body of at most `most` bytes, as text. Nothing is called for a client that went away. */
export function readBody(
  { request, response }: Exchange, most: number, { done, tooLong }: BodyEnds,
): void {
  if (request.headers.expect !== undefined) response.writeContinue()
  const parts: Buffer[] = []
  let size = 0
  const onData = (part: Buffer) => {
    parts.push(part)
    size += part.length
    if (size <= most) return
    request.off('data', onData)
    request.off('end', onEnd)
    tooLong(Buffer.concat(parts).toString('utf8', 0, most))
  }
  const onEnd = () => done(textOf(parts))
  request.on('data', onData)
  request.on('end', onEnd)
  request.on('error', () => {})
}

function textOf(parts: readonly Buffer[]): string {
  const [first] = parts
  if (first === undefined) return ''
  return parts.length === 1 ? first.toString('utf8') : Buffer.concat(parts).toString('utf8')
}
