/** A playback answers by what the recorded chain knew at that moment, however clients are paced. */
import test from 'ava'
import { privateKeyToAccount } from 'viem/accounts'
import { createPlayer, type PlayerOptions } from '../../../src/recording/playback/player.ts'
import { answersAt, askUntil, keyOf, libraryOfTap, type Exchange } from '../../helpers/tap.ts'

const alice = privateKeyToAccount(`0x${'11'.repeat(32)}`)
const bob = `0x${'b0'.repeat(20)}`
const raw = (nonce: number) =>
  alice.signTransaction({
    chainId: 9001,
    to: '0x00000000000000000000000000000000000000ff',
    nonce,
    gas: 21_000n,
    maxFeePerGas: 2n,
    maxPriorityFeePerGas: 1n,
  })

const eth = (t: number, method: string, params: unknown, result: string): Exchange => ({ t, method, params, result })
const comet = (t: number, method: string, params: unknown, result: string): Exchange => ({
  t,
  side: 'comet',
  method,
  params,
  result,
})

const head = (t: number, height: number) => eth(t, 'eth_blockNumber', [], `"0x${height.toString(16)}"`)
const balance = (t: number, of: string, wei: number) =>
  eth(t, 'eth_getBalance', [of, 'latest'], `"0x${wei.toString(16)}"`)
const count = (t: number, block: 'latest' | 'pending', nonce: number) =>
  eth(t, 'eth_getTransactionCount', [alice.address, block], `"0x${nonce.toString(16)}"`)
const hash = `0x${'0a'.repeat(32)}`
const receipt = (t: number, height: number, from = alice.address) =>
  eth(
    t,
    'eth_getTransactionReceipt',
    [hash],
    JSON.stringify({ transactionHash: hash, blockNumber: `0x${height.toString(16)}`, from }),
  )

const account = 'cosmos1qyqszqgpqyqszqgpqyqszqgpqyqszqgpjnp7du'
const query = { path: '/account', data: Buffer.from(`\n-${account}`).toString('hex') }
const sequence = (t: number, value: number, height: number) =>
  comet(t, 'abci_query', query, `{"response":{"code":0,"value":"${value}","height":"${height}"}}`)
const broadcast = (t: number, tx: string, code: number) =>
  comet(t, 'broadcast_tx_sync', { tx: Buffer.from(tx).toString('base64') }, `{"code":${code},"hash":"AA"}`)

const holds = test.macro((t, exchanges: readonly Exchange[], asked: Exchange, at: number, expected?: string) => {
  t.is(answersAt(exchanges, asked, at), expected ?? asked.result)
})

const afterRefusal = [
  head(0, 4),
  sequence(10, 1, 4),
  broadcast(20, account, 0),
  head(500, 5),
  broadcast(900, 'no', 5),
  sequence(910, 2, 5),
]
test(
  'a rejected broadcast just before a query is not the cause of its answer',
  holds,
  afterRefusal,
  sequence(910, 2, 5),
  899,
)
test('a sequence changes with the block, not with the broadcast', holds, afterRefusal, sequence(10, 1, 4), 460)

const inBetween = [
  head(0, 4),
  balance(10, bob, 1),
  head(200, 5),
  eth(300, 'eth_sendRawTransaction', ['0x02'], `"${hash}"`),
  balance(350, bob, 2),
  head(600, 6),
  receipt(610, 6, bob as never),
  balance(620, bob, 3),
]
test(
  'state read between broadcast and inclusion belongs to the block before',
  holds,
  inBetween,
  balance(350, bob, 2),
  210,
)
test('what a transaction changes is seen with its block', holds, inBetween, balance(620, bob, 3), 600)
test('what a transaction changes is not seen before its block', holds, inBetween, balance(350, bob, 2), 500)

const otherBlock = [
  head(0, 4),
  balance(10, bob, 1),
  head(200, 5),
  receipt(210, 5, bob as never),
  head(400, 6),
  head(600, 7),
  balance(700, bob, 2),
]
test(
  'the cause of a change is the block that holds the transaction, not the last one',
  holds,
  otherBlock,
  balance(700, bob, 2),
  250,
)

const atLast = [head(0, 4), balance(10, bob, 1), head(500, 5), balance(510, bob, 2)]
test('a client that is a little faster sees no older value', holds, atLast, balance(510, bob, 2), 498)
test('a head is known a little before it was first seen', holds, atLast, head(500, 5), 499)

test('pending and latest counts agree with transactions and receipts', async (t) => {
  const exchanges = [
    head(0, 4),
    count(5, 'latest', 0),
    count(6, 'pending', 0),
    eth(20, 'eth_sendRawTransaction', [await raw(0)], `"${hash}"`),
    head(500, 5),
    receipt(505, 5),
    head(900, 6),
    count(2000, 'latest', 1),
    count(2001, 'pending', 1),
  ]
  t.is(answersAt(exchanges, count(0, 'pending', 0), 19), '"0x0"')
  t.is(answersAt(exchanges, count(0, 'pending', 0), 30), '"0x1"')
  t.is(answersAt(exchanges, count(0, 'latest', 0), 30), '"0x0"')
  t.is(answersAt(exchanges, count(0, 'latest', 0), 510), '"0x1"')
})

test('a transaction that the node signs or waits for counts by its nonce and its receipt', async (t) => {
  const sync = eth(
    20,
    'eth_sendRawTransactionSync',
    [await raw(0)],
    JSON.stringify({ transactionHash: hash, blockNumber: '0x5', from: alice.address }),
  )
  const second = `0x${'0b'.repeat(32)}`
  const byNode = eth(700, 'eth_sendTransaction', [{ from: alice.address, nonce: '0x1' }], `"${second}"`)
  const ofSecond = { transactionHash: second, blockNumber: '0x6', from: alice.address }
  const exchanges = [
    head(0, 4),
    count(5, 'latest', 0),
    count(6, 'pending', 0),
    { ...sync, ms: 490 },
    head(515, 5),
    byNode,
    head(900, 6),
    eth(905, 'eth_getTransactionReceipt', [second], JSON.stringify(ofSecond)),
    count(2000, 'latest', 2),
    count(2001, 'pending', 2),
  ]
  t.is(answersAt(exchanges, count(0, 'pending', 0), 30), '"0x1"')
  t.is(answersAt(exchanges, count(0, 'latest', 0), 600), '"0x1"')
  t.is(answersAt(exchanges, count(0, 'pending', 0), 710), '"0x2"')
})

/** What a dApp reads and sends: before, between broadcast and inclusion, and after. */
const session = (tx: string) => [
  head(0, 4),
  balance(5, bob, 1),
  count(1900, 'pending', 0),
  eth(2000, 'eth_sendRawTransaction', [tx], `"${hash}"`),
  count(2050, 'pending', 1),
  count(2060, 'latest', 0),
  balance(2070, bob, 1),
  head(2100, 5),
  head(4000, 6),
  receipt(4010, 6),
  count(4020, 'latest', 1),
  balance(6000, bob, 2),
  head(6001, 8),
]

const paced = test.macro(async (t, options: Partial<PlayerOptions>, shiftMs: number) => {
  const exchanges = session(await raw(0))
  const player = createPlayer(libraryOfTap(exchanges), options)
  let late = 0
  for (const one of exchanges.filter(({ method }) => method !== 'eth_blockNumber')) {
    const { answer, at } = askUntil(player, keyOf(one), Math.max(0, one.t + late + shiftMs))
    late = Math.max(0, at - one.t - shiftMs)
    t.deepEqual(answer, { ok: true, text: one.result }, `${one.method} at ${one.t}`)
  }
})

for (const scale of [0.5, 1, 4, 10]) {
  test(`a client reads what it read when the recording plays at ${scale} times the speed`, paced, { scale }, 0)
  test(`a client that is 1 ms faster reads the same at ${scale} times the speed`, paced, { scale }, -1)
}

// Blocks 4 and 5 were read on Ethereum JSON-RPC; of block 6 only CometBFT RPC told.
const blockOf = (t: number, height: number) =>
  eth(
    t,
    'eth_getBlockByNumber',
    [`0x${height.toString(16)}`, false],
    `{"number":"0x${height.toString(16)}","transactions":[]}`,
  )
const toldAside = [
  head(0, 4),
  blockOf(5, 4),
  head(400, 5),
  blockOf(405, 5),
  comet(800, 'status', {}, '{"sync_info":{"latest_block_height":"6"}}'),
  head(1300, 7),
]
test(
  'a head whose block nobody read there is not told on Ethereum JSON-RPC',
  holds,
  toldAside,
  head(900, 6),
  900,
  '"0x5"',
)
test('a head whose block was read is told as soon as it was made', holds, toldAside, head(399, 5), 399)
