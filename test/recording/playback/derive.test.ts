import test from 'ava'
import { deriving } from '../../../src/recording/playback/derive.ts'

const log = (address: string, topic: string, wei: string) =>
  `{"address":"${address}","topics":["${topic}"],"wei":${wei}}`
const big = '123456789012345678901234567890'
const texts: Readonly<Record<string, string>> = {
  'eth eth_getBlockByNumber ["0x5",true]':
    '{"hash":"0xb5","transactions":[{"hash":"0x0a","value":1.50},{"hash":"0x0b"}]}',
  'eth eth_getBlockReceipts ["0x5"]': `[{"n":0},{"n":${big}}]`,
  'eth eth_getLogs [{"fromBlock":"0x5","toBlock":"0x5"}]': `[${log('0xaa', '0x01', big)},${log('0xbb', '0x02', '2')}]`,
  'eth eth_getLogs [{"fromBlock":"0x6","toBlock":"0x6"}]': `[${log('0xAA', '0x02', '3')}]`,
}
const derive = deriving(
  new Map(
    Object.entries(texts).map(([key, text]) => [
      key,
      [{ since: key.includes('0x6') ? 60 : 50, answer: { ok: true, text }, count: 1 }],
    ]),
  ),
  () => {},
)

const follows = test.macro((t, key: string, text: string | undefined, since = 50) => {
  const found = derive(key)
  t.deepEqual(
    found && { since: found.since, answer: found.answer },
    text === undefined ? undefined : { since, answer: { ok: true, text } },
  )
})

test(
  'a receipt is in the receipts of its block, digit by digit',
  follows,
  'eth eth_getTransactionReceipt ["0x0b"]',
  `{"n":${big}}`,
)
test('a transaction is in its block', follows, 'eth eth_getTransactionByHash ["0x0a"]', '{"hash":"0x0a","value":1.50}')
test(
  'a block by hash is a block by number',
  follows,
  'eth eth_getBlockByHash ["0xb5",true]',
  texts['eth eth_getBlockByNumber ["0x5",true]'],
)
test('what no block has does not follow', follows, 'eth eth_getTransactionReceipt ["0x0c"]', undefined)
test(
  'logs of an address over two blocks are those that the filter lets pass',
  follows,
  'eth eth_getLogs [{"address":"0xaa","fromBlock":"0x5","toBlock":"0x6"}]',
  `[${log('0xaa', '0x01', big)},${log('0xAA', '0x02', '3')}]`,
  60,
)
test(
  'logs of a topic',
  follows,
  'eth eth_getLogs [{"fromBlock":"0x5","toBlock":"0x6","topics":[["0x02","0x03"]]}]',
  `[${log('0xbb', '0x02', '2')},${log('0xAA', '0x02', '3')}]`,
  60,
)
test(
  'logs of a range with a block that is not there do not follow',
  follows,
  'eth eth_getLogs [{"fromBlock":"0x5","toBlock":"0x7"}]',
  undefined,
)
test(
  'logs without a topic at each position of the filter do not follow, as on the node',
  follows,
  'eth eth_getLogs [{"fromBlock":"0x5","toBlock":"0x6","topics":["0x02",null]}]',
  '[]',
  60,
)
test(
  'null among the alternatives of a topic matches every topic',
  follows,
  'eth eth_getLogs [{"fromBlock":"0x6","toBlock":"0x6","topics":[["0x07",null]]}]',
  `[${log('0xAA', '0x02', '3')}]`,
  60,
)
for (const filter of ['"topics":[5]', '"topics":"0x02"', '"topics":[["0x02",{}]]', '"address":5']) {
  test(
    `logs of the invalid filter ${filter} do not follow`,
    follows,
    `eth eth_getLogs [{"fromBlock":"0x5","toBlock":"0x6",${filter}}]`,
    undefined,
  )
}
