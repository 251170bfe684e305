import test from 'ava'
import { historyPlace, type HistoryPlace } from '../../../src/recording/fork/historyPlace.ts'
import type { Side } from '../../../src/settings/side.ts'

const site = { height: 16n, head: 20n }
const hash = `0x${'ab'.repeat(32)}`

function placeOf(side: Side, name: string, params: unknown): HistoryPlace {
  return historyPlace(side, { id: '1', name, params: { form: 'json', text: JSON.stringify(params) } }, site)
}

const answers = test.macro((t, side: Side, name: string, params: unknown, kind: HistoryPlace['kind']) => {
  t.is(placeOf(side, name, params).kind, kind)
})

test('a block below the fork', answers, 'eth', 'eth_getBlockByNumber', ['0x10', false], 'other')
test('uncles of a block below the fork', answers, 'eth', 'eth_getUncleCountByBlockNumber', ['0x10'], 'other')
test('uncles of a block by its hash', answers, 'eth', 'eth_getUncleByBlockHashAndIndex', [hash, '0x0'], 'hash')
test('a printed block below the fork', answers, 'eth', 'debug_printBlock', [16], 'other')
test('roots of a block by its hash', answers, 'eth', 'debug_intermediateRoots', [hash], 'hash')
test('the first block of ours', answers, 'eth', 'eth_getBlockByNumber', ['0x11', false], 'own')
test('the earliest block', answers, 'eth', 'eth_getBlockByNumber', ['earliest', false], 'other')
test('the newest block', answers, 'eth', 'eth_getBlockByNumber', ['latest', false], 'own')
test('a balance below the fork', answers, 'eth', 'eth_getBalance', ['0x', '0x5'], 'other')
test('a balance without a block', answers, 'eth', 'eth_getBalance', ['0x'], 'own')
test('a balance at height 0, which means the newest', answers, 'eth', 'eth_getBalance', ['0x', '0x0'], 'own')
test(
  'storage at a height as an object',
  answers,
  'eth',
  'eth_getStorageAt',
  ['0x', '0x0', { blockNumber: '0x5' }],
  'other',
)
test('a call in a block by its hash', answers, 'eth', 'eth_call', [{}, { blockHash: hash }], 'hash')
test('a receipt', answers, 'eth', 'eth_getTransactionReceipt', [hash], 'hash')
test('what is sent', answers, 'eth', 'eth_sendRawTransaction', ['0x10'], 'own')
test('logs of a block', answers, 'eth', 'eth_getLogs', [{ blockHash: hash }], 'hash')
test('logs below the fork', answers, 'eth', 'eth_getLogs', [{ fromBlock: 'earliest', toBlock: '0x10' }], 'other')
test('logs above the fork', answers, 'eth', 'eth_getLogs', [{ fromBlock: '0x11' }], 'own')
test('logs of the newest block', answers, 'eth', 'eth_getLogs', [{}], 'own')
test('a block of CometBFT RPC, by name', answers, 'comet', 'block', { height: '16' }, 'other')
test('a block of CometBFT RPC, by place', answers, 'comet', 'block', ['17'], 'own')
test('a query at a height', answers, 'comet', 'abci_query', { path: '/x', height: '3' }, 'other')
test('a query of the newest state', answers, 'comet', 'abci_query', { path: '/x', height: '0' }, 'own')
test('a range of blocks', answers, 'comet', 'blockchain', { minHeight: '1', maxHeight: '9' }, 'metas')
test('traces of a transaction', answers, 'eth', 'trace_transaction', [hash], 'hash')
test('traces below the fork', answers, 'eth', 'trace_filter', [{ fromBlock: '0x1', toBlock: '0x10' }], 'other')
test("an explorer's block below the fork", answers, 'eth', 'ots_getBlockDetails', ['0x5'], 'other')
test("an explorer's search below the fork", answers, 'eth', 'ots_searchTransactionsAfter', ['0x', 15, 5], 'page')
test("an explorer's search above the fork", answers, 'eth', 'ots_searchTransactionsAfter', ['0x', 16, 5], 'own')
test("an explorer's search from no block", answers, 'eth', 'ots_searchTransactionsBefore', ['0x', 'x', 5], 'own')
test('the creator of a contract', answers, 'eth', 'ots_getContractCreator', ['0x'], 'sought')
test('many calls below the fork', answers, 'eth', 'eth_callMany', [[], { blockNumber: '0x5' }], 'other')
test('many calls in the newest block', answers, 'eth', 'eth_callMany', [[], { blockNumber: 'latest' }], 'own')
test('a balance at height 0 as an object', answers, 'eth', 'eth_getBalance', ['0x', { blockNumber: '0x0' }], 'own')
test('a transaction to drop', answers, 'eth', 'anvil_dropTransaction', [hash], 'own')
test('parameters that are none', answers, 'eth', 'eth_getBlockByNumber', 'x', 'own')

test('the other chain is asked for its part of the logs of both', (t) => {
  const place = placeOf('eth', 'eth_getLogs', [{ fromBlock: '0x3', address: '0xaa' }])
  t.deepEqual(place, {
    kind: 'logs',
    other: '[{"fromBlock":"0x3","address":"0xaa","toBlock":"0x10"}]',
  })
})

test('the other chain is asked for all traces that may be on the page', (t) => {
  const place = placeOf('eth', 'trace_filter', [{ fromBlock: '0x3', after: 2, count: 5 }])
  t.deepEqual(place, { kind: 'logs', other: '[{"fromBlock":"0x3","toBlock":"0x10","count":7}]' })
})

test('the other chain is asked for transactions of an account before our first block at most', (t) => {
  for (const [asked, before] of [
    [0, 17],
    ['0x12', 17],
    [17, 17],
    [9, 9],
  ]) {
    const place = placeOf('eth', 'ots_searchTransactionsBefore', ['0xaa', asked, 5])
    t.deepEqual(place, { kind: 'page', other: `["0xaa",${before},5]` })
  }
})

test('the other chain is asked for its part of a history of fees', (t) => {
  const place = placeOf('eth', 'eth_feeHistory', ['0x6', 'latest', [50]])
  t.deepEqual(place, { kind: 'fees', other: '["0x2","0x10",[50]]' })
  t.is(placeOf('eth', 'eth_feeHistory', ['0x4', 'latest']).kind, 'own')
})

test('fees up to a block below the fork', answers, 'eth', 'eth_feeHistory', ['0x5', '0x10'], 'other')
test('fees up to the earliest block', answers, 'eth', 'eth_feeHistory', ['0x5', 'earliest'], 'other')
test('fees of the earliest block alone', answers, 'eth', 'eth_feeHistory', ['0x1', 'earliest'], 'other')
test('fees up to block 0', answers, 'eth', 'eth_feeHistory', ['0x5', '0x0'], 'other')

test('a query string names a height as well', (t) => {
  const params = { form: 'uri', pairs: new Map([['height', '"5"']]) } as const
  t.is(historyPlace('comet', { id: '1', name: 'block', params }, site).kind, 'other')
})
