/** Exchanges below any client library: bytes over TCP, and requests whose every header is ours. */
import http from 'node:http'
import net from 'node:net'

export type Answered = {
  readonly status: number
  readonly headers: http.IncomingHttpHeaders
  readonly body: string
}

/** Sends one request on a connection of its own. */
export function ask(
  url: string,
  {
    verb = 'GET',
    headers = {},
    body,
  }: {
    verb?: string
    headers?: http.OutgoingHttpHeaders
    body?: string | Buffer
  } = {},
): Promise<Answered> {
  return new Promise((done, fail) => {
    const request = http.request(url, { method: verb, headers, agent: false }, (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('error', fail)
      response.on('end', () =>
        done({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(parts).toString(),
        }),
      )
    })
    request.on('error', fail)
    request.end(body)
  })
}

/** Posts JSON and returns the parsed answer. */
export async function post(url: string, message: unknown, headers: http.OutgoingHttpHeaders = {}): Promise<unknown> {
  const { body } = await ask(url, {
    verb: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(message),
  })
  return JSON.parse(body) as unknown
}

/** The headers with which a client offers HTTP/2 beside a request, as Java's does (RFC 7540 §3.2). */
export const h2cOffer = [
  'Connection: Upgrade, HTTP2-Settings',
  'Upgrade: h2c',
  'HTTP2-Settings: AAEAAEAAAAIAAAABAAMAAABkAAQBAAAAAAUAAEAA',
] as const

/**
 * Sends bytes and returns what came back until the peer closed (`closed`) or was quiet for a while.
 * A busy machine may take long to say the first word.
 */
export function talk(
  url: string,
  text: string,
  quietMs = 400,
): Promise<{
  readonly text: string
  readonly closed: boolean
}> {
  const { hostname, port } = new URL(url)
  return new Promise((done) => {
    const parts: Buffer[] = []
    const socket = net.connect(Number(port), hostname, () => socket.write(text))
    const finish = (closed: boolean) => {
      clearTimeout(timer)
      socket.destroy()
      done({ text: Buffer.concat(parts).toString(), closed })
    }
    let timer = setTimeout(() => finish(false), 20_000)
    socket.on('data', (part: Buffer) => {
      parts.push(part)
      clearTimeout(timer)
      timer = setTimeout(() => finish(false), quietMs)
    })
    socket.on('error', () => {})
    socket.on('close', () => finish(true))
  })
}
