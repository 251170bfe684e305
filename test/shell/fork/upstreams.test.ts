/** Which interface a URL to fork is of, and a node that stays silent. */
import { type AddressInfo, createServer } from 'node:net'
import test from 'ava'
import { start } from '../../../src/index.ts'

test('a node that takes connections and stays silent is waited for as long as the option says, once', async (t) => {
  t.timeout(25_000)
  const asked: string[] = []
  const silent = createServer((socket) => {
    socket.on('data', (part) => asked.push(String(part).split('\r\n\r\n')[1] ?? '')).on('error', () => {})
  })
  await new Promise<void>((done) => silent.listen(0, '127.0.0.1', done))
  t.teardown(() => silent.close())
  const from = [`http://127.0.0.1:${(silent.address() as AddressInfo).port}`]
  await t.throwsAsync(start({ ports: 'none', fork: { from, timeoutMs: 50 } }), {
    code: 'NO_FORK_POINT',
    message: new RegExp(`the node at ${from.join('')} does not answer$`),
  })
  const methods = asked.map((body) => (JSON.parse(body) as { method: string }).method)
  t.deepEqual([...new Set(methods)], ['eth_chainId'])
})
