/** Requests to the control port that no client of ours sends. */
import { createServer } from 'node:http'
import test from 'ava'
import { profileSettings } from '../../../src/settings/profiles.ts'
import { createApp } from '../../../src/shell/control/app.ts'
import type { Controlled } from '../../../src/shell/control/controlled.ts'
import { simulateView } from '../../../src/shell/control/simulate.ts'
import type { Instance } from '../../../src/shell/ports.ts'
import { api, startControlled } from '../../helpers/control.ts'

test('a query that repeats a key is refused by its name', async (t) => {
  await using server = await startControlled()
  for (const [path, key] of [
    ['/search?q=a&q=b', 'q'],
    ['/tokens?after=a&after=b', 'after'],
    ['/blocks?limit=1&limit=2&limit=3', 'limit'],
  ] as const) {
    const { status, body } = await api(server, path)
    t.is(status, 400, path)
    t.is(body.error.message, `expected one value of "${key}" in the query, received several`)
  }
  t.is((await api(server, '/search?q=a')).status, 200)
})

test('a body with too many levels is refused, and one with many is read', async (t) => {
  await using server = await startControlled()
  const bodies = {
    '/call': '{ "side": "eth", "method": "eth_chainId", "params": DEEP }',
    '/simulate': '{ "transaction": { "data": DEEP }, "block": "latest" }',
    '/simulate/cosmos': '{ "hash": "00", "messages": [DEEP] }',
  }
  for (const [path, body] of Object.entries(bodies)) {
    const send = async (levels: number) => {
      const deep = body.replace('DEEP', '['.repeat(levels) + ']'.repeat(levels))
      const answer = await fetch(`${server.urls.control}/api${path}`, { method: 'POST', body: deep })
      return { status: answer.status, text: await answer.text() }
    }
    const { status, text } = await send(6000)
    t.is(status, 400, path)
    t.regex(text, /"expected a body of at most 1000 levels"/, path)
    const many = await send(990)
    t.true(many.status < 500, `${path}: ${many.text}`)
    t.notRegex(many.text, /call stack|levels/, path)
  }
})

test('updates of a session that nobody has are refused, and those of one that ends are over', async (t) => {
  await using server = await startControlled()
  const live = (name: string) =>
    fetch(`${server.urls.control}/s/${name}/api/live`, { signal: AbortSignal.timeout(20_000) })
  const refused = await live('nobody')
  t.is(refused.status, 404)
  t.regex(await refused.text(), /there is no session nobody/)
  await api(server, '/sessions', { name: 'short' })
  const told = await live('short')
  await fetch(`${server.urls.control}/api/sessions/short`, { method: 'DELETE' })
  t.regex(await told.text(), /^event: changed/)
})

test('an origin and a host that are not allowed are refused as every request is, and not logged as a bug', async (t) => {
  const logged: string[] = []
  const controlled = { log: (_: string, text: string) => logged.push(text) } as unknown as Controlled
  const server = createServer(createApp(controlled, () => profileSettings('local')))
  await new Promise<void>((done) => {
    server.listen(0, '127.0.0.1', done)
  })
  const { port } = server.address() as { port: number }
  const headers = { origin: 'https://foreign.example' }
  const answer = await fetch(`http://127.0.0.1:${port}/api/mine`, { method: 'POST', body: '{}', headers })
  t.is(answer.status, 403)
  const message = 'pages of https://foreign.example may not change this chain: allow them with --allowed-origins'
  t.deepEqual(await answer.json(), { error: { code: 'REFUSED', message } })
  t.deepEqual(logged, [])
  server.closeAllConnections()
  server.close()
})

test('a format and a REST path that nobody has are no bugs', async (t) => {
  await using server = await startControlled()
  for (const format of ['__proto__', 'toString']) {
    const { status, body } = await api(server, `/chain-info?format=${format}`)
    t.is(status, 400)
    t.regex(body.error.message, /chain-registry/)
  }
  const { status, body } = await api(server, '/call', { side: 'rest', method: 'x' })
  t.is(status, 200)
  t.deepEqual(body, { error: { code: 0, message: 'the response is not JSON' } })
})

test('blocks are not mined beyond the year 9999', async (t) => {
  await using server = await startControlled()
  const before = server.simulation().node.chain
  const { status, body } = await api(server, '/mine', { blocks: 3, interval: '40000000h' })
  t.is(status, 400)
  t.regex(body.error.message, /the end of the year 9999/)
  t.is(server.simulation().node.chain, before)
  t.is((await api(server, '/mine', { blocks: 2, interval: '40000000h' })).body.height, 3)
})

test('a bug during a simulation is no answer about the transaction', (t) => {
  const instance = { world: {}, simulation: () => ({ node: { nowMs: 0n } }) } as unknown as Instance
  const none = { contracts: [], events: new Map(), functions: new Map(), errors: new Map() }
  t.throws(() => simulateView(instance, { transaction: {}, block: 'latest' }, none), { instanceOf: TypeError })
})
