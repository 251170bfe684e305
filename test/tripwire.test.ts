/** What the wires around `simulate` find, planted in an application. */
import test from 'ava'
import { kvApp } from './helpers/kvApp.ts'
import { KvSimulation } from './helpers/kvSimulation.ts'
import { watched } from './helpers/tripwire.ts'
import { cometRequest } from './helpers/requests.ts'

const planted: Readonly<Record<string, () => unknown>> = {
  'Math.random': () => Math.random(),
  'Date.now': () => Date.now(),
  'new Date()': () => new Date(),
  'Date()': () => Date(),
  'Date.prototype.getHours': () => new Date(0).getHours(),
  'performance.now': () => performance.now(),
  'crypto.randomUUID': () => crypto.randomUUID(),
  'process.hrtime': () => process.hrtime(),
  'process.hrtime.bigint': () => process.hrtime.bigint(),
  'process.nextTick': () => process.nextTick(() => {}),
  setTimeout: () => setTimeout(() => {}, 0),
  setInterval: () => setInterval(() => {}, 0),
  setImmediate: () => setImmediate(() => {}),
  queueMicrotask: () => queueMicrotask(() => {}),
  fetch: () => fetch('http://127.0.0.1:1/'),
  'process.env.HOME': () => process.env['HOME'],
  'process.env': () => Object.keys(process.env),
}

for (const [what, use] of Object.entries(planted)) {
  test(`an application that uses ${what} is found, although its bug is an incident`, (t) => {
    const query = () => {
      use()
      throw new Error('unreachable')
    }
    const chain = new KvSimulation({ app: { ...kvApp, query } })
    const { message } = t.throws(() =>
      chain.enter(cometRequest({ target: '/abci_query?path="/x"', verb: 'GET', body: '' })),
    )
    t.is(message, `simulate must not use ${what}`)
  })
}

test('what is given, and what runs outside of simulate, touches no wire', (t) => {
  const chain = new KvSimulation()
  t.notThrows(() => chain.ask('health'))
  t.is(
    watched(() => new Date(0).toISOString()),
    '1970-01-01T00:00:00.000Z',
  )
  t.true(new Date() instanceof Date && Date.now() > 0 && Math.random() < 1)
  t.is(typeof process.env['PATH'], 'string')
})
