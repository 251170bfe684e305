import { createHash } from 'node:crypto'
import test from 'ava'
import fc from 'fast-check'
import { commit, emptyTree, rootHash, type Tree, type TreeChange } from '../../src/data/tree.ts'
import { changesBetween } from '../../src/data/treeChanges.ts'

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('binary')
const key = fc.integer({ min: 0, max: 40 })
const change = fc.tuple(key, fc.option(fc.uint8Array({ maxLength: 3 }), { nil: undefined }))

function sorted(changes: readonly (readonly [number, Uint8Array | undefined])[]): TreeChange[] {
  return [...new Map(changes)].sort(([a], [b]) => a - b).map(([at, value]) => [Uint8Array.of(at), value])
}

test('the changes between two heights make the one of the other', (t) => {
  fc.assert(
    fc.property(fc.array(fc.array(change, { maxLength: 12 }), { maxLength: 12 }), (blocks) => {
      let before: Tree = emptyTree
      blocks.forEach((block, index) => {
        const height = BigInt(index + 1)
        const after = commit(before, sorted(block), height)
        const found = changesBetween(before, after, height)
        t.true(found !== undefined)
        const again = commit(before, found ?? [], height)
        t.deepEqual(rootHash(again, sha256), rootHash(after, sha256))
        before = after
      })
    }),
    { seed: 1, numRuns: 200 },
  )
})

test('a tree that no commit at that height makes has no changes', (t) => {
  const one = commit(
    emptyTree,
    sorted([
      [1, Uint8Array.of(1)],
      [2, Uint8Array.of(2)],
    ]),
    1n,
  )
  const two = commit(one, sorted([[3, Uint8Array.of(3)]]), 2n)
  t.is(changesBetween(emptyTree, two, 2n), undefined)
  t.is(changesBetween(one, two, 3n), undefined)
})
