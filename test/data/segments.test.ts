import test from 'ava'
import fc from 'fast-check'
import { heldOf } from '../../src/data/closedChunks.ts'
import {
  append,
  closeBefore,
  closeInside,
  type Form,
  emptySegments,
  itemAt,
  withoutFirst,
  items,
  seal,
  type Segments,
} from '../../src/data/segments.ts'

test('every version of every fork reads like a plain copy', (t) => {
  // Each step takes an earlier version and appends a run to it; runs pass chunk borders.
  const step = fc.tuple(fc.nat(), fc.oneof(fc.nat(3), fc.constantFrom(120, 128, 129)))
  fc.assert(
    fc.property(fc.array(step, { maxLength: 14 }), (steps) => {
      const kept: [Segments<number>, number[]][] = [[emptySegments(), []]]
      let next = 0
      for (const [which, count] of steps) {
        let [list, model] = kept[which % kept.length] ?? [emptySegments<number>(), []]
        if (count % 2 === 0) seal(list)
        for (let i = 0; i < count; i++) {
          list = append(list, next)
          if (i === 0) model = [...model, next]
          else model.push(next)
          next++
          closeBefore(list, which % 200)
        }
        kept.push([list, model])
      }
      for (const [list, model] of kept) t.deepEqual([...items(list)], model)
    }),
    { seed: 1, numRuns: 60 },
  )
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

test('what is appended to a sealed list is not in its storage, and goes on closing chunks as before', (t) => {
  const firstsOf = (sealEvery: number) => {
    const firsts: number[] = []
    let list = emptySegments<number>()
    for (let i = 0; i < 900; i++) {
      if (i % sealEvery === sealEvery - 1) seal(list)
      list = append(list, i)
      closeBefore(list, 128, (first) => {
        firsts.push(first)
        return { plain: (item) => item, chunksMost: 2 }
      })
    }
    t.deepEqual([...items(list)], [...Array(900).keys()])
    return firsts
  }
  t.deepEqual(firstsOf(10), firstsOf(Infinity))
  const kept = append(append(emptySegments<string>(), 'a'), 'b')
  seal(kept)
  const [one, other] = [append(kept, 'c'), append(kept, 'd')]
  t.deepEqual(kept.storage.chunks, [['a', 'b']])
  t.deepEqual(
    [[...items(one)], [...items(other)]],
    [
      ['a', 'b', 'c'],
      ['a', 'b', 'd'],
    ],
  )
  t.is(append(one, 'e').storage, one.storage)
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

test('a chunk that is closed reads the same, also from lists of its items', (t) => {
  type Block = { readonly height: number; readonly results: { readonly events: readonly string[] } }
  const blocks = Array.from({ length: 600 }, (_, height): Block => ({ height, results: { events: [`e${height}`] } }))
  let [whole, events] = [emptySegments<Block>(), emptySegments<readonly string[]>()]
  for (const block of blocks) {
    whole = append(whole, block)
    events = append(events, block.results.events)
    closeBefore(whole, 100)
    closeInside(events, 100, { whole, path: ['results', 'events'] })
  }
  const isOpen = [false, false, false, true, true]
  t.deepEqual(whole.storage.chunks.map(Array.isArray), isOpen)
  t.deepEqual(events.storage.chunks.map(Array.isArray), isOpen)
  t.deepEqual([...items(whole)], blocks)
  t.deepEqual(
    [...items(events)],
    blocks.map(({ results }) => results.events),
  )
  const [ofWhole, ofEvents] = [whole, events].map((list) => [...heldOf<unknown>(list)].at(-1))
  t.truthy(ofWhole)
  t.is(ofWhole, ofEvents)
})

test('items that stay objects are the same ones after their chunk is closed', (t) => {
  const kept: object[] = Array.from({ length: 128 }, () => ({ work: () => 1 }))
  let list = emptySegments<object>()
  for (const one of kept) {
    list = append(list, one)
    closeBefore(list, 0, () => ({ plain: (item) => item, isKept: (value) => kept.includes(value) }))
  }
  t.false(Array.isArray(list.storage.chunks[0]))
  t.deepEqual([...items(list)], kept)
  t.true([...items(list)].every((one, index) => one === kept[index]))
})

test('a closed chunk takes a fraction of the bytes of its items', (t) => {
  const block = (height: number) => ({ height, text: `block ${height} of a chain whose blocks look alike` })
  let list = emptySegments<ReturnType<typeof block>>()
  for (let height = 0; height < 300; height++) {
    list = append(list, block(height))
    closeBefore(list, 10)
  }
  const bytes = [...heldOf(list)].at(-1)?.bytes as Uint8Array
  const plainLength = Array.from({ length: 128 }, (_, height) => JSON.stringify(block(height))).join('').length
  t.true(bytes.length < plainLength / 10)
  t.is(bytes.buffer.byteLength, bytes.length)
  t.deepEqual(itemAt(list, 77), block(77))
})

test('a chunk that continues the one before it keeps that one in memory, and a copy of its part starts over', (t) => {
  // Each item is held as its difference to the item before it.
  const differences = (): Form<number> => {
    let last = 0
    const plain = (item: number) => {
      const difference = item - last
      last = item
      return difference
    }
    return { plain, chunksMost: 2 }
  }
  const firsts: number[] = []
  let list = emptySegments<number>()
  for (let i = 0; i < 700; i++) {
    list = append(list, 3 * i)
    closeBefore(list, 0, (first) => {
      firsts.push(first)
      return differences()
    })
  }
  // Chunks 0 and 1, 2 and 3, 4 and 5 have a form in common.
  t.deepEqual(firsts, [0, 256, 512])
  t.is(withoutFirst(list, 250).storage.gone, 0)
  t.is(withoutFirst(list, 300).storage.gone, 2)
  t.is(withoutFirst(list, 600).storage.gone, 4)
})
