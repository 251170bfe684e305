/** What clients make of refusals: how often they try again, how long they wait, what they say. */
import test from 'ava'
import { Comet38Client, HttpClient } from '@cosmjs/tendermint-rpc'
import { FetchRequest, JsonRpcProvider } from 'ethers'
import { createPublicClient, http } from 'viem'
import type { FaultDescription, Server } from '../../src/index.ts'
import { chainOf, eventually, startLocal } from '../helpers/server.ts'

type Effect = FaultDescription['effect']

const viem = (url: string, options: Parameters<typeof http>[1] = {}) =>
  createPublicClient({ chain: chainOf(url), transport: http(url, { retryDelay: 5, ...options }), cacheTime: 0 })

const ethers = (url: string) => {
  const request = new FetchRequest(url)
  request.setThrottleParams({ slotInterval: 1, maxAttempts: 4 })
  return new JsonRpcProvider(request, 31337, { staticNetwork: true, batchMaxCount: 1 })
}

/** How often the clients called, which attempts they were, and what the journal says of them. */
function calls({ journal }: Server, method: string) {
  return journal().calls.filter((one) => one.method === method)
}

const said = (error: unknown) => (error instanceof Error ? `${error.name}: ${error.message}` : String(error))

const fails = test.macro({
  async exec(t, effect: Effect, wanted: { viem: RegExp; attempts: number }, patienceMs: number = 10_000) {
    await using server = await startLocal()
    await server.fault('planted', { match: { method: 'eth_chainId' }, effect })
    const error = await t.throwsAsync(viem(server.urls.eth, { timeout: patienceMs }).getChainId())
    t.regex(said(error), wanted.viem)
    t.is(calls(server, 'eth_chainId').length, wanted.attempts)
  },
  title: (_, effect: object) => `viem and ${JSON.stringify(effect)}`,
})
test(fails, { http: { status: 503, body: 'busy' } }, { viem: /HTTP request failed[^]*Status: 503/, attempts: 4 })
test(fails, { http: { status: 400, body: 'bad' } }, { viem: /Status: 400[^]*Details: "bad"/, attempts: 1 })
test(fails, { rpcError: 'limitExceeded' }, { viem: /LimitExceeded/, attempts: 4 })
test(fails, { rpcError: { code: -32000, message: 'no' } }, { viem: /no/, attempts: 1 })
// An answer that is JSON-RPC counts more for viem than its status.
test(fails, { provider: 'infura' }, { viem: /LimitExceeded[^]*request rate exceeded/, attempts: 4 })
test(fails, { provider: 'alchemy' }, { viem: /compute units/, attempts: 4 })
test(fails, { provider: 'alchemyMonthly' }, { viem: /Monthly capacity/, attempts: 1 })
test(fails, { provider: 'quicknode' }, { viem: /request limit reached/, attempts: 4 })
test(fails, { reset: 'beforeHeaders' }, { viem: /fetch failed/, attempts: 4 })
test(fails, { reset: 'midBody' }, { viem: /HTTP request failed/, attempts: 4 })
test(fails, { timeout: '5ms' }, { viem: /fetch failed/, attempts: 4 })
test(fails, { truncate: true }, { viem: /JSON/, attempts: 4 })
test(fails, { empty: true }, { viem: /JSON|Unexpected end/, attempts: 4 })
test(fails, { malformed: 'json' }, { viem: /JSON/, attempts: 4 })
test(fails, { malformed: 'chunk' }, { viem: /HTTP request failed/, attempts: 4 })
test(fails, { malformed: 'contentLength' }, { viem: /HTTP request failed/, attempts: 4 })
test(fails, { hang: true }, { viem: /Timeout/, attempts: 4 }, 800)

const works = test.macro({
  async exec(t, effect: Effect) {
    await using server = await startLocal()
    await server.fault('planted', { match: { method: ['eth_chainId', 'status'] }, effect })
    t.is(await viem(server.urls.eth).getChainId(), 31337)
    t.deepEqual(
      calls(server, 'eth_chainId').map(({ faults }) => faults),
      [['planted']],
    )
    const comet = await Comet38Client.create(new HttpClient(server.urls.comet))
    t.is((await comet.status()).nodeInfo.network, 'chainstage-1')
  },
  title: (_, effect: object) => `clients of both interfaces wait for ${JSON.stringify(effect)}`,
})
test(works, { latency: '40ms' })
test(works, { latency: { normal: { mean: '60ms', sd: '2ms' } } })
test(works, { dribble: { bytes: 10, every: '10ms' } })
test(works, { bandwidth: 600 })
test(works, { slowClose: '40ms' })

test('viem waits as long as Retry-After says, in seconds', async (t) => {
  await using server = await startLocal({ pace: 'manual' })
  await server.fault('quota', {
    match: { client: { userAgent: 'node*' } },
    effect: { http: { status: 429, headers: { 'Retry-After': '$retryAfter' }, body: 'slow down' } },
    select: { rate: { limit: 1, per: '1s', by: 'ip' } },
  })
  const client = viem(server.urls.eth)
  t.is(await client.getChainId(), 31337)
  const second = client.getChainId()
  await eventually(() => calls(server, 'eth_chainId').length === 2)
  await server.advance('1s')
  t.is(await second, 31337)
  const tried = calls(server, 'eth_chainId')
  t.deepEqual(
    tried.map(({ outcome, attempt }) => [outcome, attempt]),
    [
      ['ok', 1],
      ['fault', 1],
      ['ok', 2],
    ],
  )
  t.deepEqual(
    server.journal().masked.map(({ faults, attempts }) => [faults, attempts]),
    [[['quota'], 2]],
  )
  t.throws(() => server.assertClean(), {
    message: /the fault "quota" was masked: eth_chainId on Ethereum JSON-RPC succeeded at attempt 2/,
  })
})

test('ethers takes the seconds of Retry-After for milliseconds', async (t) => {
  await using server = await startLocal()
  const headers = { 'Retry-After': '60' }
  await server.fault('quota', { effect: { http: { status: 429, headers, body: 'slow down' } } })
  const provider = ethers(server.urls.eth)
  const error = await t.throwsAsync(provider.send('eth_blockNumber', []))
  t.regex(said(error), /exceeded maximum retry limit|429/)
  t.true(calls(server, 'eth_blockNumber').length > 1)
  provider.destroy()
})

test('a fault of one call hides from no client that tries again, one of one attempt hides from viem', async (t) => {
  await using server = await startLocal()
  const busy = { http: { status: 503 } }
  await server.fault('call', { match: { method: 'eth_gasPrice' }, select: { count: 1 }, effect: busy })
  const client = viem(server.urls.eth)
  await t.throwsAsync(client.getGasPrice())
  await server.fault('attempt', {
    match: { method: 'eth_chainId' },
    select: { count: 1, per: 'attempt' },
    effect: busy,
  })
  t.is(await client.getChainId(), 31337)
  t.deepEqual(
    server.journal().masked.map(({ faults, method }) => [faults, method]),
    [[['attempt'], 'eth_chainId']],
  )
})
