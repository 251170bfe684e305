/** What clients hear whose chain ends before it has answered them, and after that. */
import { status } from '@grpc/grpc-js'
import test from 'ava'
import { start, type Session } from '../../src/index.ts'
import type { CallId } from '../../src/shell/fleet/entry.ts'
import { createCopy } from '../../src/shell/fleet/copy.ts'
import type { Input } from '../../src/plan/input.ts'
import type { ReplyOutput } from '../../src/node/output.ts'
import { createPlayer } from '../../src/recording/playback/player.ts'
import { importTap } from '../../src/recording/playback/importTap.ts'
import { cometNames } from '../../src/shell/playback.ts'
import { ethProvider } from '../../src/shell/provider.ts'
import { GrpcClient } from '../helpers/grpc.ts'
import { KvSimulation } from '../helpers/kvSimulation.ts'
import { startPlayback } from '../helpers/playback.ts'
import { ask } from '../helpers/raw.ts'
import { eventually, freePorts, startLocal } from '../helpers/server.ts'
import { callOf } from '../helpers/requests.ts'

const stopped = 'the chain was stopped'

const posted = (url: string, body: object) =>
  ask(url, { verb: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
const call = (method: string, params: unknown) => ({ jsonrpc: '2.0', id: 1, method, params })

/** Resolves when a request has reached a chain, or the first of the blocks that one mines is there. */
const busy = ({ journal, simulation }: Session) =>
  eventually(() => journal().exchanges.length > 0 || simulation().node.chain.height > 1n)

type Effect = { latency: string } | { hang: true } | undefined

const unanswered = test.macro(async (t, effect: Effect, body: object, ids: unknown = 1) => {
  await using server = await startLocal({ blocks: 'manual' })
  const session = server.session('ends')
  if (effect !== undefined) await session.fault('slow', { match: { method: '*' }, effect })
  const { eth, comet } = session.urls
  const [first = body] = Array.isArray(body) ? (body as object[]) : []
  const asked = posted('jsonrpc' in first ? eth : comet, body)
  await busy(session)
  await session.close()
  const answer = await asked
  t.is(answer.status, 503)
  const error = { code: -32603, message: stopped }
  const expected = [ids].flat().map((id) => ({ jsonrpc: '2.0', id, error }))
  t.deepEqual(JSON.parse(answer.body), Array.isArray(ids) ? expected : expected[0])
})
test('a request whose blocks are being mined', unanswered, undefined, call('anvil_mine', ['0xf4240']))
test('a request with a slow response', unanswered, { latency: '60s' }, call('eth_chainId', []))
test('a request that a fault leaves unanswered', unanswered, { hang: true }, call('eth_chainId', []))

const mining = call('anvil_mine', ['0xf4240'])
const version = { jsonrpc: '2.0', method: 'net_version' }
test(
  'a batch, one of whose calls mines',
  unanswered,
  undefined,
  [{ ...mining, id: 'm' }, version, { ...version, id: 7 }],
  ['m', 7],
)
const slow = { latency: '60s' }
const health = { id: 'h', method: 'health' }
test('a batch of one call', unanswered, slow, [{ ...version, id: 1.5 }], [1.5])
test('a batch whose ids are longer than what is kept', unanswered, slow, [{ ...version, id: 'i'.repeat(70_000) }], null)
test('a notification, which has no id', unanswered, slow, version, null)
test('a call of CometBFT RPC', unanswered, slow, health, 'h')
test('a batch of one call, which CometBFT answers without a list', unanswered, slow, [health], 'h')
test('a batch of CometBFT RPC that a fault leaves unanswered', unanswered, { hang: true }, [health, health], ['h', 'h'])

test('a call of CometBFT RPC by path', async (t) => {
  await using server = await startLocal({ blocks: 'manual' })
  const session = server.session('ends')
  await session.fault('slow', { match: { method: '*' }, effect: slow })
  const asked = ask(`${session.urls.comet}/health`, {})
  await busy(session)
  await session.close()
  t.like(JSON.parse((await asked).body), { id: -1, error: { message: stopped } })
})

test('a request of the REST API', async (t) => {
  for (const effect of [slow, { hang: true } as const]) {
    await using server = await startLocal({ blocks: 'manual' })
    const session = server.session('ends')
    await session.fault('slow', { match: { iface: 'rest' }, effect })
    const asked = ask(`${session.urls.rest}/cosmos/base/tendermint/v1beta1/syncing`, {})
    await busy(session)
    await session.close()
    const answer = await asked
    t.is(answer.status, 503)
    t.regex(String(answer.headers['x-server-time']), /^\d+$/)
    t.deepEqual(JSON.parse(answer.body), { code: status.UNAVAILABLE, message: stopped, details: [] })
  }
})

test('blocks that are mined for the control port', async (t) => {
  await using server = await startLocal({ controlAddress: '127.0.0.1:0', blocks: 'manual' })
  const session = server.session('ends')
  const asked = posted(`${server.urls.control}/s/ends/api/mine`, { blocks: 1_000_000 })
  await busy(session)
  t.is((await ask(`${server.urls.control}/api/sessions/ends`, { verb: 'DELETE' })).status, 200)
  t.like(JSON.parse((await asked).body), { error: { code: 'ACTION_REFUSED', message: stopped } })
})

const overGrpc = test.macro(async (t, effect: { latency: string } | { hang: true }) => {
  await using server = await startLocal()
  using client = new GrpcClient(server.urls.grpc)
  const session = server.session('ends')
  await session.fault('slow', { match: { iface: 'grpc' }, effect })
  const headers = { 'x-chainstage-session': 'ends' }
  const asked = client.call('/cosmos.base.tendermint.v1beta1.Service/GetSyncing', new Uint8Array(0), { headers })
  await busy(session)
  await session.close()
  t.like(await asked, { code: status.UNAVAILABLE, details: stopped })
})
test('a gRPC call with a slow response', overGrpc, { latency: '60s' })
test('a gRPC call that a fault leaves unanswered', overGrpc, { hang: true })

test('requests within the program, before and after the end of a session', async (t) => {
  await using server = await startLocal({ blocks: 'manual' })
  const session = server.session('ends')
  await session.fault('silent', { match: { method: 'eth_gasPrice' }, effect: { hang: true } })
  const asked = [
    session.eth.request({ method: 'anvil_mine', params: ['0xf4240'] }),
    session.eth.request({ method: 'eth_gasPrice' }),
  ]
  const heard = Promise.all(asked.map((one) => t.throwsAsync(one, { name: 'RpcFailed', message: stopped })))
  await session.close()
  await heard
  await t.throwsAsync(session.eth.request({ method: 'eth_chainId' }), { message: stopped })
  await t.throwsAsync(session.comet.call('status'), { message: stopped })
  t.is(await server.eth.request({ method: 'eth_blockNumber' }), '0x1')
})

test('requests within the program after the end of the server', async (t) => {
  const server = await start({ settings: freePorts })
  await server.close()
  await t.throwsAsync(server.eth.request({ method: 'eth_chainId' }), { message: stopped })
  await t.throwsAsync(server.comet.call('status'), { message: stopped })
})

test('a request that waits for its turn in a playback', async (t) => {
  const library = importTap('', cometNames)
  const player = { ...createPlayer(library, {}), ask: () => undefined }
  const { running } = await startPlayback(library, {}, {}, { player })
  const { request } = ethProvider(running.main.queue, running.main.sockets.openLocal)
  const heard = t.throwsAsync(request({ method: 'eth_gasPrice' }), { message: stopped })
  await running.close()
  await heard
  await t.throwsAsync(request({ method: 'eth_gasPrice' }), { message: stopped })
})

test('requests to a fork whose other chain is silent', async (t) => {
  await using upstream = await startLocal()
  upstream.mine(2)
  const fork = await start({
    ports: 'free',
    fork: { from: [upstream.urls.eth], timeoutMs: 60_000 },
    settings: { blocks: 'manual' },
  })
  await upstream.fault('silent', { match: { method: '*' }, effect: { hang: true } })
  const history = fork.eth.request({ method: 'eth_getBlockByNumber', params: ['0x2', false] })
  const state = fork.eth.request({ method: 'eth_getBalance', params: [`0x${'a1'.repeat(20)}`, 'latest'] })
  const inLine = fork.eth.request({ method: 'eth_chainId' })
  const heard = Promise.all([history, state, inLine].map((one) => t.throwsAsync(one, { message: stopped })))
  await eventually(() => upstream.journal().exchanges.some(({ answer }) => answer === '(hang)'))
  await fork.close()
  await heard
})

test('a client of a fleet member whose blocks are being mined', async (t) => {
  const { world, simulation: first } = new KvSimulation()
  const heard: ReplyOutput[] = []
  const onReply = (reply: ReplyOutput) => {
    heard.push(reply)
  }
  const ignore = () => {}
  const copy = createCopy({
    ...{ session: '', self: 'one', world, first, watching: (simulate) => simulate },
    ownSinks: { perform: ignore, wake: ignore },
    sinks: { push: ignore, close: ignore, listen: ignore, log: ignore, perform: ignore, wake: ignore, record: ignore },
    claim: () => ({ onReply, settled: ignore }),
  })
  const from: CallId = { member: 'one', call: 1 }
  const input: Input = { ...callOf('anvil_mine', ['0xf4240']), seq: 1, timeMs: 0n, session: '' }
  await copy.take([{ input, from }])
  t.deepEqual(heard, [])
  copy.stop()
  copy.stop()
  t.deepEqual(
    heard.map(({ status: code, body }) => [code, (JSON.parse(body) as { id: unknown }).id]),
    [[503, 1]],
  )
})
