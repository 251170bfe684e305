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

const timeout = (spelled: string) =>
  restCall({
    verb: 'POST',
    target: '/cosmos/tx/v1beta1/encode',
    body: `{"tx":{"body":{"timeout_height":${spelled}}}}`,
    height: undefined,
  })

test('a whole number without quotes keeps all its digits', (t) => {
  t.regex(JSON.stringify(timeout('18446744073709551615')), /18446744073709551615/)
  t.regex(JSON.stringify(timeout('9007199254740993')), /9007199254740993/)
})

test('a number in another form is not a whole one', (t) => {
  for (const spelled of ['1.0', '1e3', '18446744073709551616']) {
    const message = `json: cannot unmarshal number ${spelled} into Go value of type uint64`
    t.throws(() => timeout(spelled), { message })
  }
  t.throws(() => decode('{"tx_bytes":1.0}'), { message: 'json: cannot unmarshal number into Go value of type []uint8' })
  t.throws(() => timeout('{"a":1}'), { message: 'json: cannot unmarshal object into Go value of type uint64' })
})

test('bytes may be an array of numbers, as evmosjs sends them', (t) => {
  t.like(decode('{"tx_bytes":[10,null,255]}'), { params: { text: '{"tx_bytes":"CgD/"}' } })
  const found = ['number 256', 'number -1', 'number 1.0', 'string', 'bool', 'array']
  for (const [index, item] of ['256', '-1', '1.0', '"1"', 'true', '[1]'].entries()) {
    const message = `json: cannot unmarshal ${found[index]} into Go value of type uint8`
    t.throws(() => decode(`{"tx_bytes":[${item}]}`), { message })
  }
})

test('what a message does not know may be deep', (t) => {
  const deep = `${'{"a":['.repeat(4000)}1.0${']}'.repeat(4000)}`
  t.notThrows(() => decode(deep))
})

test('a null in a list is an empty item', (t) => {
  const send = { '@type': '/cosmos.bank.v1beta1.MsgSend', amount: [null] }
  const tx = { body: { messages: [send] }, auth_info: { fee: { amount: [null] } }, signatures: [null] }
  const call = restCall({
    verb: 'POST',
    target: '/cosmos/tx/v1beta1/encode',
    body: JSON.stringify({ tx }),
    height: undefined,
  })
  const coin = { denom: '', amount: '0' }
  const text = call?.params.form === 'json' ? call.params.text : '{}'
  t.like(JSON.parse(text), {
    tx: { body: { messages: [{ amount: [coin] }] }, auth_info: { fee: { amount: [coin] } }, signatures: [''] },
  })
})
