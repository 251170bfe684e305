/** Calls written as requests to the REST API are read as the same calls. */
import { readdirSync, readFileSync } from 'node:fs'
import test from 'ava'
import { isExpected } from '../../../src/errors.ts'
import { restCall } from '../../../src/rpc/rest/call.ts'
import { restRequest } from '../../../src/rpc/rest/request.ts'

const folder = new URL('../../../../test/golden/cases/', import.meta.url)

type Case = { readonly via: string; readonly request: unknown }

/** The requests of the goldens; values that a run fills in are left as they are. */
const targets = readdirSync(folder)
  .filter((name) => name.startsWith('c-'))
  .flatMap((name) => JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as Case[])
  .flatMap(({ via, request }) => (via === 'get' && typeof request === 'string' ? [request.replaceAll('$', '')] : []))

function callOf(verb: string, target: string, body = '') {
  try {
    const call = restCall({ verb, target, body, height: undefined })
    return call?.params.form === 'json' ? { name: call.name, text: call.params.text } : undefined
  } catch (error) {
    if (!isExpected(error)) throw error
    return undefined
  }
}

test('every request of the goldens is written again as one for the same call', (t) => {
  const calls = targets.flatMap((target) => callOf('GET', target) ?? [])
  t.true(calls.length > 100, `${calls.length} of ${targets.length}`)
  for (const { name, text } of calls) {
    const again = restRequest(name, text)
    t.deepEqual(again && callOf(again.verb, again.target, again.body), { name, text }, `${name} ${text}`)
  }
})

test('a denom with slashes stays in the path, and lists and nested fields are in the query', (t) => {
  const method = 'ibc.applications.transfer.v1.Query/Denom'
  const { text } = callOf('GET', '/ibc/apps/transfer/v1/denoms/ibc/AB%20C') ?? { text: '' }
  t.is(restRequest(method, text)?.target, '/ibc/apps/transfer/v1/denoms/ibc/AB%20C')
  const enabled = callOf('GET', '/cosmos/bank/v1beta1/send_enabled?denoms=a%26b&denoms=c&pagination.limit=3')
  t.is(
    restRequest('cosmos.bank.v1beta1.Query/SendEnabled', enabled?.text ?? '{}')?.target,
    '/cosmos/bank/v1beta1/send_enabled?denoms=a%26b&denoms=c&pagination.limit=3',
  )
})

test('a height is a header, a body is written whole, and a call without a route is none', (t) => {
  const params = '{"mode":"BROADCAST_MODE_SYNC","tx_bytes":"AQI="}'
  t.like(restRequest('cosmos.tx.v1beta1.Service/BroadcastTx', params), {
    verb: 'POST',
    target: '/cosmos/tx/v1beta1/txs',
    body: params,
  })
  const asked = '{"denom":"atest","x-cosmos-block-height":"4"}'
  t.is(restRequest('cosmos.bank.v1beta1.Query/SupplyOf', asked)?.height, '4')
  t.is(restRequest('cosmos.bank.v1beta1.Query/Nothing', '{}'), undefined)
})
