/** Hostile requests to the REST API and to gRPC: each is answered in time, and the chain goes on. */
import { once } from 'node:events'
import { connect } from 'node:http2'
import { gzipSync } from 'node:zlib'
import test from 'ava'
import { MsgExec } from 'cosmjs-types/cosmos/authz/v1beta1/tx'
import { AuthInfo, TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { profileSettings } from '../../src/settings/profiles.ts'
import type { Running } from '../../src/shell/server.ts'
import { GrpcClient, reflectionV1alpha, textField } from '../helpers/grpc.ts'
import { replayRecorded, runRecorded } from '../helpers/recordedRun.ts'
import { freePorts } from '../helpers/server.ts'

const settings = { ...profileSettings('local'), ...freePorts, evmTimeout: '2s' }
let lines: readonly string[]
let running: Running
let rest: string
let grpc: string
test.before(async () => {
  ;({ running, lines } = await runRecorded(settings))
  rest = running.urls.rest
  grpc = running.urls.grpc
})
const bob = 'cosmos1zaxr299q62e39q4zf4fdmjncpfwlqxd0rzpqux'
const balance = '/cosmos.bank.v1beta1.Query/Balance'
const ofBob = Buffer.concat([textField(1, bob), textField(2, 'atest')])
const path = `/cosmos/bank/v1beta1/balances/${bob}`
const answeredWithinMs = 60_000

/** What was asked a moment before is answered as ever. */
async function isWell(): Promise<boolean> {
  using client = new GrpcClient(grpc)
  const { code } = await client.call(balance, ofBob)
  return code === 0 && (await fetch(`${rest}${path}`)).status === 200
}

const deepJson = (depth: number): string => `${'{"tx":'.repeat(depth)}null${'}'.repeat(depth)}`
const deepAny = (depth: number): string =>
  `${'{"@type":"/cosmos.authz.v1beta1.MsgExec","grantee":"a","msgs":['.repeat(depth)}${']}'.repeat(depth)}`
const encode = '/cosmos/tx/v1beta1/encode'
const big = 'x'.repeat(900_000)

const deepTx = (depth: number): string => {
  let value: Uint8Array = new Uint8Array(0)
  for (let level = 0; level < depth; level++) {
    value = MsgExec.encode({ grantee: 'a', msgs: [{ typeUrl: '/cosmos.authz.v1beta1.MsgExec', value }] }).finish()
  }
  const messages = [{ typeUrl: '/cosmos.authz.v1beta1.MsgExec', value }]
  const bodyBytes = TxBody.encode(TxBody.fromPartial({ messages })).finish()
  const authInfoBytes = AuthInfo.encode(AuthInfo.fromPartial({ fee: {} })).finish()
  return Buffer.from(TxRaw.encode({ bodyBytes, authInfoBytes, signatures: [] }).finish()).toString('base64')
}

type Row = { readonly path: string; readonly body?: string; readonly status: number; readonly said: RegExp }
const requests: Readonly<Record<string, Row>> = {
  'a path of 12,000 segments': { path: '/a'.repeat(6000), status: 501, said: /Not Implemented/ },
  'a denomination of 12,000 slashes': {
    path: `/cosmos/bank/v1beta1/denoms_metadata/x${'%2F'.repeat(4000)}`,
    status: 400,
    said: /invalid denom/,
  },
  '2,000 parameters': { path: `${path}?${'a=b&'.repeat(2000)}`, status: 200, said: /"balances"/ },
  'a parameter with 2,000 dots': {
    path: `${path}?pagination${'.key'.repeat(2000)}=1`,
    status: 400,
    said: /unexpected repeated field in pagination\.key/,
  },
  'a limit at the end of numbers': {
    path: `${path}?pagination.limit=18446744073709551615&pagination.offset=18446744073709551615`,
    status: 200,
    said: /"balances":\[\]/,
  },
  'a page of a block that does not fit into memory': {
    path: '/cosmos/tx/v1beta1/txs/block/1?pagination.limit=18446744073709551615',
    status: 500,
    said: /runtime error: makeslice: cap out of range/,
  },
  'JSON without an end': { path: encode, body: deepJson(20_000), status: 400, said: /exceeded max depth/ },
  'JSON of as many levels as Go reads': { path: encode, body: deepJson(9999), status: 500, said: /nil pointer/ },
  'messages within messages': {
    path: encode,
    body: `{"tx":{"body":{"messages":[${deepAny(5000)}]},"auth_info":{}}}`,
    status: 400,
    said: /exceeded max depth/,
  },
  'a transaction of messages within messages': {
    path: '/cosmos/tx/v1beta1/decode',
    body: JSON.stringify({ tx_bytes: deepTx(3000) }),
    status: 500,
    said: /"code":2/,
  },
  'a simulation of messages within messages': {
    path: '/cosmos/tx/v1beta1/simulate',
    body: JSON.stringify({ tx_bytes: deepTx(3000) }),
    status: 500,
    said: /"code":2/,
  },
  'a long text': {
    path: '/cosmos/tx/v1beta1/decode',
    body: `{"tx_bytes":"${big}"}`,
    status: 500,
    said: /tx parse error/,
  },
  'a body above the limit': { path: encode, body: `{"a":"${big}${big}"}`, status: 400, said: /too large/ },
  'a name of every object': {
    path: encode,
    body: '{"__proto__":{"body":{}},"constructor":1}',
    status: 400,
    said: /"code":3/,
  },
  'gas without an end': {
    path: `/cosmos/evm/vm/v1/eth_call?gas_cap=18446744073709551615&args=${Buffer.from('{"data":"0x5b600056"}').toString('base64').replaceAll('+', '%2B')}`,
    status: 500,
    said: /execution aborted \(timeout = 2s\)/,
  },
  'an access list that repeats': {
    path: `/cosmos/evm/vm/v1/eth_call?gas_cap=25000000&args=${Buffer.from(
      JSON.stringify({
        accessList: Array.from({ length: 60 }, () => ({ address: `0x${'11'.repeat(20)}`, storageKeys: [] })),
      }),
    )
      .toString('base64')
      .replaceAll('+', '%2B')}`,
    status: 200,
    said: /"vm_error":""/,
  },
}
for (const [what, { path: at, body, status, said }] of Object.entries(requests)) {
  test.serial(`REST: ${what}`, async (t) => {
    const init = body === undefined ? {} : { method: 'POST', body }
    const answer = await fetch(rest + at, { ...init, signal: AbortSignal.timeout(answeredWithinMs) })
    const text = await answer.text()
    t.is(answer.status, status, text.slice(0, 300))
    t.regex(text, said)
    t.true(await isWell())
  })
}

function frame(message: Buffer, flag = 0, length = message.length): Buffer {
  const head = Buffer.alloc(5)
  head[0] = flag
  head.writeUInt32BE(length, 1)
  return Buffer.concat([head, message])
}

/** Resolves with gRPC's status and text of what one stream was answered. */
async function raw(content: Buffer, more: Record<string, string> = {}): Promise<string> {
  const session = connect(`http://${grpc}`)
  const stream = session.request({
    ':method': 'POST',
    ':path': balance,
    'content-type': 'application/grpc',
    te: 'trailers',
    ...more,
  })
  const found: Record<string, unknown> = {}
  stream.on('response', (headers) => Object.assign(found, headers))
  stream.on('trailers', (trailers) => Object.assign(found, trailers))
  stream.on('data', () => {})
  stream.on('error', () => {})
  stream.end(content)
  await once(stream, 'close', { signal: AbortSignal.timeout(answeredWithinMs) })
  session.destroy()
  return `${String(found['grpc-status'])} ${decodeURIComponent(String(found['grpc-message'] ?? ''))}`
}

const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024))
const nested = Array.from({ length: 20_000 }).reduce<Buffer>((inner) => {
  const size = Math.min(inner.length, 2 ** 28)
  const length: number[] = []
  for (let rest = size; ; rest >>= 7) {
    length.push(rest < 128 ? rest : (rest & 127) | 128)
    if (rest < 128) break
  }
  return inner.length > 60_000 ? inner : Buffer.concat([Buffer.of(0x0a, ...length), inner])
}, Buffer.alloc(0))

const messages: Readonly<Record<string, readonly [content: Buffer, more: Record<string, string>, said: RegExp]>> = {
  'a length of four gigabytes': [frame(ofBob, 0, 0xffff_ffff), {}, /^8 .*larger than max/],
  'a length that is more than comes': [frame(ofBob, 0, 1000), {}, /^2 unexpected EOF/],
  'less than a head': [Buffer.of(0, 0), {}, /^2 EOF|^2 unexpected/],
  nothing: [Buffer.alloc(0), {}, /^2 EOF/],
  'a bomb of gzip': [
    frame(bomb, 1),
    { 'grpc-encoding': 'gzip' },
    /^8 grpc: received message after decompression larger than max 10485760/,
  ],
  'gzip that is none': [frame(ofBob, 1), { 'grpc-encoding': 'gzip' }, /^13 /],
  'a compressed message without its encoding': [frame(ofBob, 1), {}, /^13 /],
  'an unknown encoding': [frame(ofBob), { 'grpc-encoding': 'zstd' }, /^12 .*Decompressor/],
  'a message within a message within …': [
    frame(nested),
    { ':path': '/cosmos.tx.v1beta1.Service/Simulate' },
    /^(?:2|3|13) /,
  ],
  'a method of no service': [frame(ofBob), { ':path': '/a/b/c' }, /^12 unknown service/],
  'a height that is none': [
    frame(ofBob),
    { 'x-cosmos-block-height': '-99999999999999999999' },
    /^2 .*value out of range/,
  ],
  'a deadline that is over': [frame(ofBob), { 'grpc-timeout': '1n' }, /^4 /],
}
for (const [what, [content, more, said]] of Object.entries(messages)) {
  test.serial(`gRPC: ${what}`, async (t) => {
    t.regex(await raw(content, more), said)
    t.true(await isWell())
  })
}

test.serial('gRPC: a stream of 5,000 messages is answered one by one', async (t) => {
  using client = new GrpcClient(grpc)
  const answers = await client.stream(
    reflectionV1alpha,
    Array.from({ length: 5000 }, () => textField(4, 'no.Such')),
  )
  t.is(answers.length, 5000)
  t.true(await isWell())
})

test.serial('gRPC: 3,000 calls at one time are all answered, in turn', async (t) => {
  using client = new GrpcClient(grpc)
  const called = await Promise.all(
    Array.from({ length: 3000 }, () => client.call(balance, ofBob, { timeoutMs: 300_000 })),
  )
  t.true(called.every(({ code }) => code === 0))
})

test.serial('all of it replays from the inputs alone', async (t) => {
  await running.close()
  t.true(lines.length > 3000)
  t.is(replayRecorded(settings, lines), undefined)
})
