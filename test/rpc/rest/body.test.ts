/** Bodies of POST requests, which Go's decoder reads: a JSON value, whatever follows it. */
import test from 'ava'
import { restCall } from '../../../src/rpc/rest/call.ts'

const decode = (body: string) =>
  restCall({ verb: 'POST', target: '/cosmos/tx/v1beta1/decode', body, height: undefined })

test('what follows the first value is ignored', (t) => {
  for (const rest of ['x', '{"tx_bytes":"Ag=="}', ']', '\0']) {
    t.like(decode(`{"tx_bytes":"AQ=="} ${rest}`), { params: { text: '{"tx_bytes":"AQ=="}' } })
  }
})

const refused = test.macro((t, body: string, message: string) => {
  t.throws(() => decode(body), { message })
})
test('a name without quotes', refused, '{bad}', "invalid character 'b' looking for beginning of object key string")
test('a comma too many', refused, '{"a":1,}', "invalid character '}' looking for beginning of object key string")
test('half a word', refused, '{"a":tru}', "invalid character '}' in literal true (expecting 'e')")
test('a tab in a text', refused, '{"a":"\t"}', "invalid character '\\t' in string literal")
test('a word that ends early', refused, 'nul', 'unexpected EOF')
test('an object that ends early', refused, '{"a":1', 'unexpected EOF')
