/** Every effect on calls, what clients of the REST API and of gRPC see of it: fetch and grpc-js. */
import { fromBech32 } from '@cosmjs/encoding'
import test from 'ava'
import { status } from '@grpc/grpc-js'
import { fault as faultFile } from '../../src/scenario/faultSchema.ts'
import type { Server } from '../../src/index.ts'
import type { FaultDescription } from '../../src/shell/handle.ts'
import { fieldsOf, GrpcClient, textField } from '../helpers/grpc.ts'
import { eventually, startLocal } from '../helpers/server.ts'

type Effect = FaultDescription['effect']
type Row = {
  readonly effect: Effect
  readonly rest: RegExp
  readonly grpc: RegExp
  readonly waitsMs?: number
}

const receiver = 'cosmos1zaxr299q62e39q4zf4fdmjncpfwlqxd0rzpqux'
const ethereumAddress = `0x${Buffer.from(fromBech32(receiver).data).toString('hex')}`
const path = `/cosmos/bank/v1beta1/balances/${receiver}/by_denom?denom=atest`
const method = '/cosmos.bank.v1beta1.Query/Balance'
const message = Buffer.concat([textField(1, receiver), textField(2, 'atest')])
/** Nothing is waited for that long, except answers that are late on purpose. */
const patienceMs = 60_000
/** Of clients whose answers are late on purpose. */
const shortPatienceMs = 1500

let server: Server
test.before(async () => {
  server = await startLocal()
})
test.after.always(() => server.close())

async function overRest(waitsMs = patienceMs): Promise<string> {
  try {
    const answer = await fetch(server.urls.rest + path, { signal: AbortSignal.timeout(waitsMs) })
    return `${answer.status} ${await answer.text()}`
  } catch (error) {
    return (error as Error).name
  }
}

async function overGrpc(waitsMs = patienceMs): Promise<string> {
  using client = new GrpcClient(server.urls.grpc)
  const { code, details, bytes } = await client.call(method, message, { timeoutMs: waitsMs })
  if (code !== status.OK) return `${status[code]} ${details}`
  const [coin] = fieldsOf(bytes ?? Buffer.alloc(0), 1)
  const [amount] = fieldsOf(coin ?? Buffer.alloc(0), 2)
  return `OK ${String(amount)}`
}

const whole = { rest: /^200 \{"balance":\{"denom":"atest","amount":"0"\}\}$/, grpc: /^OK 0$/ }
const refused = { rest: /^TypeError$/, grpc: /^UNAVAILABLE/ }
const late = { rest: /^TimeoutError$/, grpc: /^DEADLINE_EXCEEDED/, waitsMs: shortPatienceMs }

const rows: Readonly<Record<string, Row>> = {
  latency: { effect: { latency: '30ms' }, ...whole },
  'a latency that is too long': { effect: { latency: '20s' }, ...late },
  'a status of HTTP': {
    effect: { http: { status: 503, body: 'busy' } },
    rest: /^503 busy$/,
    grpc: /^UNAVAILABLE .*503/,
  },
  'an error of JSON-RPC': {
    effect: { rpcError: { code: -32000, message: 'no' } },
    rest: /^500 \{"code":13, "message":"no"/,
    grpc: /^INTERNAL no$/,
  },
  'a status of gRPC': {
    effect: { grpc: 'UNAVAILABLE' },
    rest: /^503 \{"code":14, "message":"UNAVAILABLE"/,
    grpc: /^UNAVAILABLE UNAVAILABLE$/,
  },
  "a provider's refusal": { effect: { provider: 'rateLimit' }, rest: /^429 /, grpc: /^UNAVAILABLE .*429/ },
  "a provider's refusal with the id of the call": {
    effect: { provider: 'infura' },
    rest: /^429 .*"id":null\b/,
    grpc: /^UNAVAILABLE .*429/,
  },
  'an empty result': { effect: { nullResult: true }, rest: /^200 null$/, grpc: /^UNIMPLEMENTED/ },
  'a changed result': {
    effect: { mutate: { replace: '/balance/amount', value: '99' } },
    rest: /"amount":"99"\}\}$/,
    grpc: /^OK 99$/,
  },
  'a stale state': { effect: { stale: { lag: '1 block' } }, rest: /"amount":"0"\}\}$/, grpc: /^OK 0$/ },
  'an index that lags': { effect: { indexLag: '1 block' }, ...whole },
  'no body': { effect: { empty: true }, rest: /^200 $/, grpc: /^UNIMPLEMENTED .*No message/i },
  'half of the body': { effect: { truncate: true }, rest: /^200 \{"balance":\{"den[^}]*$/, grpc: /^UNIMPLEMENTED/ },
  'a body that cannot be read': { effect: { malformed: 'json' }, rest: /^200 .*,,/, grpc: /^OK undefined$/ },
  'chunks that are none': { effect: { malformed: 'chunk' }, rest: refused.rest, grpc: /^OK undefined$/ },
  'bytes that are no text': { effect: { malformed: 'utf8' }, rest: /^200 .*\ufffd/, grpc: /^OK (?!0$)/ },
  'a length that is too long': { effect: { malformed: 'contentLength' }, rest: refused.rest, grpc: /^UNIMPLEMENTED/ },
  'an answer in pieces': { effect: { dribble: { bytes: 20, every: '1ms' } }, ...whole },
  'a narrow line': { effect: { bandwidth: 100_000 }, ...whole },
  'a connection that ends late': { effect: { slowClose: '20ms' }, ...whole },
  'no answer': { effect: { hang: true }, ...late },
  'a connection that ends without one': { effect: { timeout: '20ms' }, ...refused },
  'a reset before the headers': { effect: { reset: 'beforeHeaders' }, ...refused },
  'a reset in the body': { effect: { reset: 'midBody' }, ...refused },
  'a reset after the body': { effect: { reset: 'afterBody' }, rest: /^(?:200|TypeError)/, grpc: /^UNAVAILABLE/ },
  'nobody who listens': { effect: { refuse: true }, ...refused },
}

const each = test.macro({
  async exec(t, { effect, rest, grpc, waitsMs }: Row) {
    for (const [iface, ask, wanted] of [
      ['rest', overRest, rest],
      ['grpc', overGrpc, grpc],
    ] as const) {
      const end = await server.fault('broken', { match: { iface }, effect })
      t.regex(await ask(waitsMs), wanted, iface)
      // The other door, and the same one later, are whole.
      t.regex(await (iface === 'rest' ? overGrpc() : overRest()), iface === 'rest' ? whole.grpc : whole.rest)
      await end()
      // A client may try a connection again that was reset.
      await eventually(async () => whole[iface].test(await ask()))
    }
  },
  title: (title = '') => `each door: ${title}`,
})
for (const [title, row] of Object.entries(rows)) test.serial(title, each, row)

test.serial('a stale state and a lagging index are those of the door that is asked', async (t) => {
  await using own = await startLocal()
  const fund = (wei: string) =>
    own.eth.request({ method: 'anvil_setBalance', params: [ethereumAddress, wei] as never } as never)
  const balance = async (): Promise<unknown> =>
    ((await (await fetch(own.urls.rest + path)).json()) as { balance: { amount: string } }).balance.amount
  using client = new GrpcClient(own.urls.grpc)
  const overGrpcHere = async () => {
    const { bytes = Buffer.alloc(0) } = await client.call(method, message)
    return String(fieldsOf(fieldsOf(bytes, 1)[0] ?? Buffer.alloc(0), 2)[0])
  }
  await fund('0x5')
  own.mine(3)
  await fund('0x9')
  own.mine(1)
  t.deepEqual([await balance(), await overGrpcHere()], ['9', '9'])
  const endRest = await own.fault('old', { match: { iface: 'rest' }, effect: { stale: { lag: '2 blocks' } } })
  t.deepEqual([await balance(), await overGrpcHere()], ['5', '9'])
  await endRest()
  const endGrpc = await own.fault('old', { match: { iface: 'grpc' }, effect: { stale: { lag: '2 blocks' } } })
  t.deepEqual([await balance(), await overGrpcHere()], ['9', '5'])
  await endGrpc()
})

test.serial('a change that a message cannot hold is told', async (t) => {
  const end = await server.fault('odd', {
    match: { iface: 'grpc' },
    effect: { mutate: { replace: '/balance', value: 7 } },
  })
  t.regex(
    await overGrpc(),
    /^INTERNAL a fault changed the response into JSON that cosmos\.bank\.v1beta1\.QueryBalanceResponse/,
  )
  await end()
})

test('the table leaves no effect on calls out', (t) => {
  const { ws: _, cors: _cors, ...effects } = faultFile.shape.effect.shape
  const tried = Object.values(rows).map(({ effect }) => effect as Record<string, unknown>)
  t.deepEqual(
    Object.keys(effects).filter((name) => !tried.some((one) => name in one)),
    [],
  )
  for (const name of ['malformed', 'reset'] as const) {
    for (const kind of effects[name].unwrap().options)
      t.true(
        tried.some((one) => one[name] === kind),
        kind,
      )
  }
})
