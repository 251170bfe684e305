/** Servers in a process that did something else for longer than their connections may be silent. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import test from 'ava'
import { nodeSource } from '../../src/shell/fork/source.ts'
import { post } from '../helpers/raw.ts'
import { eventually, startLocal } from '../helpers/server.ts'

/** Does nothing else in this process for some time, as at a breakpoint. */
function keepBusy(ms: number): void {
  const until = performance.now() + ms
  while (performance.now() < until);
}

/** Counts 200,000 down, which takes five million gas, and returns the word in slot 0. */
const counting = {
  address: `0x${'e3'.repeat(20)}`,
  code: '0x6300030d405b600190038060055760005460005260206000f3',
}

/** The times are those of the settings below; the REST API has whole seconds. */
const silentMostMs = { rest: 1000, eth: 300 }

/** A request is one write; a client of the same process sends it as soon as the process runs again. */
const requests = {
  rest: 'GET /cosmos/base/node/v1beta1/status HTTP/1.1\r\nHost: localhost\r\n\r\n',
  eth: 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n',
} as const

const survives = test.macro({
  exec: async (t, side: keyof typeof requests, before: number) => {
    await using server = await startLocal({
      apiReadTimeout: 1,
      ethHttpTimeout: '300ms',
      ethHttpIdleTimeout: '300ms',
    })
    const { hostname, port } = new URL(server.urls[side])
    const socket = connect(Number(port), hostname)
    await once(socket, 'connect')
    for (let count = 0; count < before; count++) {
      socket.write(requests[side])
      await once(socket, 'data')
    }
    // The timers of the server end in the next turn of the event loop, before the request is sent.
    setTimeout(() => {
      keepBusy(silentMostMs[side] * 2.2)
      setImmediate(() => setImmediate(() => socket.write(requests[side])))
    }, 10)
    const answer = await Promise.race([once(socket, 'data'), once(socket, 'close')])
    t.regex(String(answer[0]), /^HTTP\/1\.1 200 OK\r\n/)
    socket.destroy()
  },
  title: (_, side, before) => `a ${before === 0 ? 'new' : 'used'} connection of ${side} survives a busy process`,
})

test.serial(survives, 'eth', 0)
test.serial(survives, 'eth', 1)
test.serial(survives, 'rest', 0)
test.serial(survives, 'rest', 1)

test.serial('a read whose thread has to wait for a busy process has its whole time', async (t) => {
  await using server = await startLocal({ gasCap: 0, evmTimeout: '500ms' })
  await server.eth.request({ method: 'anvil_setCode', params: [counting.address, counting.code] })
  await server.eth.request({ method: 'evm_mine', params: [] })
  let isOver = false
  const call = { to: counting.address, gas: '0x2faf080' }
  const answer = post(server.urls.eth, {
    jsonrpc: '2.0',
    id: 1,
    method: 'eth_call',
    params: [call, 'latest'],
  }).finally(() => {
    isOver = true
  })
  await eventually(() => server.simulation().node.owed.length === 1)
  for (let turns = 0; turns < 20 && !isOver; turns++) {
    keepBusy(600)
    await new Promise(setImmediate)
  }
  t.deepEqual(await answer, { jsonrpc: '2.0', id: 1, result: `0x${'00'.repeat(32)}` })
})

test.serial("a fork's node that answers is not given up when the process was busy", async (t) => {
  const server = createServer((_, response) => {
    response.end('{"jsonrpc":"2.0","id":1,"result":"0x7"}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  const { port } = server.address() as AddressInfo
  const upstreams = { comet: undefined, eth: new URL(`http://127.0.0.1:${port}`), ethWs: undefined }
  const node = nodeSource({ upstreams, timeoutMs: 500 })
  setTimeout(() => keepBusy(1500), 0)
  const answer = await node.ask({ side: 'eth', method: 'eth_blockNumber', params: { form: 'json', text: '[]' } })
  t.like(answer, { ok: true, text: '"0x7"' })
})
