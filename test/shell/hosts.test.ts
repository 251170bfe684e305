import test from 'ava'
import { WebSocket } from 'ws'
import { ask } from '../helpers/raw.ts'
import { startLocal } from '../helpers/server.ts'

const served = test.macro(async (
  t, host: string, status: number, allowedHosts: readonly string[] = []
) => {
  await using server = await startLocal({ allowedHosts })
  const answer = await ask(`${server.urls.comet}/health`, { headers: { host } })
  t.is(answer.status, status)
  if (status === 403) t.regex(answer.body, /--allowed-hosts/)
  const other = await ask(server.urls.eth, { headers: { host } })
  t.is(other.status, status === 200 ? 405 : status)
})

test('loopback by name is served', served, 'localhost:26657', 200)
test('a name below localhost is served', served, 'app.localhost', 200)
test('loopback by address is served', served, '127.0.0.1', 200)
test('loopback of IPv6 is served', served, '[::1]:1', 200)
test(
  'another address is served: a name is what an attacker can point here', served,
  '192.168.1.7:26657', 200
)
test('a foreign name is refused', served, 'attacker.example:26657', 403)
test('a name that only ends like loopback is refused', served, 'localhost.attacker.example', 403)
test('a name that looks like an address is refused', served, '127.0.0.1.attacker.example', 403)
test('a name that was allowed is served', served, 'chainstage:8545', 200, ['chainstage'])
test('any name is served when all are allowed', served, 'x', 200, ['*'])

test('a WebSocket to a foreign name is refused', async (t) => {
  await using server = await startLocal()
  const socket = new WebSocket(server.urls.cometWs, { headers: { host: 'attacker.example' } })
  const status = await new Promise((done) => {
    socket.on(
      'unexpected-response',
      (_request, response) => { done(response.statusCode); response.destroy() }
    )
    socket.on('error', () => {})
  })
  t.is(status, 403)
})
