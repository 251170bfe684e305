/** Faults of gRPC as a page sees them over gRPC-web, which leaves by the HTTP port of the REST API. */
import test from 'ava'
import type { Server } from '../../../src/index.ts'
import { textField } from '../../helpers/grpc.ts'
import { startLocal } from '../../helpers/server.ts'

let server: Server
test.before(async () => {
  server = await startLocal()
})
test.after.always(() => server.close())

const request = Buffer.concat([textField(1, 'cosmos1zaxr299q62e39q4zf4fdmjncpfwlqxd0rzpqux'), textField(2, 'atest')])
const head = Buffer.alloc(5)
head.writeUInt32BE(request.length, 1)

/** Resolves with the HTTP status, the status of gRPC in a header or in the trailer frame, and the bytes of the message. */
async function asked(patienceMs = 60_000): Promise<string> {
  try {
    const answer = await fetch(`${server.urls.rest}/cosmos.bank.v1beta1.Query/Balance`, {
      method: 'POST',
      headers: { 'content-type': 'application/grpc-web+proto' },
      body: Buffer.concat([head, request]),
      signal: AbortSignal.timeout(patienceMs),
    })
    const bytes = Buffer.from(await answer.arrayBuffer())
    const trailer = /grpc-status: (\d+)/.exec(bytes.toString('latin1'))?.[1]
    const status = answer.headers.get('grpc-status') ?? trailer ?? 'none'
    return `${answer.status} grpc ${status} ${bytes.toString('latin1').replace(/[^\x20-\x7e]/g, '')}`
  } catch (error) {
    return (error as Error).name
  }
}

const whole = /^200 grpc 0 .*atest0/

const rows: Readonly<
  Record<string, { readonly effect: object; readonly wanted: RegExp; readonly patienceMs?: number }>
> = {
  latency: { effect: { latency: '30ms' }, wanted: whole },
  'a status of gRPC': { effect: { grpc: 'UNAVAILABLE' }, wanted: /^200 grpc 14 $/ },
  'a status of HTTP': { effect: { http: { status: 503, body: 'busy' } }, wanted: /^503 grpc none busy$/ },
  'a changed result': {
    effect: { mutate: { replace: '/balance/amount', value: '99' } },
    wanted: /^200 grpc 0 .*atest99/,
  },
  'no body': { effect: { empty: true }, wanted: /^200 grpc none $/ },
  'half of the body': { effect: { truncate: true }, wanted: /^200 grpc none .*atest/ },
  'an answer in pieces': { effect: { dribble: { bytes: 20, every: '1ms' } }, wanted: whole },
  'a connection that ends late': { effect: { slowClose: '20ms' }, wanted: whole },
  'bytes that are no text': { effect: { malformed: 'utf8' }, wanted: /^200 grpc 0 .*ates/ },
  'a length that is too long': { effect: { malformed: 'contentLength' }, wanted: /^TypeError$/ },
  'no answer': { effect: { hang: true }, wanted: /^TimeoutError$/, patienceMs: 500 },
  'a reset before the headers': { effect: { reset: 'beforeHeaders' }, wanted: /^TypeError$/ },
  'a reset in the body': { effect: { reset: 'midBody' }, wanted: /^TypeError$/ },
}

for (const [title, { effect, wanted, patienceMs }] of Object.entries(rows)) {
  test.serial(`gRPC-web: ${title}`, async (t) => {
    t.regex(await asked(), whole)
    const end = await server.fault('broken', { match: { iface: 'grpc' }, effect })
    t.teardown(end)
    t.regex(await asked(patienceMs), wanted)
  })
}
