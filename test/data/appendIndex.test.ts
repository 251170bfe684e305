import test from 'ava'
import fc from 'fast-check'
import {
  type AppendIndex,
  appendNumber,
  emptyIndex,
  newestKeysOf,
  numbersOf,
  numbersOfAny,
  numbersOfName,
  sealIndex,
  truncatedIndex,
  withOld,
} from '../../src/data/appendIndex.ts'

const names = ['a', 'b', 'c', 'a\0x', 'a\0y']
type Model = [number: number, keys: string[]][]

const modelBelow = (model: Model, limit: number): Model => model.filter(([number]) => number < limit)

/** Moves the numbers below `to` to runs, and keeps the others. */
function withSomeOld(index: AppendIndex, model: Model, to: number): AppendIndex {
  if (to <= index.old.end) return index
  const keysByNumber = new Map(model)
  const keys = (number: number) => keysByNumber.get(number) ?? []
  const numbers = modelBelow(model, to)
    .map(([number]) => number)
    .filter((number) => number >= index.old.end)
  const later = model.map(([number]) => number).filter((number) => number >= to)
  return later.reduce(
    (before, number) => appendNumber(before, number, keys),
    withOld(index, numbers, { to, keys, levelMost: 2 }),
  )
}

test('every version of every fork reads like a plain copy', (t) => {
  const someKeys = fc.array(fc.constantFrom(...names), { maxLength: 3 })
  const step = fc.record({
    which: fc.nat(),
    gap: fc.nat(2),
    keys: someKeys,
    change: fc.nat(11),
    isSealed: fc.boolean(),
  })
  const bound = fc.nat(30)
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80 }), bound, bound, (steps, from, to) => {
      const kept: [AppendIndex, Model][] = [[emptyIndex(), []]]
      for (const { which, gap, keys, change, isSealed } of steps) {
        // Mostly the newest version, so that forks get long and deep.
        const from = which % 3 === 0 ? which % kept.length : kept.length - 1
        const [index, model] = kept[from] ?? [emptyIndex(), []]
        const number = index.limit + gap
        if (isSealed) sealIndex(index)
        if (change === 0)
          kept.push([truncatedIndex(index, which % (index.limit + 1)), modelBelow(model, which % (index.limit + 1))])
        else if (change < 4) kept.push([withSomeOld(index, model, index.limit + gap - change), model])
        else
          kept.push([
            appendNumber(index, Math.max(number, index.old.end), () => keys),
            [...model, [Math.max(number, index.old.end), keys]],
          ])
      }
      for (const [index, model] of kept) {
        for (const name of names) {
          const expected = model.filter(([, keys]) => keys.includes(name)).map(([number]) => number)
          t.deepEqual(numbersOf(index, name), expected)
          const inside = expected.filter((n) => n >= from && n < to)
          t.deepEqual(numbersOf(index, name, { from, to }), inside)
        }
        const either = model.filter(([n, keys]) => n >= from && n < to && (keys.includes('b') || keys.includes('a\0x')))
        t.deepEqual(
          numbersOfAny(index, ['b', 'a\0x'], { from, to }),
          either.map(([number]) => number),
        )
        const fits = (key: string) => key !== 'a\0y'
        const newest = newestKeysOf(index, 'a').flat().filter(fits)
        t.deepEqual(
          numbersOfName(index, { name: 'a', fits, newest }, { from, to }),
          numbersOf(index, 'a\0x', { from, to }),
        )
        t.true(newestKeysOf(index, 'a').every((list) => new Set(list).size === list.length))
      }
    }),
    { seed: 1, numRuns: 150 },
  )
})

test('many forks on top of each other stay shallow', (t) => {
  let index = emptyIndex()
  for (let i = 0; i < 100; i++) {
    const next = appendNumber(index, i, () => ['a'])
    appendNumber(next, i + 1, () => ['a'])
    index = next
    t.true(index.layer.depth <= 9)
  }
  t.deepEqual(
    numbersOf(index, 'a'),
    Array.from({ length: 100 }, (_, i) => i),
  )
})

test('forking a deep version twice merges its layers once', (t) => {
  let index = emptyIndex()
  while (index.layer.depth < 8) {
    index = appendNumber(index, index.limit, () => ['a'])
    appendNumber(index, index.limit, () => ['b'])
  }
  const fork = () => appendNumber(index, index.limit, () => ['c']).layer.below
  appendNumber(index, index.limit, () => ['b'])
  t.is(fork(), fork())
  t.is(fork()?.layer.depth, 0)
})

test('a number that is not above the earlier ones is a mistake', (t) => {
  const index = appendNumber(emptyIndex(), 5, () => [])
  t.throws(() => appendNumber(index, 5, () => ['a']), { code: 'ASSERTION_FAILED' })
})
