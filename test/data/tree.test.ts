import { createHash } from 'node:crypto'
import test from 'ava'
import fc from 'fast-check'
import {
  commit,
  emptyTree,
  get,
  getBinary,
  iterate,
  rootHash,
  type Tree,
  type TreeChange,
  treeSize,
} from '../../src/data/tree.ts'
import type { TreeNode } from '../../src/data/treeNode.ts'
import { golden } from '../golden.ts'

type Version = { version: number; changes: [string, string | null][]; root: string }

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('binary')
const fromHex = (text: string) => new Uint8Array(Buffer.from(text, 'hex'))
const toHex = (bytes: Uint8Array | string) => Buffer.from(bytes as string, 'latin1').toString('hex')
const changesOf = ({ changes }: Version): TreeChange[] =>
  changes.map(([key, value]) => [fromHex(key), value === null ? undefined : fromHex(value)])

const sameRoots = test.macro((t, name: 'growing' | 'shrinking' | 'small') => {
  const versions = golden<Record<typeof name, Version[]>>('iavl.json')[name]
  const trees: Tree[] = []
  let tree = emptyTree
  for (const version of versions) {
    tree = commit(tree, changesOf(version), BigInt(version.version))
    trees.push(tree)
    if (version.version % 3 === 0) t.is(toHex(rootHash(tree, sha256)), version.root)
  }
  // Later versions leave older ones as they were, also those not hashed at the time.
  for (const [i, { root }] of versions.entries()) t.is(toHex(rootHash(trees[i] ?? emptyTree, sha256)), root)
})
test('a growing tree has the root hashes of cosmos/iavl', sameRoots, 'growing')
test('a shrinking tree has the root hashes of cosmos/iavl', sameRoots, 'shrinking')
test('a tree that is often empty has the root hashes of cosmos/iavl', sameRoots, 'small')

const key = fc.uint8Array({ minLength: 1, maxLength: 3 }).map((bytes) => bytes.map((b) => b & 0xc1))
const change = fc.tuple(key, fc.option(fc.uint8Array({ maxLength: 2 }), { nil: undefined }))
const block = fc.array(change, { maxLength: 30 })

const sorted = (changes: TreeChange[]): TreeChange[] =>
  [...new Map(changes.map((c) => [toHex(c[0]), c])).entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, c]) => c)

test('every version reads like a sorted map of its own', (t) => {
  fc.assert(
    fc.property(fc.array(block, { maxLength: 8 }), (blocks) => {
      const kept: [Tree, Map<string, string>][] = []
      let tree = emptyTree
      let model = new Map<string, string>()
      blocks.forEach((changes, i) => {
        tree = commit(tree, sorted(changes), BigInt(i + 1))
        model = new Map(model)
        for (const [k, value] of sorted(changes)) {
          if (value === undefined) model.delete(toHex(k))
          else model.set(toHex(k), toHex(value))
        }
        kept.push([tree, model])
      })
      for (const [old, expected] of kept) {
        const entries = [...iterate(old)].map(([k, v]) => [toHex(k), toHex(v)])
        t.deepEqual(
          entries,
          [...expected].sort(([a], [b]) => (a < b ? -1 : 1)),
        )
        t.is(treeSize(old), expected.size)
        for (const [k, v] of expected) t.is(toHex(get(old, fromHex(k)) ?? new Uint8Array()), v)
        checkShape(t.true, old.root)
      }
    }),
    { seed: 1, numRuns: 200 },
  )
})

function checkShape(isTrue: (ok: boolean) => unknown, node: TreeNode | undefined): void {
  if (node?.left === undefined) return
  isTrue(Math.abs(node.left.height - node.right.height) <= 1)
  isTrue(node.height === Math.max(node.left.height, node.right.height) + 1)
  isTrue(node.size === node.left.size + node.right.size)
  let smallest: TreeNode = node.right
  while (smallest.left !== undefined) smallest = smallest.left
  isTrue(node.key === smallest.key)
  checkShape(isTrue, node.left)
  checkShape(isTrue, node.right)
}

test('a range has its start, not its end, in both directions', (t) => {
  const bound = fc.option(key, { nil: undefined })
  fc.assert(
    fc.property(block, bound, bound, (changes, start, end) => {
      const tree = commit(emptyTree, sorted(changes), 1n)
      const inside = [...iterate(tree)]
        .map(([k]) => toHex(k))
        .filter((k) => (!start || k >= toHex(start)) && (!end || k < toHex(end)))
      const read = (reverse: boolean) => [...iterate(tree, { start, end, reverse })].map(([k]) => toHex(k))
      t.deepEqual(read(false), inside)
      t.deepEqual(read(true), inside.reverse())
    }),
    { seed: 2, numRuns: 300 },
  )
})

test('what a commit does not touch is shared, and no change gives the same value', (t) => {
  const bytes = (...values: number[]) => Uint8Array.from(values)
  const all = Array.from({ length: 64 }, (_, i): TreeChange => [bytes(i), bytes(1)])
  const before = commit(emptyTree, all, 1n)
  const after = commit(before, [[bytes(63), bytes(2)]], 2n)
  t.is(after.root?.left, before.root?.left)
  t.is(commit(before, [[bytes(99), undefined]], 3n), before)
  t.not(get(after, bytes(63)), undefined)
  t.is(get(after, bytes(64)), undefined)
  t.deepEqual(getBinary(after, '\x3f'), bytes(2))
})

test('unsorted or repeated changes are a mistake of the caller', (t) => {
  const one = Uint8Array.of(1)
  const two = Uint8Array.of(2)
  t.throws(
    () =>
      commit(
        emptyTree,
        [
          [two, one],
          [one, one],
        ],
        1n,
      ),
    { code: 'ASSERTION_FAILED' },
  )
  t.throws(
    () =>
      commit(
        emptyTree,
        [
          [one, one],
          [one, one],
        ],
        1n,
      ),
    { code: 'ASSERTION_FAILED' },
  )
})
