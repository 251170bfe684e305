/** Events and answers of one connection come in playback in the order in which they were recorded. */
import test from 'ava'
import { importTap } from '../../../src/recording/playback/importTap.ts'
import { createPlayer } from '../../../src/recording/playback/player.ts'
import { cometNames } from '../../../src/shell/playback.ts'
import { keyOf } from '../../helpers/tap.ts'

type Line = { readonly t: number; readonly conn?: number; readonly sent?: object; readonly heard?: object }

const query = { query: "tm.event='NewBlock'" }
const newBlock = (height: number) => ({
  query: query.query,
  data: { type: 'tendermint/event/NewBlock', value: { block: { header: { height: String(height) } } } },
})
const hash = 'AB'.repeat(32)
const subscribe = { t: 10, sent: { id: 1, method: 'subscribe', params: query } }
const subscribed = { t: 11, heard: { id: 1, result: {} } }
const status = (height: number) => ({ sync_info: { latest_block_height: String(height) } })
/** Another client knows of a height. */
const known = (t: number, height: number) => [
  { t: t - 1, conn: 2, sent: { id: 5, method: 'status' } },
  { t, conn: 2, heard: { id: 5, result: status(height) } },
]
const poll = (t: number, id: number, result: object | undefined) => [
  { t: t - 1, sent: { id, method: 'tx', params: { hash } } },
  {
    t,
    heard: result === undefined ? { id, error: { code: -32603, message: 'x', data: 'not found' } } : { id, result },
  },
]
const found = { hash, height: '5', index: 0 }

function playing(lines: readonly Line[]) {
  const tap = lines.map(({ t, conn = 1, sent, heard }) => ({
    t,
    iface: 'a',
    kind: sent === undefined ? 'ws-out' : 'ws-in',
    conn,
    text: JSON.stringify({ jsonrpc: '2.0', ...(sent ?? heard) }),
  }))
  const text = [{ format: 'tap/1' }, ...tap].map((one) => JSON.stringify(one)).join('\n')
  const player = createPlayer(importTap(text, cometNames), { patienceMs: 0 })
  const stream = keyOf({ side: 'comet', method: 'subscribe', params: query })
  player.told(stream, 0, 0)
  player.ask(keyOf({ side: 'comet', method: 'status' }), 4)
  return {
    player,
    stream,
    /** Returns whether the transaction is found and how many blocks were told at a moment. */
    at: (ms: number) => {
      player.advance(ms)
      return {
        isFound: player.ask(keyOf({ side: 'comet', method: 'tx', params: { hash } }), ms)?.ok === true,
        told: player.told(stream, 11, player.cursor())?.length,
      }
    },
  }
}

test('an event that was late comes before an answer out of its block', (t) => {
  const node = playing([
    ...known(5, 4),
    subscribe,
    subscribed,
    ...poll(90, 2, undefined),
    ...known(180, 5),
    { t: 235, heard: { id: 1, result: newBlock(5) } },
    ...poll(240, 3, found),
  ])
  const seen = Array.from({ length: 250 }, (_, ms) => node.at(ms))
  t.false(seen[100]?.isFound)
  t.true(seen[230]?.isFound)
  t.true(seen.every(({ isFound, told }) => !isFound || told === 1))
})

test('an event that came after an answer out of its block does so again', (t) => {
  const node = playing([
    ...known(5, 4),
    subscribe,
    subscribed,
    ...known(180, 5),
    ...poll(200, 2, found),
    { t: 235, heard: { id: 1, result: newBlock(5) } },
  ])
  t.deepEqual(node.at(200), { isFound: true, told: 0 })
  t.is(node.at(240).told, 1)
})

test('a subscription hears of the block that was made shortly after it began', (t) => {
  const node = playing([
    ...known(5, 4),
    subscribe,
    subscribed,
    { t: 20, heard: { id: 1, result: newBlock(5) } },
    ...poll(100, 2, found),
  ])
  t.is(node.at(11).told, 0)
  t.is(node.at(20).told, 1)
})

test('an answer to a write that came after an event waits for it', (t) => {
  const write = { method: 'broadcast_tx_commit', params: { tx: 'AAAA' } }
  const node = playing([
    ...known(5, 4),
    subscribe,
    subscribed,
    { t: 100, sent: { id: 7, ...write } },
    { t: 300, heard: { id: 1, result: newBlock(5) } },
    { t: 301, heard: { id: 7, result: { check_tx: {}, tx_result: {}, hash, height: '5' } } },
  ])
  const asked = keyOf({ side: 'comet', ...write })
  t.is(node.player.ask(asked, 100), undefined)
  for (let ms = 101; ms < 400; ms++) {
    const answer = node.player.ask(asked, ms)
    if (answer === undefined) continue
    t.is(node.player.told(node.stream, 11, node.player.cursor())?.length, 1)
    return
  }
  t.fail('no answer')
})
