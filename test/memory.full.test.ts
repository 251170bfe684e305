/** What a long chain takes of memory. */
import test from 'ava'
import { minedBlocks } from './helpers/minedBlocksReport.ts'

const megabyte = 1_000_000

test('24,000 empty blocks fit into 200 MB', async (t) => {
  t.timeout(900_000)
  const { after, height } = await minedBlocks({ first: 500, more: 23_500, heapMegabytes: 150 })
  t.log(`${Math.round(after / megabyte)} MB are in use`)
  t.is(height, 24_001)
  t.true(after < 200 * megabyte)
})
