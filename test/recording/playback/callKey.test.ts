import test from 'ava'
import { callKey, type SentCall } from '../../../src/recording/playback/callKey.ts'

const names = () => ['hash', 'prove']

const same = test.macro((t, a: SentCall, b: SentCall) => {
  t.is(callKey(a, names), callKey(b, names))
})

const other = test.macro((t, a: SentCall, b: SentCall) => {
  t.not(callKey(a, names), callKey(b, names))
})

const comet = (method: string, params: SentCall['params']): SentCall => ({ side: 'comet', method, params })
const eth = (method: string, params: string): SentCall => ({ side: 'eth', method, params })

test(
  'a query string asks what named parameters ask',
  same,
  comet('tx', new Map([['hash', '0xABCD']])),
  comet('tx', '{"hash":"q80=","prove":false}'),
)
test('positions ask what names ask', same, comet('tx', '["q80=",true]'), comet('tx', '{"prove":true,"hash":"q80="}'))
test(
  'a height as a number is a height as a string',
  same,
  comet('block', '{"height":7}'),
  comet('block', new Map([['height', '"7"']])),
)
test('another height is another call', other, comet('block', '{"height":"7"}'), comet('block', '{"height":"8"}'))
test(
  'a block left out is the latest',
  same,
  eth('eth_getBalance', '["0xAB"]'),
  eth('eth_getBalance', '["0xab","latest"]'),
)
test(
  'a proof without a block is of the latest',
  same,
  eth('eth_getProof', '["0xab",["0x00"]]'),
  eth('eth_getProof', '["0xab",["0x00"],"latest"]'),
)
test(
  'a traced call without a block is on the latest',
  same,
  eth('debug_traceCall', '[{"to":"0xab"}]'),
  eth('debug_traceCall', '[{"to":"0xab"},"latest"]'),
)
test(
  'data and input are one',
  same,
  eth('eth_call', '[{"to":"0xAB","data":"0x01"},"latest"]'),
  eth('eth_call', '[{"input":"0x01","to":"0xab"}]'),
)
test(
  'alternatives of a log filter are a set',
  same,
  eth('eth_getLogs', '[{"address":["0x02","0x01"]}]'),
  eth('eth_getLogs', '[{"address":["0x01","0x02"]}]'),
)
test(
  'topics keep their places',
  other,
  eth('eth_getLogs', '[{"topics":["0x02","0x01"]}]'),
  eth('eth_getLogs', '[{"topics":["0x01","0x02"]}]'),
)
