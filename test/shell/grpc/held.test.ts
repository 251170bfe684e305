/** Clients that leave calls open, or do not read the responses. */
import { once } from 'node:events'
import { type ClientHttp2Session, connect, constants } from 'node:http2'
import { buffer } from 'node:stream/consumers'
import { setTimeout as later } from 'node:timers/promises'
import test from 'ava'
import { reflectionV1alpha, textField } from '../../helpers/grpc.ts'
import { startLocal } from '../../helpers/server.ts'

const question = textField(7, '')

function callOf(session: ClientHttp2Session, path: string) {
  const stream = session.request({ ':path': path, ':method': 'POST', 'content-type': 'application/grpc' })
  stream.on('error', () => {})
  return stream
}

function frameOf(message: Uint8Array): Buffer {
  const head = Buffer.alloc(5)
  head.writeUInt32BE(message.length, 1)
  return Buffer.concat([head, message])
}

for (const [outcome, bytes, status] of [
  ['a message', frameOf(Buffer.alloc(0)), '0'],
  ['an error', Buffer.from([2, 0, 0, 0, 0]), '13'],
] as const) {
  test(`a call that its client leaves open after ${outcome} is reset without an error`, async (t) => {
    t.timeout(60_000)
    await using server = await startLocal()
    const session = connect(`http://${server.urls.grpc}`)
    t.teardown(() => session.destroy())
    const stream = callOf(session, '/cosmos.bank.v1beta1.Query/Params')
    let given: unknown
    for (const part of ['response', 'trailers']) {
      stream.on(part, (headers: Record<string, string>) => {
        given = headers['grpc-status'] ?? given
      })
    }
    stream.write(bytes)
    stream.resume()
    const closed = once(stream, 'close').then(() => stream.rstCode)
    t.is(await Promise.race([closed, later(20_000, 'open')]), constants.NGHTTP2_NO_ERROR)
    t.is(given, status)
  })
}

test('messages of a stream wait until its client reads the responses to the earlier ones', async (t) => {
  t.timeout(120_000)
  await using server = await startLocal()
  const session = connect(`http://${server.urls.grpc}`)
  t.teardown(() => session.destroy())
  const stream = callOf(session, reflectionV1alpha)
  const asked = Array.from({ length: 20 }, () => Buffer.concat(Array.from({ length: 1000 }, () => frameOf(question))))
  for (const messages of asked) stream.write(messages)
  stream.end()
  const answered = () => Object.values(server.journal().counts).reduce((sum, count) => sum + count, 0)
  let before = 0
  while (before === 0 || before !== answered()) {
    before = answered()
    await later(1000)
  }
  t.true(before < 20_000, `${before} were answered`)
  const answers = await buffer(stream)
  const length = 5 + answers.readUInt32BE(1)
  t.is(answers.length, 20_000 * length)
})
