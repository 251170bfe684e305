import { once } from 'node:events'
import { connect } from 'node:http2'
import test from 'ava'
import { status } from '@grpc/grpc-js'
import type { Server } from '../../../src/index.ts'
import type { FaultDescription } from '../../../src/shell/handle.ts'
import { recentCalls } from '../../../src/simulation/journal.ts'
import { GrpcClient, textField } from '../../helpers/grpc.ts'
import { startLocal } from '../../helpers/server.ts'

const balance = '/cosmos.bank.v1beta1.Query/Balance'
const dev0 = 'cosmos1cml96vmptgw99syqrrz8az79xer2pcgp95srxm'
const ofDev0 = Buffer.concat([textField(1, dev0), textField(2, 'atest')])
const match = {
  iface: 'grpc',
  method: 'cosmos.bank.v1beta1.Query/*',
  params: { denom: 'atest' },
} as const

let server: Server
test.before(async () => {
  server = await startLocal()
})
test.after.always(() => server.close())

type Effect = FaultDescription['effect']

let count = 0

/** What a client sees of an effect, and that the call after it is answered. */
const breaks = test.macro(async (t, effect: Effect, code: number, details: RegExp = /(?:)/) => {
  using client = new GrpcClient(server.urls.grpc)
  const end = await server.fault(`fault-${++count}`, { match, select: { count: 1 }, effect })
  // A client is patient, but not with a server that never answers.
  const timeoutMs = code === status.DEADLINE_EXCEEDED ? 1500 : 30_000
  const called = await client.call(balance, ofDev0, { timeoutMs })
  await end()
  t.is(called.code, code, called.details)
  t.regex(called.details, details)
  t.is((await client.call(balance, ofDev0)).code, status.OK)
})

test.serial('a status', breaks, { grpc: 'UNAVAILABLE' }, status.UNAVAILABLE, /^UNAVAILABLE$/)
test.serial(
  'a status with a text',
  breaks,
  { grpc: { status: 'RESOURCE_EXHAUSTED', message: 'slow down' } },
  status.RESOURCE_EXHAUSTED,
  /^slow down$/,
)
test.serial('the status of a proxy', breaks, { http: { status: 503, body: 'busy' } }, status.UNAVAILABLE, /503/)
// A message that never becomes whole is none to grpc-js.
test.serial('half of a message', breaks, { truncate: true }, status.UNIMPLEMENTED, /No message/)
test.serial('no message', breaks, { empty: true }, status.UNIMPLEMENTED, /No message/i)
test.serial(
  'a length that promises too much',
  breaks,
  { malformed: 'contentLength' },
  status.UNIMPLEMENTED,
  /No message/,
)
test.serial('a reset before the headers', breaks, { reset: 'beforeHeaders' }, status.UNAVAILABLE)
test.serial('a reset within the message', breaks, { reset: 'midBody' }, status.UNAVAILABLE)
test.serial('a reset before the trailers', breaks, { reset: 'afterBody' }, status.UNAVAILABLE)
test.serial('no answer at all', breaks, { hang: true }, status.DEADLINE_EXCEEDED)
test.serial('a connection that ends', breaks, { timeout: '20ms' }, status.UNAVAILABLE)
test.serial('an answer that comes too late', breaks, { latency: '20s' }, status.DEADLINE_EXCEEDED)
test.serial('a late answer', breaks, { latency: '20ms' }, status.OK)
test.serial('an answer in pieces', breaks, { dribble: { bytes: 5, every: '2ms' } }, status.OK)
test.serial('trailers that come late', breaks, { slowClose: '20ms' }, status.OK)

const damages = test.macro(async (t, effect: Effect) => {
  using client = new GrpcClient(server.urls.grpc)
  const { bytes: whole } = await client.call(balance, ofDev0)
  const end = await server.fault(`fault-${++count}`, { match, select: { count: 1 }, effect })
  const { code, bytes } = await client.call(balance, ofDev0)
  await end()
  t.is(code, status.OK)
  t.notDeepEqual(bytes, whole)
})

test.serial('a message with bytes that are no text', damages, { malformed: 'utf8' })
test.serial('a message that cannot be decoded', damages, { malformed: 'json' })

// grpc-js does not mind.
test.serial('a message that is said to be compressed', async (t) => {
  const end = await server.fault(`fault-${++count}`, { match, effect: { malformed: 'chunk' } })
  const session = connect(`http://${server.urls.grpc}`)
  const stream = session.request({
    ':method': 'POST',
    ':path': balance,
    'content-type': 'application/grpc',
  })
  stream.end(Buffer.concat([Buffer.of(0, 0, 0, 0, ofDev0.length), ofDev0]))
  const [head] = (await once(stream, 'data')) as [Buffer]
  session.destroy()
  await end()
  t.is(head[0], 1)
})

test.serial('calls are in the journal with what they asked for', async (t) => {
  using client = new GrpcClient(server.urls.grpc)
  await client.call(balance, ofDev0)
  const call = recentCalls(server.simulation().journal).findLast(({ side }) => side === 'grpc')
  t.like(call, { method: 'cosmos.bank.v1beta1.Query/Balance', outcome: 'ok' })
  t.deepEqual(JSON.parse(call?.params ?? ''), { address: dev0, denom: 'atest' })
})
