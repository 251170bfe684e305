/** A stream that was recorded for part of the time has the events of every block. */
import test from 'ava'
import { createPlayer } from '../../../src/recording/playback/player.ts'
import type { Library, StreamEvent } from '../../../src/recording/playback/library.ts'

const newHeads = 'eth eth_subscribe ["newHeads"]'
const blockFilter = 'eth eth_newBlockFilter []'
const pendingFilter = 'eth eth_newPendingTransactionFilter []'

const tagOf = (height: number) => `"0x${height.toString(16)}"`
const hashOf = (height: number) => `"0xb${height}"`
const headOf = (height: number) => `{"number":${tagOf(height)},"hash":${hashOf(height)}}`
const blockOf = (height: number) => `{"number":${tagOf(height)},"hash":${hashOf(height)},"transactions":[]}`

/** Heights 1 to 6 were made at 100, 200, … ms; `blocks` were recorded. */
function libraryOf(streams: Readonly<Record<string, readonly StreamEvent[]>>, blocks = [1, 2, 3, 4, 5, 6]): Library {
  const answers = blocks.map((height) => {
    const key = `eth eth_getBlockByNumber [${tagOf(height)},false]`
    const answer = { ok: true, text: blockOf(height) } as const
    return [key, [{ since: height * 100, answer, count: 1 }]] as const
  })
  return {
    startsAt: 0,
    heads: [1, 2, 3, 4, 5, 6].map((height) => ({ height, at: height * 100 })),
    answers: new Map(answers),
    writes: [],
    asks: [],
    streams: new Map(Object.entries(streams)),
  }
}

const has = test.macro((t, library: Library, key: string, expected: readonly string[] | undefined) => {
  t.deepEqual(createPlayer(library).told(key, 100, 600), expected)
})

test(
  'a late subscription, of which blocks before and after are known',
  has,
  libraryOf({ [newHeads]: [{ at: 310, text: '{"number":"0x3","recorded":true}' }] }),
  newHeads,
  [headOf(2), '{"number":"0x3","recorded":true}', headOf(4), headOf(5), headOf(6)],
)
test(
  'a filter that was removed before its first poll',
  has,
  libraryOf({ [blockFilter]: [] }),
  blockFilter,
  [2, 3, 4, 5, 6].map(hashOf),
)
test(
  'a filter with the hash of a block and of one that was replaced',
  has,
  libraryOf({
    [blockFilter]: [
      { at: 300, text: hashOf(3) },
      { at: 420, text: '"0xdead"' },
    ],
  }),
  blockFilter,
  [hashOf(2), hashOf(3), '"0xdead"', hashOf(4), hashOf(5), hashOf(6)],
)
test(
  'blocks that replaced others keep their order',
  has,
  libraryOf({
    [newHeads]: ['0x3', '0x4', '0x3', '0x4'].map((number, at) => ({ at: 401 + at, text: `{"number":"${number}"}` })),
  }),
  newHeads,
  [headOf(2), '{"number":"0x3"}', '{"number":"0x4"}', '{"number":"0x3"}', '{"number":"0x4"}', headOf(5), headOf(6)],
)
test(
  'a stream whose blocks were not recorded has the recorded events',
  has,
  libraryOf({ [newHeads]: [{ at: 310, text: headOf(3) }] }, [1, 2, 3]),
  newHeads,
  [headOf(3)],
)
test(
  'a stream that blocks do not reveal has the recorded events',
  has,
  libraryOf({ [pendingFilter]: [{ at: 310, text: '"0x0a"' }] }),
  pendingFilter,
  ['"0x0a"'],
)

test('an event that came after the next block delays the events of later blocks', (t) => {
  const player = createPlayer(libraryOf({ [newHeads]: [{ at: 450, text: headOf(3) }] }))
  t.deepEqual(player.told(newHeads, 100, 440), [headOf(2)])
  t.deepEqual(player.told(newHeads, 440, 499), [headOf(3), headOf(4)])
})
