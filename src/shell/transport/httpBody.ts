import type { HttpExchange } from './httpExchange.ts'

export type BodyEnds = {
  readonly done: (body: string) => void
  /** Called once, with the body up to the limit; the rest is not read. */
  readonly tooLong: (body: string) => void
}

/** Reads a body of at most `most` bytes as text. Calls nothing if the client disconnects. */
export function readBody(exchange: HttpExchange, most: number, { done, tooLong }: BodyEnds): void {
  readParts(exchange, most, {
    done: (parts) => done(joinedText(parts)),
    tooLong: (parts) => tooLong(Buffer.concat(parts).toString('utf8', 0, most)),
  })
}

/** Reads a body of at most `most` bytes; passes on the bytes received so far of a longer body. */
export function readBytes(exchange: HttpExchange, most: number, done: (bytes: Buffer) => void): void {
  const whole = (parts: readonly Buffer[]) => done(Buffer.concat(parts))
  readParts(exchange, most, { done: whole, tooLong: whole })
}

type PartsEnd = {
  readonly done: (parts: readonly Buffer[]) => void
  readonly tooLong: (parts: readonly Buffer[]) => void
}

function readParts(exchange: HttpExchange, most: number, { done, tooLong }: PartsEnd): void {
  const { front } = exchange
  if (front !== undefined) {
    // Longer bodies are refused while they are received, which is left to node:http.
    return front.bodyBytes > most ? front.handOver() : front.onBody((body) => done([body]))
  }
  const { request, response } = exchange
  if (request.headers.expect !== undefined) response.writeContinue()
  const parts: Buffer[] = []
  let size = 0
  const onData = (part: Buffer) => {
    parts.push(part)
    size += part.length
    if (size <= most) return
    request.off('data', onData)
    request.off('end', onEnd)
    tooLong(parts)
  }
  const onEnd = () => done(parts)
  request.on('data', onData)
  request.on('end', onEnd)
  request.on('error', () => {})
}

function joinedText(parts: readonly Buffer[]): string {
  const [first] = parts
  if (first === undefined) return ''
  return parts.length === 1 ? first.toString('utf8') : Buffer.concat(parts).toString('utf8')
}
