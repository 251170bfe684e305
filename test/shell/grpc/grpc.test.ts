import { once } from 'node:events'
import { connect } from 'node:http2'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import test from 'ava'
import { status } from '@grpc/grpc-js'
import type { Server } from '../../../src/index.ts'
import { fieldsOf, GrpcClient, reflectionV1alpha, textField } from '../../helpers/grpc.ts'
import { startLocal } from '../../helpers/server.ts'

const v1 = '/grpc.reflection.v1.ServerReflection/ServerReflectionInfo'
const balance = '/cosmos.bank.v1beta1.Query/Balance'
const dev0 = 'cosmos1cml96vmptgw99syqrrz8az79xer2pcgp95srxm'
const ofDev0 = Buffer.concat([textField(1, dev0), textField(2, 'atest')])

let server: Server
let grpc: string
test.before(async () => {
  server = await startLocal({ maxSessions: 2 })
  grpc = server.urls.grpc
})
test.after.always(() => server.close())

for (const reflection of [reflectionV1alpha, v1]) {
  const version = reflection.slice(1, reflection.indexOf('.Server'))
  test(`a generic client lists, describes and calls services by ${version}`, async (t) => {
    using client = new GrpcClient(grpc)
    const [list] = await client.stream(reflection, [textField(7, '*')])
    const services = fieldsOf(fieldsOf(list ?? Buffer.alloc(0), 6)[0] ?? Buffer.alloc(0), 1).map((each) =>
      String(fieldsOf(each, 1)[0]),
    )
    t.true(services.includes('cosmos.bank.v1beta1.Query'))
    const bank = await client.service(reflection, 'cosmos.bank.v1beta1.Query')
    t.true(bank.methods.includes('Balance'))
    const { code, response } = await bank.call('Balance', { address: dev0, denom: 'atest' })
    t.is(code, status.OK)
    t.like(response, { balance: { denom: 'atest' } })
  })
}

test('a stream answers each of its messages, and knows what is not there', async (t) => {
  using client = new GrpcClient(grpc)
  const answers = await client.stream(reflectionV1alpha, [
    textField(4, 'cosmos.bank.v1beta1.Query.Nope'),
    textField(3, 'cosmos/mint/v1beta1/query.proto'),
    textField(4, 'amino.name'),
  ])
  t.is(answers.length, 3)
  t.regex(String(answers[2]), /amino\/amino\.proto/)
  t.regex(String(answers[0]), /unknown symbol: cosmos\.bank\.v1beta1\.Query\.Nope/)
  t.true(fieldsOf(fieldsOf(answers[1] ?? Buffer.alloc(0), 4)[0] ?? Buffer.alloc(0), 1).length > 3)
  t.deepEqual(await client.stream(reflectionV1alpha, []), [])
})

test('of several questions in one message the last counts', async (t) => {
  using client = new GrpcClient(grpc)
  const both = Buffer.concat([textField(3, 'cosmos/mint/v1beta1/query.proto'), textField(4, 'nope')])
  const [answer = Buffer.alloc(0)] = await client.stream(reflectionV1alpha, [both])
  t.regex(String(answer), /unknown symbol: nope/)
  t.deepEqual([...(fieldsOf(answer, 2)[0] ?? [])], [...textField(4, 'nope')])
})

test('a caller that compresses gets compressed answers, and no answer has a date', async (t) => {
  const session = connect(`http://${grpc}`)
  const stream = session.request({
    ':method': 'POST',
    ':path': '/cosmos.bank.v1beta1.Query/Params',
    'content-type': 'application/grpc',
    'grpc-encoding': 'gzip',
  })
  stream.end(Buffer.alloc(5))
  const [headers] = (await once(stream, 'response')) as [Record<string, string>]
  const frame = await buffer(stream)
  session.destroy()
  t.is(headers['grpc-encoding'], 'gzip')
  t.is(headers['date'], undefined)
  t.deepEqual([frame[0], frame.readUInt32BE(1)], [1, frame.length - 5])
  t.deepEqual([...gunzipSync(frame.subarray(5))], [0x0a, 2, 0x10, 1])
})

async function servicesBy(client: GrpcClient, reflection: string): Promise<readonly string[]> {
  const [list] = await client.stream(reflection, [textField(7, '*')])
  const services = fieldsOf(fieldsOf(list ?? Buffer.alloc(0), 6)[0] ?? Buffer.alloc(0), 1)
  return services.map((each) => String(fieldsOf(each, 1)[0]))
}

const ours = ['grpc.health.v1.Health', 'grpc.reflection.v1.ServerReflection']

test('every listed service can be described, and the health service called', async (t) => {
  using client = new GrpcClient(grpc)
  const services = await servicesBy(client, v1)
  t.deepEqual(
    services.filter((each) => ours.includes(each)),
    ours,
  )
  t.deepEqual(services, await servicesBy(client, reflectionV1alpha))
  for (const name of services) {
    const { methods } = await client.service(reflectionV1alpha, name)
    t.true(methods.length > 0, name)
  }
  const health = await client.service(v1, 'grpc.health.v1.Health')
  const { code, response } = await health.call('Check', {})
  t.deepEqual([code, response], [status.OK, { status: 1 }])
  t.is((await health.call('Check', { service: 'nope' })).code, status.NOT_FOUND)
})

test('a watched service is serving until the client ends the call, and an unknown one is unknown', async (t) => {
  using client = new GrpcClient(grpc)
  const watched = async (service: string) => {
    const { messages, code } = await client.watch('/grpc.health.v1.Health/Watch', textField(1, service))
    return [messages.map((each) => each.toString('hex')), code]
  }
  // Field 1, a varint: 1 is SERVING, 3 is SERVICE_UNKNOWN.
  t.deepEqual(await watched('cosmos.bank.v1beta1.Query'), [['0801'], status.CANCELLED])
  t.deepEqual(await watched('nope'), [['0803'], status.CANCELLED])
})

test('a node as it is has neither the health service nor version 1 of reflection, and lists neither', async (t) => {
  await using faithful = await startLocal({ quirks: ['faithful'] })
  using client = new GrpcClient(faithful.urls.grpc)
  const services = await servicesBy(client, reflectionV1alpha)
  t.true(services.length > 20)
  t.deepEqual(
    services.filter((each) => ours.includes(each)),
    [],
  )
  const [described] = await client.stream(reflectionV1alpha, [textField(4, 'grpc.health.v1.Health')])
  t.regex(String(described), /unknown symbol: grpc\.health\.v1\.Health/)
  t.is((await client.call('/grpc.health.v1.Health/Check', Buffer.alloc(0))).code, status.UNIMPLEMENTED)
  await t.throwsAsync(client.stream(v1, [textField(7, '*')]), { message: /UNIMPLEMENTED/ })
})

test('the metadata of an answer names the height that was asked for', async (t) => {
  using client = new GrpcClient(grpc)
  const headers = { 'x-cosmos-block-height': '1' }
  const { metadata } = await client.call(balance, ofDev0, { headers })
  t.deepEqual(metadata?.get('x-cosmos-block-height'), ['1'])
})

test('metadata names a session, and one that cannot be has a reason', async (t) => {
  using client = new GrpcClient(grpc)
  const asked = (name: string) => client.call(balance, ofDev0, { headers: { 'x-chainstage-session': name } })
  t.is((await asked('apart')).code, status.OK)
  const { code, details } = await asked('no/name')
  t.is(code, status.NOT_FOUND)
  t.regex(details, /expected a session name/)
})

test('the gRPC address of a session is dialed, and its metadata leads to another chain', async (t) => {
  await using session = server.session('other')
  using client = new GrpcClient(session.urls.grpc)
  await session.mine(5)
  const heightOf = async (headers: Record<string, string>) => {
    const { code, metadata, details } = await client.call(balance, ofDev0, { headers })
    t.is(code, status.OK, details)
    return metadata?.get('x-cosmos-block-height')
  }
  t.deepEqual(await heightOf({ 'x-chainstage-session': 'other' }), ['6'])
  t.deepEqual(await heightOf({}), ['1'])
})

const refused = test.macro(
  async (
    t,
    {
      path,
      message,
      headers = {},
    }: {
      path: string
      message?: Buffer
      headers?: Record<string, string>
    },
    code: number,
    details: RegExp,
  ) => {
    using client = new GrpcClient(grpc)
    const called = await client.call(path, message ?? ofDev0, { headers })
    t.is(called.code, code)
    t.regex(called.details, details)
  },
)

test(
  'an unknown method',
  refused,
  { path: '/cosmos.bank.v1beta1.Query/Nope' },
  status.UNIMPLEMENTED,
  /^unknown method Nope for service cosmos\.bank\.v1beta1\.Query$/,
)
test(
  'bytes that are no message',
  refused,
  { path: balance, message: Buffer.of(10, 5) },
  status.INTERNAL,
  /^grpc: error unmarshalling request: unexpected EOF$/,
)
test(
  'an illegal tag',
  refused,
  { path: balance, message: Buffer.of(0, 0) },
  status.INTERNAL,
  /: proto: QueryBalanceRequest: illegal tag 0 \(wire type 0\)$/,
)
test(
  'a height of the future',
  refused,
  { path: balance, headers: { 'x-cosmos-block-height': '99999' } },
  status.UNKNOWN,
  /^codespace sdk code 26: invalid height: cannot query with height in the future/,
)

const raw = test.macro(
  async (
    t,
    { body, headers }: { body: string; headers: Record<string, string> },
    httpStatus: number,
    code: number,
    text: string,
  ) => {
    const session = connect(`http://${grpc}`)
    const stream = session.request({
      ':method': 'POST',
      ':path': balance,
      'content-type': 'application/grpc',
      ...headers,
    })
    stream.end(Buffer.from(body, 'hex'))
    const got = await new Promise<Record<string, unknown>>((done) => {
      let all = {}
      stream.on('response', (one) => {
        all = { ...all, ...one }
      })
      stream.on('trailers', (one) => {
        all = { ...all, ...one }
      })
      stream.on('end', () => done(all))
      stream.resume()
    })
    session.destroy()
    t.deepEqual([got[':status'], got['grpc-status'], got['grpc-message']], [httpStatus, String(code), text])
  },
)

test(
  'a time-out that is no number',
  raw,
  { body: '', headers: { 'grpc-timeout': 'aS' } },
  400,
  status.INTERNAL,
  'malformed grpc-timeout: strconv.ParseUint: parsing "a": invalid syntax',
)
test(
  'a time-out that is over',
  raw,
  { body: '', headers: { 'grpc-timeout': '1n' } },
  200,
  status.DEADLINE_EXCEEDED,
  'context deadline exceeded',
)
test('no message', raw, { body: '', headers: {} }, 200, status.UNKNOWN, 'EOF')
test('half a message', raw, { body: '0000000005', headers: {} }, 200, status.UNKNOWN, 'unexpected EOF')
test(
  'a message that is too long',
  raw,
  { body: '00ffffffff', headers: {} },
  200,
  status.RESOURCE_EXHAUSTED,
  'grpc: received message larger than max (4294967295 vs. 10485760)',
)
test(
  'a message that is said to be compressed',
  raw,
  { body: '0100000000', headers: {} },
  200,
  status.INTERNAL,
  'grpc: compressed flag set with identity or empty encoding',
)
test(
  'a compression that is unknown',
  raw,
  { body: '0000000000', headers: { 'grpc-encoding': 'snappy' } },
  200,
  status.UNIMPLEMENTED,
  'grpc: Decompressor is not installed for grpc-encoding "snappy"',
)
