/** The Cosmos REST API over real sockets: wallets, other interfaces, faults and sessions. */
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { text as textOf } from 'node:stream/consumers'
import test, { type ExecutionContext } from 'ava'
import { fromHex, toBase64 } from '@cosmjs/encoding'
import { DirectEthSecp256k1Wallet, encodePubkey, makeAuthInfoBytes, makeSignDoc, Registry } from '@cosmjs/proto-signing'
import { defaultRegistryTypes, StargateClient } from '@cosmjs/stargate'
import { TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { start, type FaultDescription, type Server } from '../../src/index.ts'
import { startLocal } from '../helpers/server.ts'

const key = 'ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'
const receiver = 'cosmos1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqnrql8a'
const balances = '/cosmos/bank/v1beta1/balances'

type Json = Record<string, unknown>

async function get<Body = Json>(url: string, path: string, headers = {}): Promise<Body> {
  return (await (await fetch(url + path, { headers })).json()) as Body
}

async function post<Body>(url: string, path: string, body: unknown): Promise<Body> {
  const answer = await fetch(url + path, { method: 'POST', body: JSON.stringify(body) })
  return (await answer.json()) as Body
}

type Account = { account: { sequence: string; account_number: string } }

/** What Keplr does for a transfer: account, simulation with an empty signature, then the rest. */
async function transfer(t: ExecutionContext, { urls }: Server) {
  const wallet = await DirectEthSecp256k1Wallet.fromKey(fromHex(key), 'cosmos')
  const [mine] = await wallet.getAccounts()
  if (mine === undefined) throw new Error('a wallet has an account')
  const { account } = await get<Account>(urls.rest, `/cosmos/auth/v1beta1/accounts/${mine.address}`)
  const {
    default_node_info: { network },
  } = await get<{ default_node_info: { network: string } }>(urls.rest, '/cosmos/base/tendermint/v1beta1/node_info')
  const registry = new Registry(defaultRegistryTypes)
  const bodyBytes = registry.encodeTxBody({
    memo: 'over REST',
    messages: [
      {
        typeUrl: '/cosmos.bank.v1beta1.MsgSend',
        value: {
          fromAddress: mine.address,
          toAddress: receiver,
          amount: [{ denom: 'atest', amount: '7' }],
        },
      },
    ],
  })
  const pubkey = encodePubkey({
    type: 'os/PubKeyEthSecp256k1',
    value: toBase64(mine.pubkey),
  } as never)
  const authOf = (gas: number) =>
    makeAuthInfoBytes(
      [{ pubkey, sequence: Number(account.sequence) }],
      [{ denom: 'atest', amount: String(BigInt(Math.max(gas, 1)) * 2_000_000_000n) }],
      gas,
      undefined,
      undefined,
    )
  const bytesOf = (authInfoBytes: Uint8Array, signature: Uint8Array) =>
    toBase64(TxRaw.encode({ bodyBytes, authInfoBytes, signatures: [signature] }).finish())
  const simulated = await post<{ gas_info: { gas_used: string } }>(urls.rest, '/cosmos/tx/v1beta1/simulate', {
    tx_bytes: bytesOf(authOf(0), new Uint8Array()),
  })
  t.truthy(simulated.gas_info, JSON.stringify(simulated))
  const gas = Math.ceil(Number(simulated.gas_info.gas_used) * 1.4)
  const doc = makeSignDoc(bodyBytes, authOf(gas), network, Number(account.account_number))
  const { signature } = await wallet.signDirect(mine.address, doc)
  const sent = await post<{ tx_response: { code: number; txhash: string; raw_log: string } }>(
    urls.rest,
    '/cosmos/tx/v1beta1/txs',
    {
      tx_bytes: bytesOf(doc.authInfoBytes, fromHex(Buffer.from(signature.signature, 'base64').toString('hex'))),
      mode: 'BROADCAST_MODE_SYNC',
    },
  )
  t.is(sent.tx_response.raw_log, '')
  t.is(sent.tx_response.code, 0)
  return sent.tx_response.txhash
}

test('a wallet reads, simulates and sends over REST, and cosmjs sees the same facts', async (t) => {
  await using server = await startLocal()
  const hash = await transfer(t, server)
  const found = await get<{ tx_response: { height: string; code: number; gas_used: string } }>(
    server.urls.rest,
    `/cosmos/tx/v1beta1/txs/${hash}`,
  )
  const client = await StargateClient.connect(server.urls.comet)
  const seen = await client.getTx(hash)
  t.is(found.tx_response.code, 0)
  t.is(String(found.tx_response.height), String(seen?.height))
  t.is(found.tx_response.gas_used, String(seen?.gasUsed))
  const { balances: held } = await get<{ balances: unknown }>(server.urls.rest, `${balances}/${receiver}`)
  t.deepEqual(held, await client.getAllBalances(receiver))
  const latest = await get<{ block: { header: { height: string } } }>(
    server.urls.rest,
    '/cosmos/base/tendermint/v1beta1/blocks/latest',
  )
  t.is(Number(latest.block.header.height), await client.getHeight())
  const before = await get<{ balances: unknown }>(server.urls.rest, `${balances}/${receiver}`, {
    'x-cosmos-block-height': '1',
  })
  t.deepEqual(before.balances, [])
  client.disconnect()
})

test('a page of another origin may read and send in the profile local', async (t) => {
  await using server = await startLocal()
  const answer = await fetch(`${server.urls.rest}/cosmos/bank/v1beta1/params`, {
    headers: { origin: 'http://wallet.example' },
  })
  t.is(answer.headers.get('access-control-allow-origin'), '*')
})

test('a session has a REST API of its own, whose chain is apart', async (t) => {
  await using server = await startLocal()
  const session = server.session('one')
  session.mine(3)
  const path = '/cosmos/base/node/v1beta1/status'
  const main = await get<{ height: string }>(server.urls.rest, path)
  const own = await get<{ height: string }>(session.urls.rest, path)
  t.is(Number(own.height) - Number(main.height), 3)
  t.regex(session.urls.rest, /\/s\/one$/)
})

/** Returns status and body of a balance, or how the connection failed. */
async function asked({ urls }: Server, patienceMs = 20_000): Promise<string> {
  try {
    const answer = await fetch(`${urls.rest}${balances}/${receiver}/by_denom?denom=atest`, {
      signal: AbortSignal.timeout(patienceMs),
    })
    return `${answer.status} ${await answer.text()}`
  } catch (error) {
    const { name, cause } = error as Error & { cause?: { code?: string } }
    return `${name} ${cause?.code ?? ''}`
  }
}

const whole = /^200 {"balance":{"denom":"atest","amount":"0"}}$/

const seen: Readonly<Record<string, readonly [FaultDescription['effect'], RegExp]>> = {
  'a latency': [{ latency: '30ms' }, whole],
  'a status of HTTP': [{ http: { status: 503, body: 'busy' } }, /^503 busy$/],
  'a code of gRPC': [
    { rpcError: { code: 14, message: 'gone' } },
    /^503 {"code":14, "message":"gone", "details":\[\]}$/,
  ],
  'a code of JSON-RPC': [
    { rpcError: { code: -32000, message: 'no' } },
    /^500 {"code":13, "message":"no", "details":\[\]}$/,
  ],
  'a changed answer': [{ mutate: { replace: '/balance/amount', value: '99' } }, /"amount":"99"}}$/],
  'an empty body': [{ empty: true }, /^200 $/],
  'a truncated body': [{ truncate: true }, /^200 {"balance":{"den[^}]*$/],
  'JSON that is none': [{ malformed: 'json' }, /^200 .*,,/],
  'chunks that are none': [{ malformed: 'chunk' }, /^TypeError/],
  'a length that is too long': [{ malformed: 'contentLength' }, /^TypeError/],
  'a dribbled body': [{ dribble: { bytes: 20, every: '1ms' } }, whole],
  'a connection that is closed late': [{ slowClose: '20ms' }, whole],
  'an answer that hangs': [{ hang: true }, /^TimeoutError/],
  'a connection that ends without an answer': [{ timeout: '20ms' }, /^TypeError/],
  'a reset before the headers': [{ reset: 'beforeHeaders' }, /^TypeError/],
  'a reset in the body': [{ reset: 'midBody' }, /^TypeError/],
  'a listener that is gone': [{ refuse: true }, /^TypeError/],
}

test('each kind of fault works on the REST API, and none on the others', async (t) => {
  await using server = await startLocal()
  for (const [name, [effect, wanted]] of Object.entries(seen)) {
    const end = await server.fault(name, { match: { iface: 'rest' }, effect })
    t.regex(await asked(server, 'hang' in effect ? 400 : 20_000), wanted, name)
    t.is(await server.eth.request({ method: 'eth_chainId' }), '0x7a69', name)
    end()
    t.regex(await asked(server), whole, `after ${name}`)
  }
})

test('a fault finds a call by its method and what it asks for', async (t) => {
  await using server = await startLocal()
  await server.fault('poor', {
    match: {
      iface: 'rest',
      method: 'cosmos.bank.v1beta1.Query/Balance',
      params: { denom: 'atest' },
    },
    effect: { rpcError: { code: 5, message: 'no such thing' } },
  })
  t.regex(await asked(server), /^404 {"code":5/)
  t.deepEqual(await get(server.urls.rest, `${balances}/${receiver}`), {
    balances: [],
    pagination: { next_key: null, total: '0' },
  })
})

test('the API listens where it is told to, and not at all where it is off', async (t) => {
  await using off = await startLocal({ apiEnable: false })
  t.is(off.urls.rest, '')
  await using free = await start({ ports: { rest: 0 } })
  t.regex(free.urls.rest, /^http:\/\/127\.0\.0\.1:\d+$/)
  t.is(free.urls.comet, '')
})

test('a redirect goes to the cleaned path, whose escapes are read first', async (t) => {
  await using server = await startLocal()
  for (const [path, wanted] of [
    ['/cosmos//bank/v1beta1/denoms_metadata/ibc%2FAB%20C?x=1', '/cosmos/bank/v1beta1/denoms_metadata/ibc/AB%20C?x=1'],
    ['/cosmos/bank/v1beta1/balances/a%2F/by_denom', '/cosmos/bank/v1beta1/balances/a/by_denom'],
    ['//x%2525', '/x%2525'],
  ]) {
    const { status, headers } = await fetch(server.urls.rest + path, { redirect: 'manual' })
    t.is(status, 301, path)
    t.is(headers.get('location'), wanted ?? '', path)
  }
})

test('a page of validators has limits and offsets that are signed numbers', async (t) => {
  await using server = await startLocal()
  const sets = '/cosmos/base/tendermint/v1beta1/validatorsets/latest'
  for (const name of ['limit', 'offset']) {
    t.like(await get(server.urls.rest, `${sets}?pagination.${name}=18446744073709551615`), {
      code: 3,
      message: `${name} must greater than 0`,
    })
  }
})

test('empty parts of a transaction leave nothing in its encodings', async (t) => {
  await using server = await startLocal()
  const service = '/cosmos/tx/v1beta1'
  const tx = { body: {}, auth_info: {}, signatures: [] }
  t.deepEqual(await post(server.urls.rest, `${service}/encode`, { tx }), { tx_bytes: null })
  const amino = await post<{ amino_json: string }>(server.urls.rest, `${service}/decode/amino`, {
    amino_binary: 'KCgWqRIAIgVoZWxsbw==',
  })
  t.true(amino.amino_json.includes('"msg":null'), amino.amino_json)
})

/** A request as Node.js sends it, which keeps targets that `fetch` would change. */
async function target(url: string, method: string, path: string) {
  const { hostname, port } = new URL(url)
  const sent = request({ hostname, port, method, path }).end()
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  return { status: answer.statusCode, body: await textOf(answer) }
}

test('a number sign is part of the target, and OPTIONS of an asterisk is answered by the server', async (t) => {
  await using server = await startLocal()
  const params = '/cosmos/bank/v1beta1/params'
  t.is((await target(server.urls.rest, 'GET', `${params}#x`)).status, 501)
  t.is((await target(server.urls.rest, 'GET', `${params}?x=1#x`)).status, 200)
  t.is((await target(server.urls.comet, 'GET', '/health#x')).status, 404)
  for (const url of [server.urls.rest, server.urls.comet, server.urls.eth]) {
    t.deepEqual(await target(url, 'OPTIONS', '*'), { status: 200, body: '' })
  }
})

test('a refusal names what was sent without HTML escapes, and invalid bytes as replacement characters', async (t) => {
  await using server = await startLocal()
  for (const [sent, shown] of [
    ['%3Ca%3E%26%e2%80%a8', '<a>&\u2028'],
    ['%ff', '\ufffd'],
  ]) {
    const { body } = await target(server.urls.rest, 'GET', `${balances}/${sent}`)
    t.true(body.includes(`format: ${shown}: unknown address`), body)
  }
})

test('a null among messages makes the node panic', async (t) => {
  await using server = await startLocal()
  const tx = { body: { messages: [null] }, auth_info: {}, signatures: [] }
  t.deepEqual(await post(server.urls.rest, '/cosmos/tx/v1beta1/encode', { tx }), {
    jsonrpc: '2.0',
    id: -1,
    error: {
      code: -32603,
      message: 'Internal error',
      data: 'runtime error: invalid memory address or nil pointer dereference',
    },
  })
})
