import test from 'ava'
import { startLocal } from './helpers/server.ts'

const badEth: readonly (readonly [string, string])[] = [
  ['{"jsonrpc":"2.0","id":1', 'parse error'],
  ['[]', 'empty batch'],
  [
    '{"jsonrpc":"2.0","id":1,"method":"eth_nonsense","params":[]}',
    'the method eth_nonsense does not exist/is not available',
  ],
  ['{"jsonrpc":"2.0","id":1,"method":"eth_getBalance","params":[5,"latest"]}', 'invalid argument 0'],
  ['{"jsonrpc":"2.0","id":1,"method":"eth_getBalance","params":{"address":"0x"}}', 'non-array args'],
  ['{"jsonrpc":"2.0","id":1,"method":"eth_sendRawTransaction","params":["0xdeadbeef"]}', ''],
  ['{"jsonrpc":"2.0","id":1,"method":"eth_sendRawTransaction","params":["0x"]}', ''],
  ['{"jsonrpc":"2.0","id":1,"method":"eth_call","params":[{"to":"0x12"},"latest"]}', 'invalid argument 0'],
]

const badComet: readonly (readonly [string, string])[] = [
  ['{"jsonrpc":"2.0","id":1', 'unexpected end of JSON input'],
  ['{"jsonrpc":"2.0","id":1,"method":"nonsense"}', 'Method not found'],
  ['{"jsonrpc":"2.0","id":1,"method":"block","params":{"height":5}}', 'expected string'],
  [
    '{"jsonrpc":"2.0","id":1,"method":"block","params":{"height":"999"}}',
    'must be less than or equal to the current blockchain height',
  ],
  ['{"jsonrpc":"2.0","id":1,"method":"broadcast_tx_sync","params":{"tx":"aGVsbG8="}}', '"code":2'],
  ['{"jsonrpc":"2.0","id":1,"method":"tx_search","params":{"query":"a !"}}', 'offset'],
]

test('bad input is answered with what is wrong, and the chain goes on as it was', async (t) => {
  await using server = await startLocal()
  const post = async (url: string, body: string) =>
    (await fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json' } })).text()
  const head = () =>
    post(server.urls.eth, '{"jsonrpc":"2.0","id":1,"method":"eth_getBlockByNumber","params":["latest",false]}')
  const before = await head()
  for (const [body, expected] of badEth) {
    const answer = await post(server.urls.eth, body)
    t.true(answer.includes('"error"') && answer.includes(expected), `${body} gave ${answer}`)
  }
  for (const [body, expected] of badComet) {
    const answer = await post(server.urls.comet, body)
    t.true(answer.includes(expected), `${body} gave ${answer}`)
  }
  t.is((await fetch(`${server.urls.comet}/nonsense`)).status, 404)
  t.is(await head(), before)
})

test('an application that fails abci_info fails it as documented to GET, and as the wire does to POST', async (t) => {
  await using server = await startLocal({ infoFails: 'boom' })
  const documented = await fetch(`${server.urls.comet}/abci_info`)
  t.is(documented.status, 500)
  const { error } = (await documented.json()) as { error: unknown }
  t.is(typeof error, 'string')
  t.regex(String(error), /boom/)
  const wire = await fetch(server.urls.comet, { method: 'POST', body: '{"jsonrpc":"2.0","id":1,"method":"abci_info"}' })
  t.is(wire.status, 200)
  t.deepEqual(((await wire.json()) as { error: unknown }).error, {
    code: -32603,
    message: 'Internal error',
    data: 'boom',
  })
  t.is((await fetch(`${server.urls.comet}/health`)).status, 200)
})

const deep = test.macro(async (t, side: 'eth' | 'comet', method: string, depth: number) => {
  await using server = await startLocal()
  server.operate({
    type: 'setFault',
    fault: {
      // Matching by parameters and counting by call both read them.
      rule: {
        name: 'planted',
        match: { methods: ['*'], params: '[{"deep":1}]' },
        select: { type: 'window', skip: 0, count: 1, per: 'call' },
        at: 'before',
        effects: [{ type: 'rpcError', code: -32005, message: 'busy' }],
        cors: 'keep',
      },
    },
  })
  const before = server.simulation().node.counters.incident
  const params = `${'['.repeat(depth)}${']'.repeat(depth)}`
  const response = await fetch(server.urls[side], {
    method: 'POST',
    body: `{"jsonrpc":"2.0","id":77,"method":"${method}","params":${params}}`,
    headers: { 'content-type': 'application/json' },
  })
  const answer = await response.text()
  t.regex(answer, /"id":77\b/)
  t.false(/incident/i.test(answer), answer)
  t.is(server.simulation().node.counters.incident, before)
})
test('eth_call with params nested 5,000 deep under a fault keeps its id', deep, 'eth', 'eth_call', 5000)
test('eth_call with params nested 9,990 deep under a fault keeps its id', deep, 'eth', 'eth_call', 9990)
test('block with params nested 5,000 deep under a fault keeps its id', deep, 'comet', 'block', 5000)
