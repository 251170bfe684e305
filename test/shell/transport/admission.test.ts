/** Connections that wait because a listener serves as many as it may. */
import { once } from 'node:events'
import net from 'node:net'
import test, { type ExecutionContext } from 'ava'
import { admitAtMost } from '../../../src/shell/transport/admission.ts'
import { startLocal } from '../../helpers/server.ts'

const request = 'GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n'

type Client = { readonly socket: net.Socket; readonly read: () => string; readonly closed: Promise<unknown> }

async function connected(t: ExecutionContext, port: number): Promise<Client> {
  const socket = net.connect(port, '127.0.0.1')
  let text = ''
  socket.on('error', () => {})
  socket.on('data', (part) => {
    text += String(part)
  })
  t.teardown(() => socket.destroy())
  const closed = new Promise((done) => {
    socket.once('close', done)
  })
  await once(socket, 'connect')
  return { socket, read: () => text, closed }
}

/** Connects three clients, each of which sends a request; the first has its answer and stays. */
async function threeAt(t: ExecutionContext, url: string): Promise<readonly Client[]> {
  const clients: Client[] = []
  for (let count = 0; count < 3; count++) {
    const client = await connected(t, Number(new URL(url).port))
    client.socket.write(request)
    if (count === 0) await once(client.socket, 'data')
    clients.push(client)
  }
  return clients
}

for (const side of ['comet', 'eth', 'rest'] as const) {
  test(`closing a server ends the clients that wait at ${side}, and serves none of them`, async (t) => {
    t.timeout(120_000)
    const one = { maxOpenConnections: 1, ethMaxOpenConnections: 1, apiMaxOpenConnections: 1 }
    const server = await startLocal(one)
    const [, ...waiting] = await threeAt(t, server.urls[side])
    const silent = await connected(t, Number(new URL(server.urls[side]).port))
    await server.close()
    await Promise.all([...waiting, silent].map(({ closed }) => closed))
    t.deepEqual(
      waiting.map(({ read }) => read()),
      ['', ''],
    )
  })
}

test('a fault that closes a listener ends the clients that wait at it', async (t) => {
  t.timeout(120_000)
  await using server = await startLocal({ ethMaxOpenConnections: 1 })
  const [, ...waiting] = await threeAt(t, server.urls.eth)
  await server.fault('gone', { match: { iface: 'eth' }, effect: { refuse: true } })
  await Promise.all(waiting.map(({ closed }) => closed))
  t.deepEqual(
    waiting.map(({ read }) => read()),
    ['', ''],
  )
})

/** A server that greets the clients that it serves, one at a time. */
async function greeting(t: ExecutionContext, waitingMost: number) {
  const open = new Set<net.Socket>()
  const listener = net.createServer((socket) => {
    open.add(socket)
    socket.on('error', () => {})
    socket.write('hello')
  })
  const closeAllConnections = () => {
    for (const socket of open) socket.destroy()
  }
  const server = Object.assign(listener, { closeAllConnections })
  admitAtMost(server, 1, waitingMost)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.close()
    server.closeAllConnections()
  })
  return { server, port: (server.address() as net.AddressInfo).port }
}

test('a client is cut when as many wait as may, and one that leaves makes room', async (t) => {
  t.timeout(120_000)
  const { server, port } = await greeting(t, 1)
  const first = await connected(t, port)
  await once(first.socket, 'data')
  const left = once(server, 'connection') as Promise<[net.Socket]>
  const second = await connected(t, port)
  const [accepted] = await left
  const third = await connected(t, port)
  await third.closed
  second.socket.resetAndDestroy()
  await new Promise((done) => {
    accepted.once('close', done)
  })
  const fourth = await connected(t, port)
  first.socket.destroy()
  await once(fourth.socket, 'data')
  t.deepEqual([second.read(), third.read(), fourth.read()], ['', '', 'hello'])
})

test('a client that waits is not served by a server that only stopped listening', async (t) => {
  t.timeout(120_000)
  const { server, port } = await greeting(t, 1)
  const first = await connected(t, port)
  await once(first.socket, 'data')
  const accepted = once(server, 'connection')
  const second = await connected(t, port)
  await accepted
  server.close()
  first.socket.destroy()
  await second.closed
  t.is(second.read(), '')
})
