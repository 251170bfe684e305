/** What a long chain takes of memory. */
import test from 'ava'
import { minedBlocks } from './helpers/minedBlocksReport.ts'

const megabyte = 1_000_000

test('100,000 empty blocks fit into 350 MB', async (t) => {
  t.timeout(1_500_000)
  const { after, height } = await minedBlocks({ first: 500, more: 99_500, heapMegabytes: 350 })
  t.log(`${Math.round(after / megabyte)} MB are in use`)
  t.is(height, 100_001)
  t.true(after < 350 * megabyte)
})

test('a chain that keeps its newest 300 blocks uses as much memory after 8,000 blocks as after 3,000', async (t) => {
  t.timeout(600_000)
  const { before, after, height } = await minedBlocks({ first: 3000, more: 5000, keeps: 300 })
  t.log(`${(before / megabyte).toFixed(1)} MB, then ${(after / megabyte).toFixed(1)} MB are in use`)
  t.is(height, 8001)
  t.true(after - before < 5 * megabyte)
})
