/** Transactions over the REST API and gRPC cause changes of state in a playback, as those of the other sides do. */
import test from 'ava'
import { createHash } from 'node:crypto'
import { base64Of } from '../../../src/codec/base64.ts'
import { namedCodec } from '../../../src/codec/schema/codecs.ts'
import { findMethod } from '../../../src/codec/schema/lookup.ts'
import { fromJson } from '../../../src/codec/schema/protoJsonRead.ts'
import { importTap } from '../../../src/recording/playback/importTap.ts'
import { cometNames } from '../../../src/shell/playback.ts'
import { answersAt, type Exchange } from '../../helpers/tap.ts'

const account = 'cosmos1qyqszqgpqyqszqgpqyqszqgpqyqszqgpjnp7du'
const txService = 'cosmos.tx.v1beta1.Service'
/** A transaction names its account within protobuf. */
const txOf = (text: string) => Buffer.from(`\n-${account}${text}`).toString('base64')
const hashOf = (tx: string) => createHash('sha256').update(Buffer.from(tx, 'base64')).digest('hex').toUpperCase()
const sent = txOf('')

type Called = {
  readonly t: number
  readonly method: string
  readonly params: object
  readonly result: object
  readonly refusal?: boolean
  /** Of the REST API. */
  readonly verb?: 'POST'
  readonly path: string
}
type Door = (called: Called) => Exchange

const rest: Door = ({ t, method, params, result, verb = 'GET', path, refusal }) => ({
  t,
  method,
  params,
  result: JSON.stringify(result),
  line: {
    iface: 'c',
    method: verb,
    path,
    req: verb === 'POST' ? JSON.stringify(params) : '',
    status: refusal === true ? 404 : 200,
  },
})

const grpc: Door = ({ t, method, params, result, refusal }) => {
  const found = findMethod(`/${method}`)
  const bytes = (type = '', value: object) => base64Of(namedCodec(type).encode(fromJson(type, value)))
  return {
    t,
    method,
    params,
    result: refusal === true ? 'not found' : bytes(found?.output, result),
    line: {
      iface: 'g',
      method: 'POST',
      path: `/${method}`,
      req: bytes(found?.input, params),
      status: refusal === true ? 5 : 0,
    },
  }
}

const head = (t: number, height: number): Exchange => ({
  t,
  method: 'eth_blockNumber',
  result: `"0x${height.toString(16)}"`,
})

const calls = (door: Door) => ({
  balance: (t: number, amount: number) =>
    door({
      t,
      method: 'cosmos.bank.v1beta1.Query/Balance',
      params: { address: account, denom: 'atest' },
      result: { balance: { denom: 'atest', amount: String(amount) } },
      path: `/cosmos/bank/v1beta1/balances/${account}/by_denom?denom=atest`,
    }),
  broadcast: (t: number, tx: string, code: number) =>
    door({
      t,
      method: `${txService}/BroadcastTx`,
      params: { tx_bytes: tx, mode: 'BROADCAST_MODE_SYNC' },
      result: { tx_response: { height: '0', txhash: hashOf(tx), code } },
      verb: 'POST',
      path: '/cosmos/tx/v1beta1/txs',
    }),
  tx: (t: number, height: number) =>
    door({
      t,
      method: `${txService}/GetTx`,
      params: { hash: hashOf(sent) },
      result:
        height === 0
          ? { code: 5, message: 'tx not found' }
          : { tx_response: { height: String(height), txhash: hashOf(sent) } },
      path: `/cosmos/tx/v1beta1/txs/${hashOf(sent)}`,
      refusal: height === 0,
    }),
  search: (t: number, height: number) =>
    door({
      t,
      method: `${txService}/GetTxsEvent`,
      params: { query: 'tx.height>0' },
      result: { tx_responses: [{ height: String(height), txhash: hashOf(sent) }] },
      path: '/cosmos/tx/v1beta1/txs?query=tx.height%3E0',
    }),
  block: (t: number, height: number) =>
    door({
      t,
      method: 'cosmos.base.tendermint.v1beta1.Service/GetBlockByHeight',
      params: { height: String(height) },
      result: { block: { header: { height: String(height), time: '2026-01-01T00:00:00Z' }, data: { txs: [sent] } } },
      path: `/cosmos/base/tendermint/v1beta1/blocks/${height}`,
    }),
})

type Calls = ReturnType<typeof calls>

/** Blocks 6 and 7 follow the block of the transaction before anybody reads what it changed. */
const shownBy = (shows: (of: Calls) => Exchange) => (of: Calls) => [
  head(0, 4),
  of.balance(10, 1),
  of.broadcast(20, sent, 0),
  head(500, 5),
  shows(of),
  head(700, 6),
  head(900, 7),
  of.balance(910, 2),
]

const rows: readonly (readonly [
  title: string,
  exchanges: (of: Calls) => readonly Exchange[],
  asks: (of: Calls) => Exchange,
  at: number,
  expected: (of: Calls) => Exchange,
])[] = [
  [
    'a change belongs to the block that GetTx names',
    shownBy((of) => of.tx(505, 5)),
    (of) => of.balance(0, 0),
    510,
    (of) => of.balance(0, 2),
  ],
  [
    'a change belongs to the block that GetTxsEvent names',
    shownBy((of) => of.search(505, 5)),
    (of) => of.balance(0, 0),
    510,
    (of) => of.balance(0, 2),
  ],
  [
    'a change belongs to the block that holds the transaction',
    shownBy((of) => of.block(505, 5)),
    (of) => of.balance(0, 0),
    510,
    (of) => of.balance(0, 2),
  ],
  [
    'a change is not seen before its block',
    shownBy((of) => of.tx(505, 5)),
    (of) => of.balance(0, 0),
    400,
    (of) => of.balance(0, 1),
  ],
  [
    'a broadcast that was refused just before a query is not the cause of its answer',
    (of) => [
      head(0, 4),
      of.balance(10, 1),
      of.broadcast(20, sent, 0),
      head(500, 5),
      of.broadcast(900, txOf('no'), 5),
      of.balance(910, 2),
      head(1200, 6),
    ],
    (of) => of.balance(0, 0),
    899,
    (of) => of.balance(0, 2),
  ],
  [
    'a transaction is not found before its block',
    (of) => [head(0, 4), of.broadcast(20, sent, 0), of.tx(30, 0), head(500, 5), of.tx(900, 5)],
    (of) => of.tx(0, 0),
    400,
    (of) => of.tx(0, 0),
  ],
  [
    'a transaction is found with its block, however late it was asked for',
    (of) => [head(0, 4), of.broadcast(20, sent, 0), of.tx(30, 0), head(500, 5), head(700, 6), of.tx(900, 5)],
    (of) => of.tx(0, 0),
    510,
    (of) => of.tx(0, 5),
  ],
]

for (const [door, of] of [
  ['the REST API', calls(rest)],
  ['gRPC', calls(grpc)],
] as const) {
  for (const [title, exchanges, asks, at, expected] of rows) {
    test(`on ${door}, ${title}`, (t) => {
      const { result, line } = expected(of)
      const told = answersAt(exchanges(of), asks(of), at)
      if (line?.status === 200) t.deepEqual(JSON.parse(String(told)), JSON.parse(result))
      else if (line?.status === 0) t.is(told, JSON.stringify(result))
      else t.like(told, { ok: false, error: { code: 5 } })
    })
  }
}

for (const [door, of] of [
  ['the REST API', calls(rest)],
  ['gRPC', calls(grpc)],
] as const) {
  test(`on ${door}, GetTx has no answer before its block, although nobody asked before`, (t) => {
    const exchanges = [head(0, 4), of.broadcast(20, sent, 0), head(500, 5), of.tx(505, 5), head(900, 6)]
    t.is(answersAt(exchanges, of.tx(0, 5), 300), undefined)
    t.truthy(answersAt(exchanges, of.tx(0, 5), 520))
  })
}

const plan = { name: 'v2', height: '9999999' }
const otherChain = { client_message: { signed_header: { header: { chain_id: 'other', height: '8888888' } } } }
const headOfBlock = { block: { header: { height: '6' }, data: { txs: [] } } }
for (const [what, path, result, heights] of [
  ['a planned upgrade', '/cosmos/upgrade/v1beta1/current_plan', { plan }, [5, 7]],
  ['a proposal', '/cosmos/gov/v1/proposals', { proposals: [{ messages: [{ plan }] }] }, [5, 7]],
  [
    'a transaction about another chain',
    `/cosmos/tx/v1beta1/txs/${'AB'.repeat(32)}`,
    { tx: { body: { messages: [otherChain] } }, tx_response: { height: '6' } },
    [5, 6, 7],
  ],
  ['the genesis', '/genesis', { genesis: { app_state: { upgrade: { plan } } } }, [5, 7]],
  ['the status', '/cosmos/base/node/v1beta1/status', { height: '6', plan }, [5, 6, 7]],
  ['the latest block', '/cosmos/base/tendermint/v1beta1/blocks/latest', headOfBlock, [5, 6, 7]],
] as const) {
  test(`${what} shows no other height than that of the chain`, (t) => {
    const got = (time: number, iface: 'a' | 'c', target: string, value: object) => {
      const res = JSON.stringify(iface === 'c' ? value : { id: 1, result: value })
      return JSON.stringify({ t: time, iface, kind: 'http', conn: 1, method: 'GET', path: target, status: 200, res })
    }
    const status = (height: number) => ({ sync_info: { latest_block_height: String(height) } })
    const lines = [
      JSON.stringify({ format: 'tap/1' }),
      got(0, 'a', '/status', status(5)),
      got(500, path === '/genesis' ? 'a' : 'c', path, result),
      got(900, 'a', '/status', status(7)),
    ]
    t.deepEqual(
      importTap(lines.join('\n'), cometNames).heads.map(({ height }) => height),
      heights,
    )
  })
}
