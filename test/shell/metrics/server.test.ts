/** Scrapes over real sockets, held against the series of the recorded node and what was done. */
import { readFileSync } from 'node:fs'
import test from 'ava'
import { createWalletClient, http } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { createMetricsServer } from '../../../src/shell/metrics/server.ts'
import { createMetrics } from '../../../src/shell/metrics/metrics.ts'
import { leftOut } from '../../../src/shell/metrics/leftOut.ts'
import { createWorld } from '../../../src/shell/world.ts'
import { api, rpc, startControlled } from '../../helpers/control.ts'
import { chainOf, startLocal } from '../../helpers/server.ts'
import { demoToken } from '../../helpers/contracts.ts'
import type { Server } from '../../../src/index.ts'
import { DirectSecp256k1HdWallet } from '@cosmjs/proto-signing'
import { GasPrice, SigningStargateClient } from '@cosmjs/stargate'
import { coin, operatorsOf, phrase } from '../../helpers/cosmjs.ts'
import { parseExposition, seriesValue } from '../../helpers/exposition.ts'

const metered = { prometheus: true, telemetryEnabled: true, telemetryRetention: 86_400 } as const
const alice = mnemonicToAccount('test test test test test test test test test test test junk')
const bob = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

type Series = {
  readonly type: string
  readonly labels: ReadonlySet<string>
  readonly bounds: readonly string[]
}

async function scrape(server: Server): Promise<string> {
  return (await fetch(server.urls.metrics)).text()
}

/** Reads a scrape as Prometheus does: names, types, labels and bounds. */
function seriesIn(text: string): ReadonlyMap<string, Series> {
  const types = new Map([...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type = '']) => [name, type]))
  const found = new Map<string, { type: string; labels: Set<string>; bounds: string[] }>()
  for (const [, sample = '', labels = ''] of text.matchAll(/^([a-z_]\w*)(?:\{(.*)\})? \S+$/gm)) {
    const base = sample.replace(/_(?:bucket|sum|count)$/, '')
    const name = types.get(base) === 'histogram' ? base : sample
    const one = found.get(name) ?? { type: types.get(name) ?? '', labels: new Set(), bounds: [] }
    found.set(name, one)
    for (const [, label = '', value = ''] of labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)) {
      one.labels.add(label)
      if (label === 'le' && !one.bounds.includes(value)) one.bounds.push(value)
    }
  }
  return found
}

const recorded = readFileSync(new URL('../../../../test/golden/metrics.txt', import.meta.url), 'utf8')
const recordedSeries = [...recorded.matchAll(/^(\w+) (counter|gauge|histogram|summary) (\S+)$/gm)].map(
  ([, name = '', type = '', labels = '']) => ({ name, type, labels: labels === '-' ? [] : labels.split(',') }),
)
const isLeftOut = (name: string) =>
  Object.keys(leftOut).some((start) => name.replace(/^cometbft_/, '').startsWith(start))

/** Delegates, takes some of it back, and sends what it does not have, with cosmjs. */
async function stakeAndFail(comet: string): Promise<void> {
  const signer = await DirectSecp256k1HdWallet.fromMnemonic(phrase, { prefix: 'cosmos' })
  const [{ address } = { address: '' }] = await signer.getAccounts()
  const client = await SigningStargateClient.connectWithSigner(comet, signer, {
    gasPrice: GasPrice.fromString('10000000000atest'),
  })
  const [operator = ''] = await operatorsOf(comet)
  const fee = { amount: [coin('100000000000000000')], gas: '1000000' }
  assertOk(await client.delegateTokens(address, operator, coin('1000'), fee))
  assertOk(await client.undelegateTokens(address, operator, coin('400'), fee))
  const failed = await client.sendTokens(address, address, [coin(`1${'0'.repeat(40)}`)], fee)
  if (failed.code === 0) throw new Error('it was to fail')
  client.disconnect()
}

function assertOk({ code, rawLog }: { readonly code: number; readonly rawLog?: string | undefined }): void {
  if (code !== 0) throw new Error(rawLog)
}

let server: Server
test.before(async () => {
  server = await startControlled({ ...metered, apiAddress: '127.0.0.1:0' })
  const writer = createWalletClient({
    chain: chainOf(server.urls.eth),
    transport: http(),
    account: alice,
  })
  await writer.sendTransaction({ to: bob, value: 1n })
  await writer.deployContract({ ...demoToken(), args: [] } as never)
  await stakeAndFail(server.urls.comet)
})
test.after.always(async () => {
  await server.close()
})

test('every series of the recorded node is there with its type and labels, or left out with a reason', async (t) => {
  const found = seriesIn(await scrape(server))
  t.true(recordedSeries.length > 100)
  for (const { name, type, labels } of recordedSeries) {
    if (isLeftOut(name)) t.false(found.has(name), `${name} is left out`)
    else {
      const one = found.get(name)
      t.is(one?.type, type, name)
      t.deepEqual([...(one?.labels ?? [])].toSorted(), labels.toSorted(), name)
    }
  }
})

test('every scrape is what the text format of Prometheus allows', async (t) => {
  for (const url of [server.urls.metrics, `${server.urls.rest}/metrics?format=prometheus`]) {
    const families = parseExposition(await (await fetch(url)).text())
    t.true(families.size > 50)
    t.is(families.get('chainstage_request_duration_seconds')?.type, 'histogram')
  }
})

const malformed: Readonly<Record<string, string>> = {
  'a sample without a type': 'a 1\n',
  'a name that is none': '# TYPE a-b gauge\na-b 1\n',
  'a value that is none': '# TYPE a gauge\na x\n',
  'a series that stands twice': '# TYPE a gauge\na{x="1"} 1\na{x="1"} 2\n',
  'a label that does not end': '# TYPE a gauge\na{x="1} 1\n',
  'a histogram that falls': '# TYPE a histogram\na_bucket{le="1"} 2\na_bucket{le="+Inf"} 1\na_sum 1\na_count 1\n',
  'a last line that does not end': '# TYPE a gauge\na 1',
}
for (const [what, text] of Object.entries(malformed)) {
  test(`the parser of this test refuses ${what}`, (t) => {
    t.throws(() => parseExposition(text))
  })
}

test('the buckets of histograms have the bounds of the recorded node', async (t) => {
  const [, bounds = ''] = /^cometbft_consensus_block_interval_seconds ([\d.]+ .*\+Inf)$/m.exec(recorded) ?? []
  const one = seriesIn(await scrape(server)).get('cometbft_consensus_block_interval_seconds')
  t.deepEqual(one?.bounds, bounds.split(' '))
})

test('no reason stands for a series that is there', async (t) => {
  const names = [...seriesIn(await scrape(server)).keys()]
  for (const start of Object.keys(leftOut)) {
    t.true(
      recordedSeries.some(({ name }) => name.replace(/^cometbft_/, '').startsWith(start)),
      start,
    )
    t.deepEqual(
      names.filter((name) => name.replace(/^cometbft_/, '').startsWith(start)),
      [],
    )
  }
})

test('the numbers are those of the chain', async (t) => {
  const text = await scrape(server)
  const height = Number(await rpc(server.urls.eth, 'eth_blockNumber'))
  const chain = '{chain_id="chainstage-1"}'
  t.is(seriesValue(text, `cometbft_consensus_latest_block_height${chain}`), height)
  t.is(seriesValue(text, `cometbft_consensus_height${chain}`), height + 1)
  t.is(seriesValue(text, 'chainstage_height'), height)
  t.is(seriesValue(text, 'chainstage_blocks_total'), height)
  t.is(seriesValue(text, `cometbft_consensus_total_txs${chain}`), 5)
  t.is(seriesValue(text, 'chainstage_transactions_total{kind="ethereum",result="ok"}'), 2)
  t.is(seriesValue(text, `cometbft_consensus_validators${chain}`), 1)
  t.is(
    seriesValue(text, `cometbft_consensus_validators_power${chain}`),
    Number(server.simulation().node.chain.validators.validators[0]?.power),
  )
  t.is(seriesValue(text, 'tx_count'), 5)
  t.is(seriesValue(text, 'tx_failed'), 1)
  t.is(seriesValue(text, 'tx_successful'), 4)
  t.is(seriesValue(text, 'staking_delegate'), 1)
  t.is(seriesValue(text, 'staking_undelegate'), 1)
  t.is(seriesValue(text, 'tx_msg_ethereum_tx_total{tx_type="2",execution="call"}'), 1)
  t.is(seriesValue(text, 'tx_msg_ethereum_tx_total{tx_type="2",execution="create"}'), 1)
  t.is(seriesValue(text, 'tx_msg_ethereum_tx_gas_used_total{tx_type="2",execution="call"}'), 21_000)
  const block = (await rpc(server.urls.eth, 'eth_getBlockByNumber', 'latest', false)) as {
    baseFeePerGas: string
  }
  t.is(seriesValue(text, 'feemarket_base_fee'), Number(block.baseFeePerGas))
})

test('requests, latencies, faults, sessions and failed transactions are counted', async (t) => {
  await using own = await startControlled(metered)
  const count = async (series: string) => seriesValue(await scrape(own), series)
  const requests = 'chainstage_requests_total{interface="eth",transport="http",status="200"}'
  const calls = 5
  for (let call = 0; call < calls; call++) await rpc(own.urls.eth, 'eth_chainId')
  await fetch(`${own.urls.comet}/status`)
  t.is(await count(requests), calls)
  t.is(await count('chainstage_request_duration_seconds_count{interface="eth"}'), calls)
  t.is(await count('chainstage_request_duration_seconds_bucket{interface="comet",le="+Inf"}'), 1)
  await api(own, '/faults', {
    name: 'bro"ken',
    rule: { match: { method: 'eth_gasPrice' }, effect: { http: { status: 503 } } },
  })
  await t.throwsAsync(rpc(own.urls.eth, 'eth_gasPrice'))
  t.is(await count('chainstage_faults'), 1)
  t.is(await count('chainstage_faults_applied_total{fault="bro\\"ken"}'), 1)
  t.is(await count('chainstage_requests_total{interface="eth",transport="http",status="503"}'), 1)
  t.is(await count('chainstage_sessions'), 0)
  await using session = own.session('metered')
  t.is(await count('chainstage_sessions'), 1)
  await rpc(session.urls.eth, 'eth_chainId')
  t.is(await count(requests), calls + 1)
})

test('a block that is taken back stays counted, and the height falls', async (t) => {
  await using own = await startControlled(metered)
  own.mine(4)
  t.is(seriesValue(await scrape(own), 'chainstage_blocks_total'), 5)
  await api(own, '/reorg', { depth: 2 })
  const text = await scrape(own)
  t.is(seriesValue(text, 'chainstage_height'), 5)
  t.is(seriesValue(text, 'chainstage_blocks_total'), 7)
  await api(own, '/reorg', { depth: 2, view: 'evm' })
  t.is(seriesValue(await scrape(own), 'chainstage_blocks_total'), 7)
})

test('the namespace begins the names of CometBFT, and a service those of the application', async (t) => {
  await using own = await startLocal({ ...metered, prometheusNamespace: 'tendermint', telemetryService: 'shop' })
  own.mine(1)
  const text = await scrape(own)
  t.regex(text, /^tendermint_consensus_height\{/m)
  t.notRegex(text, /^cometbft_/m)
  t.regex(text, /^shop_feemarket_base_fee /m)
})

test('the port answers as on the node, on this machine only, and is off unless asked for', async (t) => {
  const { status, headers } = await fetch(`${server.urls.metrics}/any/path`, { method: 'POST' })
  t.is(status, 200)
  t.is(headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8; escaping=underscores')
  await using anyHost = await startLocal({ prometheus: true, prometheusAddress: ':0' })
  t.regex(anyHost.urls.metrics, /^http:\/\/127\.0\.0\.1:\d+$/)
  await using usual = await startLocal()
  t.is(usual.urls.metrics, '')
})

const rest = test.macro(async (t, path: string, status: number, type: string, body: RegExp) => {
  const answer = await fetch(`${server.urls.rest}${path}`)
  t.is(answer.status, status)
  t.is(answer.headers.get('content-type'), type)
  t.regex(await answer.text(), body)
})

test(
  'REST shows telemetry as JSON',
  rest,
  '/metrics',
  200,
  'application/json',
  /"Gauges":\[\{"Name":"feemarket\.base_fee"/,
)
test(
  'REST shows telemetry as JSON for text too',
  rest,
  '/metrics?format=text',
  200,
  'application/json',
  /"Counters":\[/,
)
test(
  'REST shows the text of Prometheus',
  rest,
  '/metrics?format=prometheus',
  200,
  'text/plain; version=0.0.4; charset=utf-8',
  /^cometbft_consensus_height\{/m,
)
test(
  'REST refuses another format',
  rest,
  '/metrics?format=nope',
  400,
  'application/json',
  /^\{"error":"failed to gather metrics: unsupported metrics format: nope"\}$/,
)

test('REST has no metrics without telemetry, and no Prometheus text without retention', async (t) => {
  await using off = await startLocal({ prometheus: true })
  t.is((await fetch(`${off.urls.rest}/metrics`)).status, 501)
  await using short = await startLocal({ telemetryEnabled: true })
  const answer = await fetch(`${short.urls.rest}/metrics?format=prometheus`)
  t.is(answer.status, 400)
  t.deepEqual(await answer.json(), { error: 'failed to gather metrics: prometheus metrics are not enabled' })
})

test('more scrapes at one time than max_open_connections are refused', (t) => {
  const settings = { ...server.settings, prometheusMaxRequests: 1 }
  const { world } = createWorld(settings)
  const { simulation } = server
  const metrics = createMetrics({ world, settings, simulation, sessions: () => 0, nowMs: () => 0 })
  const left: (() => void)[] = []
  t.is(metrics.scrape((end) => left.push(end)).status, 200)
  const refused = metrics.scrape((end) => left.push(end))
  t.is(refused.status, 503)
  t.is(refused.body, 'Limit of concurrent requests reached (1), try again later.\n')
  for (const end of left) end()
  const { body } = metrics.scrape(() => {})
  t.is(seriesValue(body, 'promhttp_metric_handler_requests_total{code="503"}'), 1)
  t.is(seriesValue(body, 'promhttp_metric_handler_requests_in_flight'), 1)
})

test('time limits of a scrape are checked every second', (t) => {
  const { world } = createWorld(server.settings)
  const { settings, simulation } = server
  const metrics = createMetrics({ world, settings, simulation, sessions: () => 0, nowMs: () => 0 })
  t.like(
    createMetricsServer(metrics, () => settings),
    { headersTimeout: 10_000, connectionsCheckingInterval: 1000 },
  )
})
