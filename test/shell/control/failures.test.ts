/** A bug behind the control port: the request gets an error, and the log what was thrown. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import test from 'ava'
import { createApp } from '../../../src/shell/control/app.ts'
import type { Controlled } from '../../../src/shell/control/controlled.ts'
import { profileSettings } from '../../../src/settings/profiles.ts'

test('an unexpected error is answered with 500 and logged with its stack', async (t) => {
  const logged: string[] = []
  const controlled: Pick<Controlled, 'log' | 'sessions'> = {
    log: (level, text) => logged.push(`${level} ${text}`),
    sessions: {
      find: () => {
        throw new TypeError('planted')
      },
    } as unknown as Controlled['sessions'],
  }
  const app = createApp(controlled as Controlled, () => profileSettings('local'))
  const server = createServer((request, response) => void app(request, response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const response = await fetch(`http://127.0.0.1:${port}/api/status`)
  t.is(response.status, 500)
  const { error } = (await response.json()) as { readonly error: { readonly code: string; readonly message: string } }
  t.like(error, { code: 'INTERNAL', message: 'a bug in chainstage; its log says more' })
  t.is(logged.length, 1)
  t.regex(logged[0] ?? '', /^error the control port could not answer: TypeError: planted\n\s+at /)
  server.close()
})

const isNoError = test.macro(async (t, leave: (client: Socket) => void) => {
  const logged: string[] = []
  const controlled: Pick<Controlled, 'log'> = { log: (_level, text) => logged.push(text) }
  const app = createApp(controlled as Controlled, () => profileSettings('local'))
  let answered: Promise<void> | undefined
  const server = createServer((request, response) => {
    answered = app(request, response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  client.write('POST /api/mine HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{')
  await once(server, 'request')
  leave(client)
  await answered
  t.deepEqual(logged, [])
  server.close()
})

test('a client that resets its connection during its request is no error', isNoError, (client) =>
  client.resetAndDestroy(),
)
test('neither is one that closes it', isNoError, (client) => client.destroy())
