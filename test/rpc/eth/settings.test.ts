/** Every key of `[json-rpc]` in `app.toml`, each with what a client sees of it (§6.1). */
import http from 'node:http'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import test from 'ava'
import { settingTable, type SettingName, type Settings } from '../../../src/settings/settings.ts'
import { valueOfText } from '../../../src/shell/config/value.ts'
import { startLocal } from '../../helpers/server.ts'
import type { Server } from '../../../src/index.ts'

const alice = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
const code = '0x00000000000000000000000000000000000c0de1'

type Call = readonly [method: string, ...params: unknown[]]
type Answer = {
  readonly result?: unknown
  readonly error?: { readonly code: number; readonly message: string }
}

async function post(server: Server, content: unknown): Promise<string> {
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify(content)
  return (await fetch(server.urls.eth, { method: 'POST', headers, body })).text()
}

async function ask(server: Server, [method, ...params]: Call): Promise<Answer> {
  return JSON.parse(await post(server, { jsonrpc: '2.0', id: 1, method, params })) as Answer
}

/** Answers of the last call: its result, or its error's message. */
async function answers(server: Server, calls: readonly Call[]): Promise<unknown> {
  let last: Answer = {}
  for (const call of calls) last = await ask(server, call)
  return last.error?.message ?? last.result
}

/** The same calls give one answer with the key set one way and another with it set otherwise. */
const acts = test.macro(
  async (t, calls: readonly Call[], ...cases: readonly (readonly [settings: Partial<Settings>, wanted: unknown])[]) => {
    for (const [settings, wanted] of cases) {
      await using server = await startLocal(settings)
      const got = await answers(server, calls)
      const shown = JSON.stringify(settings)
      if (wanted instanceof RegExp) t.regex(String(got), wanted, shown)
      else t.deepEqual(got, wanted, shown)
    }
  },
)

const overrides = (bytes: string) => [{ to: code, gas: '0x1312d00' }, 'latest', { [code]: { code: bytes } }]
/** GAS, returned. */
const gasLeft: Call = ['eth_call', ...overrides('0x5a60005260206000f3')]
const endless: Call = ['eth_call', ...overrides('0x5b600056')]
/** Three logs in a block of its own: LOG0 thrice on creation. */
const logging: Call = [
  'eth_sendTransaction',
  {
    from: alice,
    data: '0x60006000a060006000a060006000a000',
    gas: '0x186a0',
  },
]
const mine: Call = ['evm_mine']
const range: Call = ['eth_getLogs', { fromBlock: '0x0', toBlock: 'latest' }]
const price = '0x174876e800'
const sending = { from: alice, to: alice, gas: '0x5208', gasPrice: price, nonce: '0x0' }
const waiting: readonly Call[] = [
  ['evm_setAutomine', false],
  ['eth_sendTransaction', sending],
  ['eth_resend', sending, '0x5af3107a4000'],
]
/** Without a chain id, as before EIP-155: a deployment whose deployer nobody is (keyless). */
const unprotected: Call = [
  'eth_sendRawTransaction',
  [
    '0x',
    'f8a58085174876e800830186a08080b853604580600e600039806000f350fe7fffffffffffffffffffffffffff',
    'ffffffffffffffffffffffffffffffffffffe03601600081602082378035828234f58015156039578182fd5b80',
    '82525050506014600cf31ba02222222222222222222222222222222222222222222222222222222222222222a0',
    '2222222222222222222222222222222222222222222222222222222222222222',
  ].join(''),
]
const deployer = '0x3fab184622dc19b6109349b94811493bf2a45362'
const unknownReceipt: Call = ['eth_getTransactionReceipt', `0x${'11'.repeat(32)}`]

test(
  'api: methods of other namespaces are not there',
  acts,
  [['net_version']],
  [{ ethApi: ['eth', 'net'] }, '31337'],
  [{ ethApi: ['eth'] }, /does not exist/],
)
test(
  'gas-cap: a call has no more than that',
  acts,
  [gasLeft],
  [{ gasCap: 0 }, `0x${(20_000_000 - 21_002).toString(16).padStart(64, '0')}`],
  [{ gasCap: 100_000 }, `0x${(100_000 - 21_002).toString(16).padStart(64, '0')}`],
)
test(
  'allow-insecure-unlock: without it the node sends nothing',
  acts,
  [['eth_sendTransaction', { from: alice, to: alice }]],
  [{ allowInsecureUnlock: true }, /^0x[0-9a-f]{64}$/],
  [{ allowInsecureUnlock: false }, 'account unlock with HTTP access is forbidden'],
)
test(
  'evm-timeout: a longer call is given up',
  acts,
  [endless],
  [{ evmTimeout: '10s' }, /out of gas/],
  [{ evmTimeout: '1ms' }, 'execution aborted (timeout = 1ms)'],
)
test(
  'txfee-cap: a resent transaction pays no more',
  acts,
  waiting,
  [{ txFeeCap: 3 }, /^0x[0-9a-f]{64}$/],
  [{ txFeeCap: 1 }, 'tx fee (2.10 ether) exceeds the configured cap (1.00 ether)'],
  [{ txFeeCap: 0 }, /^0x[0-9a-f]{64}$/],
)
const filter: Call = ['eth_newBlockFilter']
const history: Call = ['eth_feeHistory', '0x3', 'latest', []]
test(
  'filter-cap: no more filters at one time',
  acts,
  [filter, filter],
  [{ filterCap: 2 }, /^0x[0-9a-f]{32}$/],
  [{ filterCap: 1 }, /max limit reached/],
)
test(
  'feehistory-cap: no more blocks',
  acts,
  [mine, mine, mine, history],
  [{ feeHistoryCap: 2 }, /[Ff]eehistory|FeeHistory|higher than/],
)
test('logs-cap: no more logs', acts, [logging, range], [{ logsCap: 2 }, 'query returned more than 2 results'])
test(
  'block-range-cap: no more blocks of logs',
  acts,
  [mine, mine, mine, range],
  [{ blockRangeCap: 2 }, 'maximum [from, to] blocks distance: 2'],
)
test(
  'allow-unprotected-txs: transactions of any chain',
  acts,
  [['anvil_setBalance', deployer, '0xde0b6b3a7640000'], unprotected],
  [{ allowUnprotectedTxs: true }, /^0x[0-9a-f]{64}$/],
  [{ allowUnprotectedTxs: false }, 'only replay-protected (EIP-155) transactions allowed over RPC'],
)
test(
  'http-timeout: an answer that waits is given up',
  acts,
  [unknownReceipt],
  [{ ethHttpTimeout: '300ms', quirks: ['faithful'], mempoolMaxTxs: -1 }, 'request timed out'],
)
test(
  'enable-profiling: debug looks into the process',
  acts,
  [['debug_freeOSMemory']],
  [{ ethEnableProfiling: true }, null],
  [{ ethEnableProfiling: false }, 'profiling disabled in the debug namespace'],
)

test('batch-request-limit: no more calls in one batch', async (t) => {
  await using server = await startLocal({ ethBatchRequestLimit: 2 })
  const one = { jsonrpc: '2.0', id: 1, method: 'eth_chainId' }
  t.is((JSON.parse(await post(server, [one, one])) as unknown[]).length, 2)
  t.regex(await post(server, [one, one, one]), /batch too large/)
})

test('batch-response-max-size: no more bytes in an answer', async (t) => {
  await using server = await startLocal({ ethBatchResponseMaxSize: 10 })
  const one = { jsonrpc: '2.0', id: 1, method: 'eth_chainId' }
  const got = JSON.parse(await post(server, [one, one, one])) as Answer[]
  t.deepEqual(
    got.map(({ error }) => error?.code),
    [undefined, undefined, -32003],
  )
})

test('enable, address, ws-address: what is off does not listen', async (t) => {
  await using off = await startLocal({ ethEnable: false })
  t.deepEqual([off.urls.eth, off.urls.ethWs], ['', ''])
  await using http = await startLocal({ ethWsAddress: '' })
  t.is(http.urls.ethWs, '')
  t.is(await answers(http, [['eth_chainId']]), '0x7a69')
})

const upgrade = test.macro(async (t, origins: readonly string[], wanted: number) => {
  await using server = await startLocal({ ethWsOrigins: origins })
  const { port } = new URL(server.urls.ethWs)
  const headers = {
    connection: 'upgrade',
    upgrade: 'websocket',
    origin: 'http://example.org',
    'sec-websocket-version': '13',
    'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
  }
  const status = await new Promise((done) => {
    const request = http.request({ host: '127.0.0.1', port, headers })
    request.on('response', ({ statusCode }) => done(statusCode))
    request.on('upgrade', ({ statusCode }, socket) => {
      socket.destroy()
      done(statusCode)
    })
    request.end()
  })
  t.is(status, wanted)
})
test('ws-origins: a host that is listed is let in', upgrade, ['example.org'], 101)
test('ws-origins: a host that is not is refused', upgrade, ['localhost'], 403)

/** Opens a connection and asks for the chain id. */
function asking(server: Server): Socket {
  const { port } = new URL(server.urls.eth)
  const body = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}'
  const head = 'POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n'
  const socket = connect(Number(port), '127.0.0.1', () => {
    socket.write(`${head}Content-Length: ${body.length}\r\n\r\n${body}`)
  })
  return socket
}

test('http-idle-timeout: an idle connection is closed', async (t) => {
  await using brief = await startLocal({ ethHttpIdleTimeout: '100ms' })
  t.regex(await text(asking(brief)), /0x7a69/)
})

test('max-open-connections: one more waits until another is closed', async (t) => {
  await using server = await startLocal({ ethMaxOpenConnections: 1 })
  const first = asking(server)
  t.regex(String((await once(first, 'data'))[0]), /0x7a69/)
  const second = once(asking(server), 'data')
  t.is(await Promise.race([second, setTimeout(200, 'waiting')]), 'waiting')
  first.destroy()
  const [answer] = await second
  t.regex(String(answer), /0x7a69/)
})

const refused = test.macro((t, flag: string, value: string, message: RegExp) => {
  const found = Object.entries(settingTable).find(([, one]) => one.flag === `json-rpc.${flag}`)
  if (found === undefined) return t.fail(`no flag ${flag}`)
  const [name, one] = found
  t.throws(() => valueOfText({ name: name as SettingName, one, where: flag }, value), { message })
})
for (const flag of ['gas-cap', 'filter-cap', 'logs-cap', 'block-range-cap', 'txfee-cap', 'max-open-connections'])
  test(`${flag}: less than 0 is refused`, refused, flag, '-1', /at least 0/)
for (const flag of ['evm-timeout', 'http-timeout', 'http-idle-timeout']) {
  test(`${flag}: less than 0 is refused`, refused, flag, '-1s', /at least 0/)
}
test('feehistory-cap: 0 is refused', refused, 'feehistory-cap', '0', /at least 1/)
test('api: a namespace that is not there is refused', refused, 'api', 'eth,les', /namespace/)
test('api: a namespace that is named twice is refused', refused, 'api', 'eth,eth', /repeated/)

/** Keys of the node that mean nothing here: searches need no index, nothing is metered. */
const unused = ['enable-indexer', 'metrics-address']

test('every key of [json-rpc] is tried here', (t) => {
  const keys = Object.values(settingTable).flatMap((one) =>
    'file' in one && one.file.section === 'json-rpc' ? [one.file.key] : [],
  )
  t.deepEqual(
    [...keys, ...unused].sort(),
    [
      'enable',
      'address',
      'ws-address',
      'ws-origins',
      'api',
      'gas-cap',
      'allow-insecure-unlock',
      'evm-timeout',
      'txfee-cap',
      'filter-cap',
      'feehistory-cap',
      'logs-cap',
      'block-range-cap',
      'http-timeout',
      'http-idle-timeout',
      'allow-unprotected-txs',
      'max-open-connections',
      'enable-indexer',
      'metrics-address',
      'batch-request-limit',
      'batch-response-max-size',
      'enable-profiling',
    ].sort(),
  )
})
