import test from 'ava'
import fc from 'fast-check'
import { emptyMempool, type Mempool } from '../../src/chain/mempool.ts'
import { cached, forget, remember, remembers } from '../../src/chain/mempoolCache.ts'
import { mapEntries } from '../../src/data/persistentMap.ts'

const seen = fc.array(fc.record({ key: fc.constantFrom(...'abcdefgh'), isKept: fc.boolean() }), { maxLength: 24 })

/** A cache of a few keys as a list: the oldest first. */
function modelled(keys: readonly string[], size: number, { key, isKept }: { key: string; isKept: boolean }): string[] {
  const others = keys.filter((one) => one !== key)
  return isKept ? [...others, key].slice(-size) : others
}

function keysOf({ cache, cacheOrder }: Mempool): readonly string[] {
  const keys = [...mapEntries(cacheOrder)].map(([, key]) => key)
  if (keys.toSorted().join() !== [...mapEntries(cache)].map(([key]) => key).join()) throw new Error('two orders differ')
  return keys
}

test('transactions of a block are seen as if they came one after the other, and the oldest leave', (t) => {
  fc.assert(
    fc.property(seen, seen, fc.integer({ min: 1, max: 6 }), (before, after, cacheSize) => {
      let expected: string[] = []
      for (const one of [...before, ...after]) expected = modelled(expected, cacheSize, one)
      const all = cached({ cacheSize }, cached({ cacheSize }, emptyMempool, before), after)
      t.deepEqual(keysOf(all), expected)
      const one = [...before, ...after].reduce(
        (mempool, { key, isKept }) => (isKept ? remember({ cacheSize }, mempool, key) : forget(mempool, key)),
        emptyMempool,
      )
      t.deepEqual(keysOf(one), expected)
      t.is(one.nextSeq, all.nextSeq)
      t.true(expected.every((key) => remembers(all, key)))
    }),
  )
})

test('a cache of no size keeps nothing', (t) => {
  t.is(remember({ cacheSize: 0 }, emptyMempool, 'a'), emptyMempool)
})
