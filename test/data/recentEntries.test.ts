import test from 'ava'
import fc from 'fast-check'
import {
  noEntries,
  type RecentEntries,
  recentEntries,
  recentValue,
  withoutEntry,
  withRecent,
} from '../../src/data/recentEntries.ts'

const key = fc.constantFrom('', 'a', 'b', 'ä', 'zz', '0', '1')
const change = fc.oneof(
  fc.record({ key, value: fc.nat(9), most: fc.integer({ min: 1, max: 5 }) }),
  fc.record({ key, value: fc.constant(undefined), most: fc.constant(0) }),
)

test('recent entries behave like a Map whose changed entries move to its end, and every version stays', (t) => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 40 }), (changes) => {
      let entries: RecentEntries<number> = noEntries
      const model = new Map<string, number>()
      const versions: [RecentEntries<number>, [string, number][]][] = []
      for (const { key, value, most } of changes) {
        model.delete(key)
        if (value === undefined) entries = withoutEntry(entries, key)
        else {
          model.set(key, value)
          // One entry leaves with a change, so a lower limit takes several to be reached.
          if (model.size > most) model.delete([...model.keys()][0] ?? '')
          entries = withRecent(entries, [key, value], most)
        }
        versions.push([entries, [...model]])
      }
      for (const [version, expected] of versions) {
        t.deepEqual([...recentEntries(version)], expected)
        t.is(version.size, expected.length)
        for (const [key, value] of expected) t.is(recentValue(version, key), value)
      }
    }),
  )
})

test('without an absent key, the map is the same', (t) => {
  const entries = withRecent(noEntries, ['a', 1], 2)
  t.is(withoutEntry(entries, 'b'), entries)
  t.is(recentValue(entries, 'b'), undefined)
})

test('a change makes few nodes, however many entries there are', (t) => {
  let entries: RecentEntries<number> = noEntries
  for (let number = 0; number < 10_000; number++) entries = withRecent(entries, [`${number}`, number], 10_000)
  const before = new Set([...nodesOf(entries.byKey.root), ...nodesOf(entries.byNumber)])
  t.is(before.size, 20_000)
  const after = withRecent(entries, ['another', 0], 10_000)
  const made = [...nodesOf(after.byKey.root), ...nodesOf(after.byNumber)].filter((node) => !before.has(node))
  t.true(made.length > 0 && made.length < 80, `${made.length} nodes`)
})

type Node = { readonly left: Node | undefined; readonly right: Node | undefined }

function nodesOf(node: Node | undefined): Node[] {
  return node === undefined ? [] : [...nodesOf(node.left), node, ...nodesOf(node.right)]
}
