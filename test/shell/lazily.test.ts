/** Parts that are loaded for the first connection, and a load that fails. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import net, { type AddressInfo } from 'node:net'
import test, { type ExecutionContext } from 'ava'
import { WebSocket } from 'ws'
import { createApp } from '../../src/shell/control/app.ts'
import { explorerRoutes } from '../../src/shell/control/explorerRoutes.ts'
import type { Controlled } from '../../src/shell/control/controlled.ts'
import { createControl } from '../../src/shell/control/server.ts'
import type { Server } from '../../src/shell/doors.ts'
import { createGrpcDoor } from '../../src/shell/grpc/door.ts'
import { createGrpc } from '../../src/shell/grpc/server.ts'
import { createHttp } from '../../src/shell/http.ts'
import { lazily, notLoaded } from '../../src/shell/lazily.ts'
import { attachSockets } from '../../src/shell/ws.ts'
import { createWsServer } from '../../src/shell/transport/wsServer.ts'
import { startFronts } from '../helpers/fronts.ts'
import { eventually } from '../helpers/server.ts'

/** Returns a load that fails once. */
function failingOnce<Given extends readonly unknown[], Part>(make: (...given: Given) => Part) {
  let loads = 0
  return (...given: Given): Promise<Part> =>
    ++loads === 1 ? Promise.reject(new Error('too many open files')) : Promise.resolve(make(...given))
}

async function portOf(t: ExecutionContext, server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.close()
    server.closeAllConnections()
  })
  return (server.address() as AddressInfo).port
}

test('a part is loaded once, and again after a failure', async (t) => {
  let loads = 0
  const load = lazily(failingOnce(() => ++loads))
  await t.throwsAsync(load(), { message: 'too many open files' })
  t.deepEqual(await Promise.all([load(), load()]), [1, 1])
})

test('the line for a part whose file is gone says to restart, and has no list of files', (t) => {
  const gone = Object.assign(new Error("Cannot find module './server.cjs'\nRequire stack:\n- x"), {
    code: 'MODULE_NOT_FOUND',
  })
  const line = "gRPC could not load: Cannot find module './server.cjs'. If chainstage was updated, restart it"
  t.is(notLoaded('gRPC', gone), line)
})

test('a WebSocket is refused and an error logged when its server cannot be loaded, and the next one opens', async (t) => {
  const log: string[] = []
  await using fronts = await startFronts()
  const { main, settings, sessions } = fronts.running
  const door = {
    ...({ side: 'eth', serves: 'all', queue: main.queue, sessions } as const),
    ...{ settings: () => settings, wallSeconds: () => 1, log: (_level: string, text: string) => log.push(text) },
  }
  const server = createHttp(door)
  attachSockets(server, door, main.sockets, failingOnce(createWsServer))
  const url = `ws://127.0.0.1:${await portOf(t, server)}`
  const first = new WebSocket(url)
  const [error] = (await once(first, 'error')) as [Error]
  t.is(error.message, 'Unexpected server response: 500')
  t.deepEqual(log, ['the WebSocket server could not load: too many open files'])
  const second = new WebSocket(url)
  await once(second, 'open')
  second.terminate()
  await eventually(() => main.simulation().node.connections.size === 0)
})

test('a gRPC connection is closed and an error logged when the server cannot be loaded, and the next one is served', async (t) => {
  const log: string[] = []
  await using fronts = await startFronts()
  const { main, settings } = fronts.running
  const options = {
    ...{ queue: main.queue, settings: () => settings, wallSeconds: () => 1 },
    log: (_level: string, text: string) => log.push(text),
  }
  const port = await portOf(t, createGrpcDoor(options, failingOnce(createGrpc)))
  const first = net.connect(port, '127.0.0.1')
  first.resume()
  await once(first, 'close')
  t.deepEqual(log, ['gRPC could not load: too many open files'])
  const second = net.connect(port, '127.0.0.1')
  // The connection preface of HTTP/2 and an empty SETTINGS frame; the server answers with its own.
  second.write('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0')
  const [heard] = (await once(second, 'data')) as [Buffer]
  t.is(heard[3], 4)
  second.destroy()
})

test('a request to the control port is refused and logged when the port cannot load, and the next one is answered', async (t) => {
  const log: string[] = []
  const controlled = { log: (_level: string, text: string) => log.push(text) } as unknown as Controlled
  await using fronts = await startFronts()
  const { settings } = fronts.running
  const server = createControl(controlled, () => settings, failingOnce(createApp))
  const url = `http://127.0.0.1:${await portOf(t, server)}/api`
  t.is((await fetch(url)).status, 500)
  t.deepEqual(log, ['the control port could not load: too many open files'])
  t.is((await fetch(url)).status, 200)
})

test('a request for the explorer is refused and logged when it cannot load, other requests are not, and the next one is answered', async (t) => {
  const log: string[] = []
  await using fronts = await startFronts()
  const { settings, sessions } = fronts.running
  const controlled = { log: (_level: string, text: string) => log.push(text), sessions }
  const load = failingOnce(() => explorerRoutes)
  const app = createApp(controlled as unknown as Controlled, () => settings, load)
  const url = `http://127.0.0.1:${await portOf(
    t,
    createServer((request, response) => void app(request, response)),
  )}/api`
  const said = 'the explorer could not load: too many open files'
  const refused = await fetch(`${url}/denoms`)
  t.is(refused.status, 503)
  t.deepEqual(await refused.json(), { error: { code: 'NOT_LOADED', message: said } })
  t.deepEqual(log, [said])
  t.is((await fetch(`${url}/checkpoints`)).status, 200)
  t.is((await fetch(`${url}/denoms`)).status, 200)
  t.is((await fetch(`${url}/nothing`)).status, 404)
})
