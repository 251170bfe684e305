/** gRPC calls over plain HTTP/2, each reduced to what is compared. */
import http2, { type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http2'
import { toJson, write, type Json } from './json.ts'
import { decodeTree } from './proto.ts'
import type { Answer } from './wire.ts'

const kept = /^(content-type|x-cosmos-|grpc-encoding|access-control-|grpc-status-details)/

/** Sends one message to a method; `address` is HOST:PORT. */
export function grpcCall(
  address: string,
  method: string,
  {
    message,
    headers,
  }: {
    message: Buffer
    headers: OutgoingHttpHeaders
  },
): Promise<Answer> {
  return new Promise((done) => {
    const client = http2.connect(`http://${address}`)
    const finish = (answer: Record<string, unknown>) => {
      client.destroy()
      done(toJson(answer) as Answer)
    }
    const failed = (error: NodeJS.ErrnoException) => finish({ error: error.code ?? error.message })
    client.on('error', failed)
    const head = Buffer.alloc(5)
    head.writeUInt32BE(message.length, 1)
    const stream = client.request({
      ':method': 'POST',
      ':path': `/${method}`,
      'content-type': 'application/grpc',
      te: 'trailers',
      ...headers,
    })
    let all: IncomingHttpHeaders & { ':status'?: number | undefined } = {}
    const parts: Buffer[] = []
    stream.on('response', (got) => {
      all = { ...all, ...got }
    })
    stream.on('trailers', (got) => {
      all = { ...all, ...got }
    })
    stream.on('data', (part: Buffer) => parts.push(part))
    stream.on('error', failed)
    stream.on('end', () =>
      finish({
        http: Number(all[':status']),
        status: Number(all['grpc-status'] ?? -1),
        message: decodeURIComponent(String(all['grpc-message'] ?? '')),
        headers: Object.fromEntries(
          Object.keys(all)
            .sort()
            .filter((name) => kept.test(name))
            .map((name) => [name, String(all[name])]),
        ),
        body: messagesIn(Buffer.concat(parts)),
      }),
    )
    stream.end(Buffer.concat([head, message]))
  })
}

function messagesIn(bytes: Buffer): Json[] {
  if (bytes.length < 5) return []
  const end = 5 + bytes.readUInt32BE(1)
  const message = bytes.subarray(5, end)
  return [decodeTree(message) ?? message.toString('hex'), ...messagesIn(bytes.subarray(end))]
}

/** Sorts all lists of a tree, where the node walks a map. */
export function sortLists(value: Json | undefined): void {
  const inner = value instanceof Map ? [...value.values()] : Array.isArray(value) ? value : []
  for (const each of inner) sortLists(each)
  if (Array.isArray(value)) value.sort((x, y) => (write(x) < write(y) ? -1 : 1))
}
