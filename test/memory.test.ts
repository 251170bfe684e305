/** What stays in memory of blocks that nobody looks at, after garbage is collected. */
import test from 'ava'
import { minedBlocks } from './helpers/minedBlocksReport.ts'

test('an empty block leaves at most four kilobytes in memory', async (t) => {
  t.timeout(180_000)
  // The newest blocks are objects, so they are there before and after.
  const { before, after, height } = await minedBlocks({ first: 500, more: 1500 })
  t.log(`${Math.round((after - before) / 1500)} bytes a block`)
  t.is(height, 2001)
  t.true(after - before < 1500 * 4000)
})
