import test from 'ava'
import type { Server } from '../../../src/index.ts'
import { talk } from '../../helpers/raw.ts'
import { startLocal } from '../../helpers/server.ts'

let server: Server
test.before(async () => {
  server = await startLocal()
})
test.after.always(() => server.close())

const none = '0000000000'
const params = '/cosmos.bank.v1beta1.Query/Params'

function post(path: string, body: Buffer | string, type: string): Promise<Response> {
  return fetch(server.urls.rest + path, {
    method: 'POST',
    body,
    headers: { 'content-type': type, 'x-cosmos-block-height': '1' },
  })
}

test('gRPC-web answers a message and a trailer on the address of the REST API', async (t) => {
  const answer = await post(params, Buffer.from(none, 'hex'), 'application/grpc-web+proto')
  t.is(answer.headers.get('x-cosmos-block-height'), '1')
  t.is(
    Buffer.from(await answer.arrayBuffer()).toString('hex'),
    `00000000040a0210018000000010${Buffer.from('grpc-status: 0\r\n').toString('hex')}`,
  )
})

test('gRPC-web as text is base64 in both directions', async (t) => {
  const body = Buffer.from(none, 'hex').toString('base64')
  const answer = await post(params, body, 'application/grpc-web-text')
  t.regex(await answer.text(), /^AAAAAAQKAhABgAAAABBncnBjLXN0YXR1czogMA0K$/)
})

test('gRPC-web says in its headers why a call is refused', async (t) => {
  const answer = await post('/cosmos.bank.v1beta1.Query/Nope', Buffer.from(none, 'hex'), 'application/grpc-web')
  t.is(answer.headers.get('grpc-status'), '12')
  t.is(answer.headers.get('grpc-message'), 'unknown method Nope for service cosmos.bank.v1beta1.Query')
  t.is(await answer.text(), '')
})

test('gRPC-web can be turned off', async (t) => {
  await using other = await startLocal({ grpcWebEnable: false })
  const answer = await fetch(other.urls.rest + params, {
    method: 'POST',
    body: Buffer.from(none, 'hex'),
    headers: { 'content-type': 'application/grpc-web' },
  })
  t.is(answer.status, 501)
})

test('gRPC-web answers HTTP/1.0, which proxies like nginx speak, with the whole message', async (t) => {
  const head = `POST ${params} HTTP/1.0\r\nContent-Type: application/grpc-web+proto\r\nContent-Length: 5\r\n\r\n`
  const { text } = await talk(server.urls.rest, `${head}\0\0\0\0\0`)
  t.regex(text, /\r\nContent-Length: 30\r\n\r\n\0{4}[^]+grpc-status: 0\r\n$/)
})
