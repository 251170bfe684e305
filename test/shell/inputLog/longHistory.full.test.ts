/** What a long chain leaves in memory when its old blocks and indexes are in files. */
import test from 'ava'
import { longHistory } from '../../helpers/longHistoryReport.ts'

test('a kept block leaves less than 100 bytes in memory and less than 4 in snapshots, and is found', async (t) => {
  t.timeout(300_000)
  const [before, after] = await longHistory([10_000, 30_000], { heapMegabytes: 100 })
  if (before === undefined || after === undefined) return t.fail('expected two reports')
  const blocks = after.length - before.length
  const [memory, snapshot] = [after.memoryBytes - before.memoryBytes, after.snapshotBytes - before.snapshotBytes]
  t.log(`${Math.round(memory / blocks)} bytes of memory and ${(snapshot / blocks).toFixed(1)} of snapshots a block`)
  t.true(memory < 100 * blocks)
  t.true(snapshot < 4 * blocks)
  t.is(after.found?.count, after.found?.of ?? 1)
})
