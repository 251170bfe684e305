/** Transactions reach a node elsewhere only where that was said. */
import { once } from 'node:events'
import test from 'ava'
import { WebSocket } from 'ws'
import type { TapLine } from '../../../src/recording/playback/tapLine.ts'
import { startProxy } from '../../../src/shell/recordings/proxy.ts'
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
    const text = writeRefusal(request)
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
