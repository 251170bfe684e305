/** A recording that is pruned to what a run used serves the same run, also where its answers were derived. */
import test from 'ava'
import { pruned } from '../../../src/recording/folder/prune.ts'
import { withIgnored } from '../../../src/recording/folder/rules.ts'
import type { HeldAnswer, Library } from '../../../src/recording/playback/library.ts'
import { createPlayer } from '../../../src/recording/playback/player.ts'

const [block, tx, blockFive] = ['0xb4', '0xa1', '0xb5'].map((start) => start.padEnd(66, '0')) as [
  string,
  string,
  string,
]
/** The ABI form of one result, `(true, 0x2a)`, of a Multicall3 batch. */
const results = `0x${['20', '1', '20', '1', '40', '1'].map((word) => word.padStart(64, '0')).join('')}2a${'0'.repeat(62)}`
const multicall = `0x${'ca'.repeat(20)}`
const target = `0x${'11'.repeat(20)}`
/** `aggregate3` of one call with the data `0x01020304` that may fail. */
const batch = `0x82ad56cb${['20', '1', '20', target.slice(2), '1', '60', '4'].map((word) => word.padStart(64, '0')).join('')}01020304${'0'.repeat(56)}`
const called = (to: string, input: string) => `eth eth_call [{"input":"${input}","to":"${to}"},"latest"]`

const texts: Readonly<Record<string, string>> = {
  'eth eth_blockNumber []': '"0x5"',
  'eth eth_getBlockByNumber ["0x4",true]': `{"number":"0x4","hash":"${block}","transactions":[{"hash":"${tx}","chainId":"0x7a69"}]}`,
  'eth eth_getBlockByNumber ["0x5",false]': `{"number":"0x5","hash":"${blockFive}","transactions":[]}`,
  'eth eth_getBlockByNumber ["0x4",false]': `{"number":"0x4","hash":"${block}","transactions":["${tx}"]}`,
  'eth eth_getBlockReceipts ["0x4"]': `[{"transactionHash":"${tx}","status":"0x1"}]`,
  [called(multicall, batch)]: `"${results}"`,
  'comet genesis {}': '{"genesis":{}}',
}

function libraryOf(streams: Library['streams'] = new Map()): Library {
  const answers = Object.entries(texts).map(([key, text]): [string, readonly HeldAnswer[]] => [
    key,
    [{ since: 0, answer: { ok: true, text }, count: 1 }],
  ])
  const heads = [4, 5].map((height) => ({ height, at: height * 100 }))
  return { startsAt: 0, heads, answers: new Map(answers), writes: [], asks: [], streams }
}

const everyHeight = [0, Infinity] as const

/** Returns the answer to a call with what the run used, and the answer of the recording that has no more than that. */
function twice(library: Library, key: string) {
  const player = createPlayer(library, { pace: 'mine' })
  const first = player.ask(key, 0)
  const { library: rest, removed } = pruned(library, { used: new Set(player.used()), heights: everyHeight })
  return { first, again: createPlayer(rest, { pace: 'mine' }).ask(key, 0), used: player.used(), removed }
}

const survives = test.macro({
  title: (_, key: string) => `the derived answer to ${key.split(' ')[1]} survives pruning to the calls used`,
  exec: (t, key: string, text: string) => {
    const { first, again, removed } = twice(libraryOf(), key)
    t.deepEqual(first, { ok: true, text })
    t.deepEqual(again, first)
    t.true(removed.length > 0, 'something else is not used')
  },
})

test(survives, `eth eth_getTransactionByHash ["${tx}"]`, `{"hash":"${tx}","chainId":"0x7a69"}`)
test(survives, `eth eth_getTransactionReceipt ["${tx}"]`, `{"transactionHash":"${tx}","status":"0x1"}`)
test(survives, `eth eth_getBlockByHash ["${blockFive}",false]`, texts['eth eth_getBlockByNumber ["0x5",false]'] ?? '')
test(survives, 'eth eth_getBlockTransactionCountByNumber ["0x4"]', '"0x1"')
test(survives, 'eth eth_getBlockByNumber ["latest",true]', texts['eth eth_getBlockByNumber ["0x4",true]'] ?? '')
test(survives, called(target, '0x01020304'), '"0x2a"')
test(survives, 'eth eth_chainId []', '"0x7a69"')
test(survives, 'comet health {}', '{}')

test('the blocks of a subscription that was not recorded survive pruning, and others do not', (t) => {
  const key = 'eth eth_newBlockFilter []'
  const player = createPlayer(libraryOf())
  t.deepEqual(player.told(key, 0, 1000), [`"${blockFive}"`])
  const { library, removed } = pruned(libraryOf(), { used: new Set(player.used()), heights: everyHeight })
  t.deepEqual(createPlayer(library).told(key, 0, 1000), [`"${blockFive}"`])
  t.true(removed.includes('eth eth_getBlockByNumber ["0x4",true]'))
})

test('a subscription that was recorded whole needs no blocks', (t) => {
  const key = 'eth eth_newBlockFilter []'
  const player = createPlayer(libraryOf(new Map([[key, [{ at: 500, text: `"${blockFive}"` }]]])))
  t.deepEqual(player.told(key, 0, 1000), [`"${blockFive}"`])
  t.deepEqual(player.used(), [key])
})

test('a recorded call about the head needs no blocks', (t) => {
  const player = createPlayer(libraryOf(), { pace: 'mine' })
  t.deepEqual(player.ask('eth eth_blockNumber []', 0), { ok: true, text: '"0x4"' })
  t.deepEqual(player.used(), ['eth eth_blockNumber []'])
})

test('of calls that rules make equal, the recorded one is used', (t) => {
  const library = withIgnored(libraryOf(), { eth_call: ['params[0].input'] })
  const player = createPlayer(library, { pace: 'mine' })
  const answers = ['0x01', '0x02'].map((input) => player.ask(called(multicall, input), 0))
  t.true(answers.every((answer) => answer?.ok))
  t.deepEqual(player.used(), [called(multicall, batch)])
})

test('of the calls with derived answers the first ones are listed, and the recorded ones all', (t) => {
  const player = createPlayer(libraryOf(), { pace: 'mine' })
  for (let index = 0; index < 10_050; index++) {
    player.ask(`eth eth_getTransactionByBlockNumberAndIndex ["0x4","0x${index.toString(16)}"]`, 0)
  }
  player.ask('eth eth_blockNumber []', 0)
  const used = player.used()
  t.is(used.length, 10_002)
  t.true(used.includes('eth eth_blockNumber []') && used.includes('eth eth_getBlockByNumber ["0x4",true]'))
  t.is(player.moreUsed(), 50)
})
