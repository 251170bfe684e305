import test from 'ava'
import type { RequestInput } from '../../../src/node/input.ts'
import type { Framed } from '../../../src/rpc/transport.ts'
import { ask, recordedKeys, stub, type Stub } from '../../helpers/ethStub.ts'
import { bodyOf, goldenCases, withoutSource, type GoldenCase, type Wanted } from '../../helpers/goldenCases.ts'

// The well-known development keys of the recorded node.
const keys = recordedKeys([
  {
    name: 'dev0',
    privateKey: '0x88cbead91aee890d27bf06e003ade3d4e952427e88f88d31d61d3ef5e5d54305',
  },
  {
    name: 'dev1',
    privateKey: '0x741de4f8988ea941d3ff0287911ca4074e62b7d45c991a51186455366f10b544',
  },
  {
    name: 'dev2',
    privateKey: '0x3b7955d25189c99a7468192fcbc6429205c158834053ebe3f78f4512ab432db9',
  },
  {
    name: 'dev3',
    privateKey: '0x8a36c69d940a92fcea94b36d0f2928c7a0ee19a90073eda769693298dfa9603b',
  },
  {
    name: 'mykey',
    privateKey: '0xe9b1d63e8acd7fe676acb43afb390d4b0202dab61abec9cf2a561e4becb147de',
  },
])

const faithful = stub({}, keys)
const restricted = stub({ ethApi: ['eth', 'net', 'web3'] }, keys)

function httpRequest({ via, request, path, headers }: GoldenCase): Partial<RequestInput> {
  const origin = headers?.['origin']
  const type =
    headers === undefined || !('content-type' in headers) ? 'application/json' : (headers['content-type'] ?? '')
  const isPost = via === 'post'
  return {
    verb: via.toUpperCase(),
    target: isPost ? (path ?? '/') : String(request),
    contentType: isPost ? type : '',
    body: isPost ? bodyOf(request) : '',
    ...(typeof origin === 'string' ? { origin } : {}),
  }
}

/** Whether a recorded leaf allows what came: classes stand for anything of their kind. */
function fits(wanted: unknown, found: unknown): boolean {
  if (typeof wanted === 'string' && wanted.includes('${~')) {
    return wanted.endsWith('${~source}') ? withoutSource(wanted) === found : typeof found === 'string'
  }
  if (Array.isArray(wanted)) {
    return Array.isArray(found) && wanted.length === found.length && wanted.every((each, at) => fits(each, found[at]))
  }
  if (typeof wanted !== 'object' || wanted === null) return Object.is(wanted, found)
  if (typeof found !== 'object' || found === null) return false
  const names = Object.keys(wanted)
  return (
    names.length === Object.keys(found).length &&
    names.every((name) => name in found && fits(Reflect.get(wanted, name), Reflect.get(found, name)))
  )
}

function bodyOfFramed({ body }: Framed): unknown {
  try {
    return JSON.parse(body) as unknown
  } catch {
    return body
  }
}

const headersKept = new Set(['content-type', 'vary', 'x-content-type-options', 'access-control-allow-origin'])

function headersOf({ headers }: Framed): Record<string, string> {
  return Object.fromEntries(
    headers.map(([name, value]) => [name.toLowerCase(), value]).filter(([name = '']) => headersKept.has(name)),
  )
}

// Of the shell, or estimates on a state that the stub has not.
const skipped = /^(cors preflight|HTTP\/1|pipelined|eth_fillTransaction data without gas)/

function comparable(one: GoldenCase, want: Wanted): boolean {
  if (!['post', 'get', 'options', 'put', 'delete', 'head', 'patch'].includes(one.via)) return false
  if (one.tolerate !== undefined || skipped.test(one.name) || one.name.includes('big answer')) return false
  return JSON.stringify(want.body ?? '').length < 200_000
}

const asRecorded = test.macro((t, file: string, where: Stub, chosen: RegExp) => {
  let compared = 0
  for (const [one, want] of goldenCases(file)) {
    if (!comparable(one, want) || !chosen.test(one.name)) continue
    const framed = ask(where, httpRequest(one))
    t.is(framed.status, want.status, one.name)
    t.true(fits(want.body, bodyOfFramed(framed)), `${one.name}: ${framed.body.slice(0, 300)}`)
    t.deepEqual(headersOf(framed), want.headers, one.name)
    compared++
  }
  t.true(compared > 0)
  t.log(`${compared} cases`)
})

test('HTTP is framed as recorded', asRecorded, 'b-framing', faithful, /./)
test('methods without a chain answer as recorded', asRecorded, 'b-basics', faithful, /./)
test('namespaces that are off answer as recorded', asRecorded, 'v-restricted-b', restricted, /./)
test('the pool and the miner answer as recorded', asRecorded, 'b-txpool-miner', faithful, /./)
test('node keys sign as recorded', asRecorded, 'b-sign', faithful, /^(eth_sign|personal|eth_fill|eth_resend)/)
test(
  'transactions are refused as recorded before the chain sees them',
  asRecorded,
  'b-refused',
  faithful,
  /(badChainId|badIntrinsic|badUnprotected|badSetCodeEmpty|badTip|garbage|empty|byte|alone|type \d|list|text|unprefixed|odd|digit|number|null|object|cut|nothing|two|zeros)/,
)

type Step = { readonly send?: unknown; readonly expect?: number }

test('the WebSocket server of the node answers as recorded', (t) => {
  let compared = 0
  for (const [{ name, via, request, path, headers }, want] of goldenCases('b-ws')) {
    if (via !== 'ws' || path !== undefined || headers !== undefined || !Array.isArray(want.body)) continue
    const steps = request as readonly Step[]
    const sent = steps.filter((step) => step.send !== undefined)
    const isSimple =
      steps.every((step) => step.send !== undefined || step.expect !== undefined) &&
      steps.length === 2 * sent.length &&
      sent.every((step) => !needsChain.test(bodyOf(step.send)))
    if (!isSimple) continue
    const found = sent.map((step) => [
      bodyOfFramed(ask(faithful, { transport: 'ws', connection: 1, body: bodyOf(step.send) })),
    ])
    t.true(fits(want.body, found), `${name}: ${JSON.stringify(found)}`)
    compared++
  }
  t.true(compared > 50)
  t.log(`${compared} cases`)
})

const needsChain = /eth_getBalance|eth_call|debug_|eth_unsubscribe","params":\["/

test('the order of members tells the two servers apart, and each response ends with a newline', (t) => {
  const call = '{"jsonrpc":"2.0","id":"x<","method":"eth_chainId"}'
  t.is(ask(faithful, { body: call }).body, '{"jsonrpc":"2.0","id":"x\\u003c","result":"0x40000"}\n')
  const half = '{"jsonrpc":"2.0","id":"\\ud800","method":"eth_chainId"}'
  t.is(ask(faithful, { body: half }).body, '{"jsonrpc":"2.0","id":"\\ud800","result":"0x40000"}\n')
  const numeric = '{"jsonrpc":"2.0","id":12345678901234567,"method":"eth_chainId"}'
  t.is(
    ask(faithful, { transport: 'ws', connection: 1, body: numeric }).body,
    '{"id":12345678901234568,"jsonrpc":"2.0","result":"0x40000"}\n',
  )
  const subscribe = '{"jsonrpc":"2.0","id":"7","method":"eth_subscribe","params":["newHeads"]}'
  t.is(
    ask(faithful, { transport: 'ws', connection: 1, body: subscribe }).body,
    '{"jsonrpc":"2.0","result":"0x1","id":7}\n',
  )
})

const topics: readonly (readonly [string, string])[] = [
  ['[]', '[]'],
  ['[null,"a",[1.5]]', '[<nil> a [%!s(float64=1.5)]]'],
  ['{"b":true,"a":null}', 'map[a:<nil> b:%!s(bool=true)]'],
  ['123456', '%!s(float64=123456)'],
  ['1234567', '%!s(float64=1.234567e+06)'],
  ['0.00001', '%!s(float64=1e-05)'],
]
for (const [topic, shown] of topics) {
  test(`an error shows the topic ${topic} as Go does`, (t) => {
    const body = `{"jsonrpc":"2.0","id":1,"method":"eth_subscribe","params":["logs",{"topics":[[${topic}]]}]}`
    const found = JSON.parse(ask(faithful, { transport: 'ws', connection: 1, body }).body)
    t.is(found.error.message, `invalid subtopic: ${shown}`)
  })
}

test('sane: a connection takes any id and echoes it', (t) => {
  const sane = stub({ quirks: ['sane'] })
  const body = '{"jsonrpc":"2.0","id":"abc","method":"eth_subscribe","params":["newHeads"]}'
  t.is(ask(sane, { transport: 'ws', connection: 1, body }).body, '{"jsonrpc":"2.0","id":"abc","result":"0x1"}\n')
})

test('sane: a subscription to syncing is refused by name, as geth refuses it', (t) => {
  const body = '{"jsonrpc":"2.0","id":1,"method":"eth_subscribe","params":["syncing"]}'
  t.is(
    ask(stub({ quirks: ['sane'] }), { transport: 'ws', connection: 1, body }).body,
    '{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no \\"syncing\\" subscription in eth namespace"}}\n',
  )
})

test('a batch above the limit is refused with the id of its first call', (t) => {
  const entry = '{"jsonrpc":"2.0","id":5,"method":"eth_chainId"}'
  const { body } = ask(stub({ ethBatchRequestLimit: 2 }), {
    body: `[{"jsonrpc":"2.0","method":"x"},${entry},${entry}]`,
  })
  t.is(body, '[{"jsonrpc":"2.0","id":5,"error":{"code":-32600,"message":"batch too large"}}]\n')
})

test('what exceeds the size of a batch answer is refused', (t) => {
  const entry = '{"jsonrpc":"2.0","id":5,"method":"eth_chainId"}'
  const { body } = ask(stub({ ethBatchResponseMaxSize: 10 }), { body: `[${entry},${entry},${entry}]` })
  const parsed = JSON.parse(body) as { error?: { code: number } }[]
  t.deepEqual(
    parsed.map((one) => one.error?.code),
    [undefined, undefined, -32003],
  )
})
