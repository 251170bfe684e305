/** Messages that begin and never end. */
import { once } from 'node:events'
import { connect, constants } from 'node:http2'
import test from 'ava'
import { startLocal } from '../../helpers/server.ts'
import { GrpcClient } from '../../helpers/grpc.ts'

test('unfinished messages are held up to 64 MiB a connection, then refused', async (t) => {
  t.timeout(300_000)
  await using server = await startLocal()
  const session = connect(`http://${server.urls.grpc}`)
  session.on('error', () => {})
  const head = Buffer.alloc(5)
  head.writeUInt32BE(10_000_000, 1)
  const path = '/cosmos.bank.v1beta1.Query/Params'
  const begun = Array.from({ length: 8 }, () => {
    const stream = session.request({ ':path': path, ':method': 'POST', 'content-type': 'application/grpc' })
    stream.on('error', () => {})
    stream.write(Buffer.concat([head, Buffer.alloc(9_000_000)]))
    return stream
  })
  const [headers] = (await Promise.race(begun.map((stream) => once(stream, 'response')))) as [Record<string, string>]
  t.is(headers['grpc-status'], '8')
  t.regex(decodeURI(headers['grpc-message'] ?? ''), /^too many bytes of unfinished messages: send fewer/)
  for (const stream of begun) stream.close(constants.NGHTTP2_CANCEL)
  session.close()
  using client = new GrpcClient(server.urls.grpc)
  t.is((await client.call(path, Buffer.alloc(0), { timeoutMs: 30_000 })).code, 0)
})
