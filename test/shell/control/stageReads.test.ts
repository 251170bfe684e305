/** Reads of the dashboard's stage pages: requests of one method, blocks at a distance, chains, fault checks. */
import test from 'ava'
import { addLatency, percentilesOf, type Latencies } from '../../../src/shell/latencies.ts'
import { createRequestStats } from '../../../src/shell/requestStats.ts'
import { api, rpc, startControlled } from '../../helpers/control.ts'

test('percentiles of latencies are within 2.5 % of the exact ones', (t) => {
  const latencies: Latencies = new Map()
  t.deepEqual(percentilesOf(latencies, [0.5, 0.99]), [null, null])
  for (let took = 1; took <= 1000; took++) addLatency(latencies, took / 10)
  const [p50, p95, p99] = percentilesOf(latencies, [0.5, 0.95, 0.99]) as [number, number, number]
  for (const [told, exact] of [
    [p50, 50.1],
    [p95, 95.1],
    [p99, 99.1],
  ] as const)
    t.true(Math.abs(told / exact - 1) < 0.025 + 1e-9, `${told} for ${exact}`)
})

test('a method has seconds and a rate of its own', (t) => {
  let nowMs = 1_000_000_000_000
  const stats = createRequestStats(() => nowMs)
  const ask = (method: string, tookMs: number, status = 200) =>
    stats.answered({ side: 'eth', request: JSON.stringify({ method }), answer: '{}', status, tookMs })
  for (let second = 0; second < 5; second++) {
    for (let count = 0; count < 20; count++) ask('eth_call', 10)
    ask('eth_gasPrice', 1000, 503)
    nowMs += 1000
  }
  const of = (method?: string) => stats.view(method).seconds.at(-2)
  t.like(of('eth_call'), { count: 20, errors: 0 })
  t.like(of('eth_gasPrice'), { count: 1, errors: 1 })
  t.like(of(), { count: 21, errors: 1 })
  t.like(of('eth_chainId'), { count: 0, p50Ms: null })
  t.true(Math.abs(Number(of()?.p50Ms) - 10) < 0.3 && Number(of()?.p99Ms) > 950)
  const rates = stats.view().methods.map(({ method, perSecond }) => [method, perSecond])
  t.deepEqual(rates, [
    ['eth_call', 10],
    ['eth_gasPrice', 0.5],
  ])
  nowMs += 300_000
  ask('eth_chainId', 1)
  t.true(stats.view('eth_call').seconds.every(({ count }) => count === 0))
  t.is(stats.view().methods.find(({ method }) => method === 'eth_call')?.perSecond, 0)
})

test('blocks are read at a distance, chains with the main one, and faults checked before they are turned on', async (t) => {
  await using server = await startControlled()
  const { body: mined } = await api(server, '/mine', { blocks: 99 })
  t.is(mined.height, 100)
  const heights = async (query: string) =>
    (await api(server, `/blocks?${query}`)).body.map(({ height }: { height: number }) => height)
  t.deepEqual(await heights('limit=4&step=30'), [90, 60, 30])
  t.deepEqual(await heights('limit=2&step=1&before=31'), [30, 29])
  t.deepEqual(await heights('limit=2&step=7&before=35'), [28, 21])
  await api(server, '/sessions', { name: 'beside' })
  const names = async (query: string) =>
    (await api(server, `/sessions${query}`)).body.map(({ session }: { session: string }) => session)
  t.deepEqual(await names(''), ['beside'])
  t.deepEqual(await names('?main=true'), ['', 'beside'])
  await rpc(server.urls.eth, 'eth_chainId')
  const { body: requests } = await api(server, '/requests?method=eth_chainId')
  t.is(
    requests.seconds.reduce((sum: number, { count }: { count: number }) => sum + count, 0),
    1,
  )
  const check = async (rule: unknown) => (await api(server, '/faults/check', { name: 'x', rule })).body.problem
  t.is(await check({ effect: { latency: '20ms' } }), null)
  t.regex(await check({ effect: { latency: 'soon' } }), /effect\.latency/)
  t.deepEqual((await api(server, '/faults')).body.active, [])
})
