import { createHash } from 'node:crypto'
import test from 'ava'
import fc from 'fast-check'
import { merkleLeaf, merkleProofs, merkleRoot, merkleTree } from '../../src/crypto/merkle.ts'
import { verifyMerkleProof } from '../helpers/merkleProof.ts'
import { golden } from '../golden.ts'

type WireProof = { total: string; index: string; leaf_hash: string; aunts: string[] }
type Recorded = {
  roots: { leaves: string[]; root: string }[]
  proofs: { hash: string; root: string; proof: WireProof }[]
}

const fromHex = (text: string) => Uint8Array.from(Buffer.from(text, 'hex'))
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
const recorded = golden<Recorded>('merkle.json')

test('roots are those that CometBFT computes', (t) => {
  t.true(recorded.roots.length > 5)
  for (const { leaves, root } of recorded.roots) {
    t.is(hex(merkleRoot(leaves.map(fromHex))), root.toLowerCase())
  }
})

test('the root of the eight leaves that Certificate Transparency tests with', (t) => {
  const leaves = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657', '606162636465666768696a6b6c6d6e6f']
  const root = hex(merkleRoot(leaves.map(fromHex)))
  t.is(root, '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328')
})

test('recorded transaction proofs are made again and verify', (t) => {
  for (const root of new Set(recorded.proofs.map((proof) => proof.root))) {
    const sorted = recorded.proofs
      .filter((proof) => proof.root === root)
      .sort((a, b) => Number(a.proof.index) - Number(b.proof.index))
    const made = merkleProofs(sorted.map(({ hash }) => fromHex(hash)))
    t.is(hex(made.root), root.toLowerCase())
    sorted.forEach(({ hash, proof }, i) => {
      const expected = {
        total: Number(proof.total),
        index: Number(proof.index),
        leafHash: Uint8Array.from(Buffer.from(proof.leaf_hash, 'base64')),
        aunts: proof.aunts.map((aunt) => Uint8Array.from(Buffer.from(aunt, 'base64'))),
      }
      t.deepEqual(made.proofs[i], expected)
      t.true(verifyMerkleProof(made.root, fromHex(hash), expected))
    })
  }
})

const sha = (...parts: Uint8Array[]): Buffer => createHash('sha256').update(Buffer.concat(parts)).digest()

/** RFC 6962 another way: joining neighbours level by level, the odd one out goes up as it is. */
function levelRoot(items: Uint8Array[]): string {
  if (items.length === 0) return sha().toString('hex')
  let level = items.map((item) => sha(Uint8Array.of(0), item))
  while (level.length > 1) {
    level = level.flatMap((left, i) => {
      const right = level[i + 1]
      return i % 2 === 1 ? [] : [right === undefined ? left : sha(Uint8Array.of(1), left, right)]
    })
  }
  return level[0]?.toString('hex') ?? ''
}

test('every item is proven under the root, and under no other claim', (t) => {
  const list = fc.array(fc.uint8Array({ maxLength: 3 }), { maxLength: 40 })
  fc.assert(
    fc.property(list, (items) => {
      const { root, proofs } = merkleProofs(items)
      t.is(hex(root), levelRoot(items))
      t.is(hex(merkleRoot(items)), hex(root))
      for (const [i, item] of items.entries()) {
        const proof = proofs[i]
        if (proof === undefined) return t.fail()
        t.true(verifyMerkleProof(root, item, proof))
        t.false(verifyMerkleProof(root, Uint8Array.of(...item, 1), proof))
        t.false(verifyMerkleProof(root, item, { ...proof, aunts: [...proof.aunts, root] }))
        t.false(verifyMerkleProof(root, item, { ...proof, index: items.length }))
        t.false(verifyMerkleProof(root, item, { ...proof, index: -1 }))
        if (items.length === 1) return
        t.false(verifyMerkleProof(root, item, { ...proof, aunts: proof.aunts.slice(1) }))
      }
    }),
    { seed: 1, numRuns: 60 },
  )
})

test('a tree that reuses the nodes of another one has the root of its own leaves', (t) => {
  const leaf = fc.uint8Array({ maxLength: 1 })
  const pairs = fc.integer({ min: 1, max: 30 }).chain((count) => {
    const list = fc.array(leaf, { minLength: count, maxLength: count })
    return fc.tuple(list, list)
  })
  fc.assert(
    fc.property(pairs, ([first, second]) => {
      const before = merkleTree(first.map(merkleLeaf))
      const { root } = merkleTree(second.map(merkleLeaf), before)
      t.is(Buffer.from(root, 'latin1').toString('hex'), hex(merkleRoot(second)))
    }),
    { seed: 5 },
  )
})
