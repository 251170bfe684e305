/** Transactions reach a node elsewhere only where that was said. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import test from 'ava'
import { WebSocket } from 'ws'
import type { TapLine } from '../../../src/recording/playback/tapLine.ts'
import { startProxy } from '../../../src/shell/recordings/proxy.ts'
import { listen } from '../../../src/shell/transport/listen.ts'
import { mayWrite, writeRefusal } from '../../../src/shell/recordings/writeGuard.ts'
import { startLocal } from '../../helpers/server.ts'

const call = (id: unknown, method: string) => JSON.stringify({ jsonrpc: '2.0', id, method, params: ['0x01'] })
const elsewhere = {
  comet: undefined,
  eth: new URL('https://node.example/v1/key'),
  ethWs: undefined,
}

test('a node on this machine takes transactions, another one where it was said', (t) => {
  t.true(mayWrite({ ...elsewhere, eth: new URL('http://127.0.0.1:8545') }, false))
  t.false(mayWrite(elsewhere, false))
  t.false(mayWrite({ ...elsewhere, comet: new URL('http://localhost:26657') }, false))
  t.true(mayWrite(elsewhere, true))
})

const refuses = test.macro(
  (t, request: { method: string; path: string; body: string }, ids: readonly unknown[] | undefined) => {
    const text = writeRefusal({ iface: 'a', ...request })
    t.is(text === undefined, ids === undefined)
    const found = JSON.parse(text ?? 'null') as unknown
    for (const [index, id] of (ids ?? []).entries()) {
      t.like(Array.isArray(found) ? found[index] : found, { id, error: { code: -32071 } })
    }
  },
)
const post = (body: string) => ({ method: 'POST', path: '/', body })

test('a transaction is refused under the id of its client', refuses, post(call('x', 'eth_sendRawTransaction')), ['x'])
for (const method of [
  'eth_resend',
  'eth_sendRawTransactionSync',
  'eth_sendUnsignedTransaction',
  'wallet_sendCalls',
  'personal_sendTransaction',
  'eth_sendRawTransactionConditional',
])
  test(`the transaction of ${method} is refused`, refuses, post(call(1, method)), [1])
test(
  'a batch with a transaction in it is refused whole',
  refuses,
  post(`[${call(1, 'eth_chainId')},${call(2, 'broadcast_tx_sync')}]`),
  [1, 2],
)
test(
  'a transaction in a path is refused',
  refuses,
  { method: 'GET', path: '/broadcast_tx_async?tx=0x01', body: '' },
  [-1],
)
test('a question is not', refuses, post(call(1, 'eth_call')), undefined)
test('a question in a path is not', refuses, { method: 'GET', path: '/status', body: '' }, undefined)

test(
  'a transaction is refused whatever the case of its member names, as Go reads them',
  refuses,
  post('{"jsonrpc":"2.0","Id":4,"Method":"eth_sendRawTransaction","params":["0x01"]}'),
  [4],
)
test(
  'a transaction is refused behind another method of the same message',
  refuses,
  post('{"id":1,"method":"eth_sendRawTransaction","METHOD":"eth_chainId"}'),
  [1],
)
test(
  'a transaction is refused if its method has escapes',
  refuses,
  post(String.raw`{"id":1,"method":"\u0065th_sendRawTransaction"}`),
  [1],
)
const paths = [
  '/broadcast_tx_sync?tx=0x01',
  '/%62roadcast_tx_sync?tx=0x01',
  '/key//broadcast_tx_commit/',
  '/%zz',
  '/a/../status',
]
for (const method of ['GET', 'POST', 'PUT']) {
  for (const path of paths) {
    test(`${method} ${path} is refused as a possible transaction`, refuses, { method, path, body: '' }, [-1])
  }
}
test('a body that is not JSON is no transaction', refuses, post('{"id": 1, foo}'), undefined)
test(
  'a transaction in the body of a GET request is refused',
  refuses,
  { ...post(call(3, 'broadcast_tx_sync')), method: 'GET' },
  [3],
)

test('the REST API refuses each spelling of its routes for transactions, and serves their search', (t) => {
  const refusal = (method: string, path: string) => writeRefusal({ iface: 'c', method, path, body: '' })
  const routes = ['/cosmos/tx/v1beta1/txs', '/cosmos/tx/v1beta1/%74xs', '/cosmos.tx.v1beta1.Service/BroadcastTx']
  for (const route of routes) t.like(JSON.parse(refusal('POST', route) ?? '{}'), { code: 7 }, route)
  t.is(refusal('GET', '/cosmos/tx/v1beta1/txs?query=tx.height=1'), undefined)
  t.is(refusal('OPTIONS', '/cosmos/tx/v1beta1/txs'), undefined)
  t.is(refusal('POST', '/cosmos/tx/v1beta1/simulate'), undefined)
})

test('no spelling of a transaction passes the proxy to a node elsewhere', async (t) => {
  let reached = 0
  const node = createServer((_, response) => {
    reached += 1
    response.end('{}')
  })
  node.on('upgrade', (_, socket) => {
    reached += 1
    socket.destroy()
  })
  const at = new URL(await listen(node, '127.0.0.1:0'))
  const elsewhere = new URL('http://node.example')
  const proxy = await startProxy({
    upstreams: { comet: at, eth: at, ethWs: elsewhere, rest: at },
    where: { comet: '127.0.0.1:0', eth: '127.0.0.1:0', ethWs: undefined },
    note: () => {},
    log: () => {},
  })
  const { comet, eth, rest } = proxy.urls
  const body = '{"jsonrpc":"2.0","id":1,"Method":"eth_sendRawTransaction","params":["0x01"]}'
  await fetch(eth, { method: 'POST', body })
  await fetch(`${comet}/broadcast_tx_sync?tx=0x01`, { method: 'POST' })
  await fetch(`${comet}/%62roadcast_tx_sync?tx=0x01`)
  await fetch(`${rest}/cosmos/tx/v1beta1/%74xs`, { method: 'POST', body: '{}' })
  await fetch(`${rest}/cosmos.tx.v1beta1.Service/BroadcastTx`, { method: 'POST', body: 'x' })
  const socket = new WebSocket(`${proxy.urls.cometWs.replace('/websocket', '')}/broadcast_tx_sync?tx=0x01`)
  await once(socket, 'error')
  t.is(reached, 0)
  await fetch(`${comet}/status`)
  t.is(reached, 1)
  await proxy.close()
  node.close()
})

test('a transaction in a binary frame is refused', async (t) => {
  await using server = await startLocal()
  const proxy = await startProxy({
    upstreams: { comet: new URL('http://node.example'), eth: undefined, ethWs: new URL(server.urls.ethWs) },
    where: { comet: '127.0.0.1:0', eth: '127.0.0.1:0', ethWs: undefined },
    note: () => {},
    log: () => {},
  })
  const socket = new WebSocket(proxy.urls.ethWs)
  await once(socket, 'open')
  socket.send(Buffer.from(call(6, 'eth_sendRawTransaction')), { binary: true })
  const [data] = (await once(socket, 'message')) as [Buffer]
  t.like(JSON.parse(data.toString('utf8')), { id: 6, error: { code: -32071 } })
  await proxy.close()
})

test('the proxy refuses over HTTP and over a WebSocket, and records nothing of it', async (t) => {
  await using server = await startLocal()
  const lines: TapLine[] = []
  const proxy = await startProxy({
    upstreams: {
      comet: new URL('http://node.example'),
      eth: new URL(server.urls.eth),
      ethWs: new URL(server.urls.ethWs),
    },
    where: { comet: '127.0.0.1:0', eth: '127.0.0.1:0', ethWs: undefined },
    note: (line) => {
      lines.push(line)
    },
    log: () => {},
  })
  const response = await fetch(proxy.urls.eth, { method: 'POST', body: call(5, 'eth_sendRawTransaction') })
  t.like(await response.json(), { id: 5, error: { code: -32071 } })
  const socket = new WebSocket(proxy.urls.ethWs)
  await once(socket, 'open')
  socket.send(call(6, 'eth_sendRawTransaction'))
  const [data] = (await once(socket, 'message')) as [Buffer]
  t.like(JSON.parse(data.toString('utf8')), { id: 6, error: { code: -32071 } })
  await proxy.close()
  t.deepEqual(
    lines.filter(({ kind }) => kind !== 'ws-open' && kind !== 'ws-close'),
    [],
  )
})
