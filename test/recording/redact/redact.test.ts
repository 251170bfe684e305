import { readFileSync } from 'node:fs'
import test from 'ava'
import type { TapLine } from '../../../src/recording/playback/tapLine.ts'
import { redactLine } from '../../../src/recording/redact/redactLine.ts'
import { secretIn } from '../../../src/recording/redact/scan.ts'
import { cometNames } from '../../../src/shell/playback.ts'

const exchange = (rest: Partial<TapLine>): TapLine => ({
  t: 1,
  iface: 'b',
  kind: 'http',
  conn: 1,
  method: 'POST',
  path: '/',
  ...rest,
})
const call = (method: string, params: unknown, more = {}) =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method, params, ...more })
const planted = 'PLANTED-s3cr3t'

const dropped = test.macro((t, rest: Partial<TapLine>, kept: string) => {
  const text = JSON.stringify(redactLine(exchange(rest), cometNames))
  t.false(text.includes(planted), text)
  t.true(text.includes(kept), text)
})

test(
  'the path of Ethereum JSON-RPC is not kept',
  dropped,
  { path: `/v2/${planted}`, req: call('eth_chainId', []) },
  'eth_chainId',
)
test(
  'a query that no method takes is not kept',
  dropped,
  { iface: 'a', method: 'GET', path: `/block?height=7&apikey=${planted}` },
  '/block?height=7',
)
test(
  'a query of the REST API is kept in both spellings of its names, also escaped',
  dropped,
  {
    iface: 'c',
    method: 'GET',
    path: `/cosmos/tx/v1beta1/txs?order%42y=2&order_by=2&pagination.countTotal=true&apikey=${planted}`,
  },
  '/cosmos/tx/v1beta1/txs?order%42y=2&order_by=2&pagination.countTotal=true"',
)
test('a path before a route is not kept', dropped, { iface: 'a', method: 'GET', path: `/${planted}/status` }, '/status')
test(
  'other headers are not kept',
  dropped,
  {
    headers: { 'content-type': 'application/json', 'x-api-key': planted, 'set-cookie': planted },
  },
  'application/json',
)
test(
  'other members of a body are not kept',
  dropped,
  { req: call('eth_chainId', [], { apiKey: planted }) },
  'eth_chainId',
)
test(
  'parameters of methods that take passwords are not kept',
  dropped,
  { req: call('personal_unlockAccount', ['0x01', planted]) },
  '[redacted]',
)
test(
  'the passphrase of an account of Ganache is not kept',
  dropped,
  { req: call('evm_addAccount', ['0x01', planted]) },
  '[redacted]',
)
test(
  'a body that is no JSON is not kept',
  dropped,
  { res: `<html>${planted}</html>`, req: call('eth_chainId', []) },
  'eth_chainId',
)
test(
  'who a node is is not kept',
  dropped,
  {
    iface: 'a',
    res: `{"id":1,"result":{"node_info":{"id":"${'ab'.repeat(20)}","moniker":"${planted}","listen_addr":"tcp://${planted}"}}}`,
  },
  '"moniker\\":\\"node\\"',
)

test('who a node is is not kept in an answer with blanks', (t) => {
  const node = {
    id: 'ab'.repeat(20),
    moniker: planted,
    listen_addr: `tcp://${planted}`,
    other: { rpc_address: planted },
  }
  const res = JSON.stringify({ id: 1, result: { node_info: node, peers: [{ remote_ip: planted }] } }, undefined, 2)
  const once = redactLine(exchange({ iface: 'a', res }), cometNames)
  t.notRegex(String(once.res), /PLANTED|abab/)
  // An export that is imported names the same node.
  t.deepEqual(redactLine(once, cometNames), once)
})

test('numbers of a result are kept as they are written', (t) => {
  const { res } = redactLine(
    exchange({ res: '{"jsonrpc":"2.0","id":1,"result":{"wei":123456789012345678901234567890,"f":1.50}}\n' }),
    cometNames,
  )
  t.is(res, '{"jsonrpc":"2.0","id":1,"result":{"wei":123456789012345678901234567890,"f":1.50}}\n')
})

const found = test.macro((t, rest: Partial<TapLine>, rule: string) => {
  t.is(secretIn(exchange(rest), [planted])?.rule, rule)
})
const words = 'test test test test test test test test test test test junk'

test('a mnemonic is found', found, { req: call('wallet_import', [words]) }, 'mnemonic')
test('a mnemonic as a list of words is found', found, { req: call('wallet_import', [words.split(' ')]) }, 'mnemonic')
const hexOf = (text: string) => Buffer.from(text).toString('hex')
const encoded = `0x40c10f19${'00'.repeat(31)}20${hexOf(words)}${'00'.repeat(9)}`

test(
  'a mnemonic in the data of a call is found',
  found,
  { req: call('eth_call', [{ to: '0x01', data: encoded }, 'latest']) },
  'mnemonic',
)
test('a mnemonic in upper-case hex is found', found, { res: `{"result":"${hexOf(words).toUpperCase()}"}` }, 'mnemonic')
test(
  'a mnemonic in the bytes of a Cosmos transaction is found',
  found,
  {
    iface: 'a',
    req: call('broadcast_tx_sync', { tx: Buffer.from(`\n~${words}\n`).toString('base64') }),
  },
  'mnemonic',
)
test(
  'what is secret here is found in hex, too',
  found,
  { res: `{"result":"0x${hexOf(`some text before ${planted} and some after`)}"}` },
  'a secret value of this environment',
)
const base64Of = (text: string) => Buffer.from(text).toString('base64')
// In base64, runs without a slash or plus sign are too short to be scanned.
const wide = '???>>>~~~'.repeat(8)
for (const [how, text] of [
  ['base64url', Buffer.from(wide).toString('base64url')],
  ['base64 with escaped slashes', base64Of(wide).replaceAll('/', '\\/')],
] as const) {
  test(`a secret in ${how} is found`, (t) => {
    t.is(secretIn(exchange({ res: `{"result":"${text}"}` }), [wide])?.rule, 'a secret value of this environment')
  })
}
for (const [how, text] of [
  ['base64 in JSON in hex', `0x${hexOf(JSON.stringify({ tx: base64Of(`\n~${words}\n`) }))}`],
  ['hex in base64url in hex', hexOf(Buffer.from(`a ${hexOf(words)}`).toString('base64url'))],
] as const) {
  test(`a mnemonic in ${how} is found`, found, { res: `{"result":"${text}"}` }, 'mnemonic')
}
const short = 'aB3/xY9+zz0='
const escaped = (text: string) =>
  [...text].map((one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')
for (const [how, part] of [
  ['an escaped slash', { req: call('x', [short]).replaceAll('/', '\\/') }],
  ['escapes of JSON', { res: `{"result":"${escaped(short)}"}` }],
  ['escapes of a URL', { iface: 'a', method: 'GET', path: `/abci_query?path="${encodeURIComponent(short)}"` }],
  ['hex', { req: call('eth_call', [`0x${hexOf(short)}`]) }],
  ['base64', { req: call('eth_call', [base64Of(short)]) }],
  ['a message of gRPC', { iface: 'g', req: base64Of(`\n\f${short}`) }],
  ['the header of a height', { iface: 'c', at: short }],
] as const) {
  test(`a short secret in ${how} is found`, (t) => {
    t.is(secretIn(exchange(part), [short])?.rule, 'a secret value of this environment')
  })
}
test('a long run that is nothing encoded is no secret', (t) => {
  for (const run of ['ab'.repeat(50_000), 'Zm9v'.repeat(20_000), '_-'.repeat(20_000)]) {
    t.is(secretIn(exchange({ res: `{"result":"${run}"}` }), [planted]), undefined)
  }
})
test('a run of many MiB is scanned to its end, as in a chunk of the genesis', (t) => {
  const genesis = 'eyJnZW5lc2lz'.repeat(700_000)
  for (const run of [genesis, hexOf(genesis)]) {
    t.is(secretIn(exchange({ res: `{"result":"${run}"}` }), [planted]), undefined)
    const after = `{"data":"${run}","next":"${base64Of(planted)}"}`
    t.is(secretIn(exchange({ res: after }), [planted])?.rule, 'a secret value of this environment')
  }
})
test(
  'a user and a password in a URL are found',
  found,
  { res: '{"error":{"code":1,"message":"dial https://user:pw@host/v3/KEY: refused"}}' },
  'credentials in a URL',
)
test(
  'a URL whose slashes are escaped is found',
  found,
  { res: '{"result":{"next":"wss:\\/\\/user:pw@host\\/ws"}}' },
  'credentials in a URL',
)
test(
  'a key in the path of a URL is found',
  found,
  { res: '{"result":"see https://mainnet.example.com/v3/0123456789abcdef0123456789abcdef"}' },
  'key in a URL',
)
test('a URL without a key is no secret', (t) => {
  const url = 'https://docs.example.com/v2/introduction?page=2#user@host'
  t.is(secretIn(exchange({ res: `{"result":"${url}"}` }), []), undefined)
})
test('a private key is found', found, { req: call('wallet_import', [`0x${'ac'.repeat(32)}`]) }, 'private key')
test('a word of storage that a development node is given is no private key', (t) => {
  const req = call('anvil_setStorageAt', ['0x01', '0x0', `0x${'ac'.repeat(32)}`])
  t.is(secretIn(exchange({ req }), []), undefined)
})
test('a bearer is found', found, { res: '{"result":"Bearer abcdefghijkl"}' }, 'authorization')
test(
  'a web token is found',
  found,
  { res: `{"result":"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abcdefgh"}` },
  'JSON web token',
)
test('an API key of a service is found', found, { res: '{"result":"AKIAABCDEFGHIJKLMNOP"}' }, 'API key of a service')
test(
  'a member that names a secret is found',
  found,
  { req: call('eth_call', [{ privateKey: '0x01' }]) },
  'named secret',
)
test(
  'a secret value of this environment is found',
  found,
  { res: `{"result":"x${planted}"}` },
  'a secret value of this environment',
)
test('a private key block is found', found, { res: '{"result":"-----BEGIN EC PRIVATE KEY-----"}' }, 'private key block')

for (const name of ['wallet', 'token', 'explorer', 'cosmos', 'mixed']) {
  test(`nothing of the recorded client ${name} is taken for a secret`, (t) => {
    const text = readFileSync(new URL(`../../../../test/recording/traffic/${name}.jsonl`, import.meta.url), 'utf8')
    for (const line of text.trim().split('\n').slice(1)) {
      t.is(secretIn(redactLine(JSON.parse(line) as TapLine, cometNames), []), undefined, line.slice(0, 300))
    }
  })
}
