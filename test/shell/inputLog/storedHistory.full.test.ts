/** Every moment at which the power may fail while old blocks leave memory. */
import test from 'ava'
import { assertKept } from '../../helpers/keptHistory.ts'
import { drawFrom } from '../../helpers/randomTx.ts'

test('a power failure at any moment leaves a chain whose old blocks are all there', async (t) => {
  const ends = new Set<number>()
  for (let crashAt = 3; crashAt < 210; crashAt += 3) {
    ends.add(await assertKept(t, crashAt, { crashAt, shortWrites: 4 }))
  }
  t.deepEqual([...ends].toSorted(), [0, 1, 2, 3])
})

test('after a sync that failed, and on a full disk, no snapshot refers to what a power failure takes', async (t) => {
  for (let seed = 0; seed < 40; seed++) {
    const draw = drawFrom(seed)
    const faults = seed % 2 === 0 ? { failedSyncs: 2 + draw(8) } : { capacity: 30_000 + draw(200_000) }
    await assertKept(t, seed, { ...faults, shortWrites: 4 })
  }
})
