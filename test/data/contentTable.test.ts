/** The table that finds repeated parts of a byte array, against a plain Map of their content. */
import test from 'ava'
import fc from 'fast-check'
import { contentTable, sameContent } from '../../src/data/contentTable.ts'

test('a range is found again by its content, however many there are', (t) => {
  const parts = fc.array(fc.uint8Array({ maxLength: 2 }), { minLength: 1, maxLength: 4000 })
  fc.assert(
    fc.property(parts, (ranges) => {
      const table = contentTable()
      const model = new Map<string, number>()
      const bytes = Uint8Array.from(ranges.flatMap((range) => [...range]))
      let start = 0
      for (const [value, range] of ranges.entries()) {
        const end = start + range.length
        const content = range.join()
        t.is(sameContent(table, bytes, { start, end, value }), model.get(content))
        if (!model.has(content)) model.set(content, value)
        start = end
      }
    }),
    { seed: 3, numRuns: 5 },
  )
  const table = contentTable()
  const many = new Uint8Array(8000).map((_, at) => (at % 2 === 0 ? at >> 9 : at >> 1))
  const find = (index: number) => sameContent(table, many, { start: 2 * index, end: 2 * index + 2, value: index })
  for (let index = 0; index < 4000; index++) t.is(find(index), undefined)
  for (let index = 0; index < 4000; index++) t.is(find(index), index)
})
