import test from 'ava'
import fc from 'fast-check'
import {
  emptyMap,
  mapChanged,
  mapDelete,
  mapEntries,
  mapGet,
  mapHas,
  mapSet,
  mapSize,
  type PersistentMap,
} from '../../src/data/persistentMap.ts'
import type { SortedTree } from '../../src/data/sortedTree.ts'

const key = fc.string({ maxLength: 2, unit: fc.constantFrom('a', 'b', 'ü', 'ÿ', 'Z') })
const operation = fc.tuple(key, fc.option(fc.nat(9), { nil: undefined }))

test('several changes at once are as one after the other', (t) => {
  const changes = fc.array(operation, { maxLength: 30 })
  fc.assert(
    fc.property(changes, changes, (first, second) => {
      const before = mapChanged<number>(emptyMap, new Map(first))
      const after = mapChanged(before, new Map(second))
      let expected = before
      for (const [name, value] of new Map(second)) {
        expected = value === undefined ? mapDelete(expected, name) : mapSet(expected, name, value)
      }
      t.deepEqual([...mapEntries(after)], [...mapEntries(expected)])
      t.is(mapSize(after), mapSize(expected))
      t.true(isBalanced(after.root))
    }),
  )
})

test('every version reads like a sorted Map of its own', (t) => {
  fc.assert(
    fc.property(fc.array(operation, { maxLength: 60 }), (operations) => {
      let map: PersistentMap<number> = emptyMap
      let model = new Map<string, number>()
      const kept: [typeof map, typeof model][] = []
      for (const [name, value] of operations) {
        map = value === undefined ? mapDelete(map, name) : mapSet(map, name, value)
        model = new Map(model)
        if (value === undefined) model.delete(name)
        else model.set(name, value)
        kept.push([map, model])
      }
      for (const [old, expected] of kept) {
        t.deepEqual(
          [...mapEntries(old)],
          [...expected].sort(([a], [b]) => (a < b ? -1 : 1)),
        )
        t.is(mapSize(old), expected.size)
        t.true(isBalanced(old.root))
        for (const [name, value] of expected) t.is(mapGet(old, name), value)
      }
    }),
    { seed: 1, numRuns: 200 },
  )
})

function isBalanced(node: SortedTree<string, number> | undefined): boolean {
  if (node === undefined) return true
  const { left, right } = node
  const balance = (left?.height ?? 0) - (right?.height ?? 0)
  return Math.abs(balance) <= 1 && isBalanced(left) && isBalanced(right)
}

test('a range has its start, not its end, in both directions', (t) => {
  fc.assert(
    fc.property(fc.array(key), key, key, (keys, start, end) => {
      const map = keys.reduce<PersistentMap<number>>((sum, name) => mapSet(sum, name, 1), emptyMap)
      const inside = [...new Set(keys)].filter((name) => name >= start && name < end).sort((a, b) => (a < b ? -1 : 1))
      const read = (reverse: boolean) => [...mapEntries(map, { start, end, reverse })].map(([name]) => name)
      t.deepEqual(read(false), inside)
      t.deepEqual(read(true), inside.reverse())
    }),
    { seed: 2, numRuns: 300 },
  )
})

test('an undefined value is there, and deleting what is not there gives the same map', (t) => {
  const map = mapSet(emptyMap as PersistentMap<undefined>, 'a', undefined)
  t.true(mapHas(map, 'a'))
  t.false(mapHas(map, 'b'))
  t.is(mapDelete(map, 'b'), map)
})
