import test from 'ava'
import fc from 'fast-check'
import {
  append, emptySegments, itemAt, withoutFirst, items, type Segments,
} from '../../src/data/segments.ts'

test('every version of every fork reads like a plain copy', (t) => {
  // Each step takes an earlier version and appends a run to it; runs pass chunk borders.
  const step = fc.tuple(fc.nat(), fc.oneof(fc.nat(3), fc.constantFrom(120, 128, 129)))
  fc.assert(fc.property(fc.array(step, { maxLength: 14 }), (steps) => {
    const kept: [Segments<number>, number[]][] = [[emptySegments(), []]]
    let next = 0
    for (const [which, count] of steps) {
      let [list, model] = kept[which % kept.length] ?? [emptySegments<number>(), []]
      for (let i = 0; i < count; i++) {
        list = append(list, next)
        model = i === 0 ? [...model, next] : (model.push(next), model)
        next++
      }
      kept.push([list, model])
    }
    for (const [list, model] of kept) t.deepEqual([...items(list)], model)
  }), { seed: 1, numRuns: 60 })
})

test('a slice is cut to the list, and an index outside is a mistake', (t) => {
  let list = emptySegments<string>()
  for (const item of ['a', 'b', 'c']) list = append(list, item)
  t.deepEqual([...items(list, 1)], ['b', 'c'])
  t.deepEqual([...items(list, -5, 2)], ['a', 'b'])
  t.deepEqual([...items(list, 2, 99)], ['c'])
  t.is(itemAt(list, 2), 'c')
  for (const index of [-1, 3]) t.throws(() => itemAt(list, index), { code: 'ASSERTION_FAILED' })
})

test('an older version does not see what was appended later', (t) => {
  const older = append(emptySegments<number>(), 1)
  append(older, 2)
  t.is(older.length, 1)
  t.throws(() => itemAt(older, 1), { code: 'ASSERTION_FAILED' })
})

test('a fork shares full chunks', (t) => {
  let list = emptySegments<number>()
  for (let i = 0; i < 1000; i++) list = append(list, i)
  const older = list
  append(list, -1)
  const fork = append(older, -2)
  t.not(fork.storage, older.storage)
  t.is(fork.storage.chunks[0], older.storage.chunks[0])
  t.not(fork.storage.chunks[7], older.storage.chunks[7])
})

test('a list without its first items keeps the others where they were, and older versions keep all', (t) => {
  let list = emptySegments<number>()
  for (let i = 0; i < 1000; i++) list = append(list, i)
  const shorter = withoutFirst(list, 900)
  t.is(shorter.storage.chunks.flat().length, 1000 - 896)
  t.is(itemAt(append(shorter, 1000), 1000), 1000)
  t.is(itemAt(append(list, -1), 1000), -1)
  t.is(itemAt(list, 0), 0)
  t.is(withoutFirst(shorter, 10), shorter)
})
