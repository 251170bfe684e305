/** Queries of REST requests as the gateway of a real node reads them. */
import test from 'ava'
import { isExpected } from '../../../src/errors.ts'
import { restCall } from '../../../src/rpc/rest/call.ts'

function read(target: string): unknown {
  try {
    const call = restCall({ verb: 'GET', target, body: '', height: undefined })
    return call?.params.form === 'json' ? JSON.parse(call.params.text) : undefined
  } catch (error) {
    if (!isExpected(error)) throw error
    return error.message
  }
}

const supply = '/cosmos/bank/v1beta1/supply'

test('whole numbers may have the bases of Go', (t) => {
  for (const [text, value] of [
    ['0x10', '16'],
    ['010', '8'],
    ['0b11', '3'],
    ['1_0', '10'],
  ]) {
    t.like(read(`${supply}?pagination.limit=${text}`), { pagination: { limit: value } })
  }
  t.is(read(`${supply}?pagination.limit=08`), 'strconv.ParseUint: parsing "08": invalid syntax')
})

test('bytes may have the alphabet of URLs, but not both', (t) => {
  for (const text of ['-_8=', '%2B%2F8%3D'])
    t.like(read(`${supply}?pagination.key=${text}`), { pagination: { key: '+/8=' } })
  t.is(read(`${supply}?pagination.key=-%2F8=`), 'illegal base64 data at input byte 1')
})

test('enumerations have decimal numbers with signs and zeros', (t) => {
  const search = '/cosmos/tx/v1beta1/txs?query=x&order_by='
  t.like(read(`${search}02`), { order_by: 'ORDER_BY_DESC' })
  t.like(read(`${search}%2B2`), { order_by: 'ORDER_BY_DESC' })
  t.is(read(`${search}0x2`), '0x2 is not a valid tx.OrderBy')
})

test('names below a single value or a list are refused', (t) => {
  t.is(read(`${supply}?pagination.limit.x=1`), 'unexpected nested field x in pagination.limit')
  t.is(read(`${supply}?pagination.key.x=1`), 'unexpected repeated field in pagination.key.x')
  const traces = '/cosmos/evm/vm/v1/trace_tx'
  t.is(read(`${traces}?predecessors.x=1`), 'unexpected repeated field in predecessors.x')
  t.is(read(`${traces}?predecessors=1`), 'unsupported field type *types.MsgEthereumTx')
})

test('an empty name is that of the first field whose name is written alike in JSON', (t) => {
  t.is(read(`${supply}?=`), 'field type *query.PageRequest is not supported in query parameters')
  t.is(read('/cosmos/tx/v1beta1/txs/block/1?='), 'strconv.ParseInt: parsing "": invalid syntax')
  t.like(read('/cosmos/evidence/v1beta1/evidence/x?=y'), { hash: 'y' })
})
