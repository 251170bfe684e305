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
