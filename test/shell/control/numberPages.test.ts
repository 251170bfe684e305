import test from 'ava'
import { appendNumber, emptyIndex } from '../../../src/data/appendIndex.ts'
import { pageOfNumbers } from '../../../src/shell/control/numberPages.ts'

/** Numbers 0 to 1999; every third has key `a`, every fifth `b`. */
const index = Array.from({ length: 2000 }).reduce<ReturnType<typeof emptyIndex>>(
  (made, _, number) =>
    appendNumber(made, number, () => [...(number % 3 === 0 ? ['a'] : []), ...(number % 5 === 0 ? ['b'] : [])]),
  emptyIndex(),
)
const newest = { before: Number.MAX_SAFE_INTEGER, from: undefined }

test('a page holds the newest numbers below a limit, newest first', (t) => {
  const search = { index, groups: [['a']], first: 0 }
  t.deepEqual(pageOfNumbers(search, { ...newest, limit: 3 }), [1998, 1995, 1992])
  t.deepEqual(pageOfNumbers(search, { before: 1992, from: undefined, limit: 2 }), [1989, 1986])
  t.deepEqual(pageOfNumbers(search, { before: 4, from: undefined, limit: 9 }), [3, 0])
})

test('a page holds the oldest numbers from a start on, newest first', (t) => {
  const search = { index, groups: [['a']], first: 0 }
  t.deepEqual(pageOfNumbers(search, { before: 0, from: 0, limit: 3 }), [6, 3, 0])
  t.deepEqual(pageOfNumbers(search, { before: 0, from: 1990, limit: 9 }), [1998, 1995, 1992])
  t.deepEqual(pageOfNumbers({ ...search, first: 100 }, { before: 0, from: 0, limit: 2 }), [105, 102])
})

test('numbers have a key of every group, also when they are far apart', (t) => {
  const search = { index, groups: [['a'], ['b', 'c']], first: 0 }
  t.deepEqual(pageOfNumbers(search, { ...newest, limit: 2 }), [1995, 1980])
  t.deepEqual(pageOfNumbers(search, { before: 0, from: 1, limit: 2 }), [30, 15])
  t.is(pageOfNumbers(search, { ...newest, limit: 5000 }).length, 134)
  t.deepEqual(pageOfNumbers({ index, groups: [['a'], []], first: 0 }, { ...newest, limit: 2 }), [])
})
