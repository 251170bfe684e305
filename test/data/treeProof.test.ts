import { createHash } from 'node:crypto'
import test from 'ava'
import { ics23, iavlSpec, verifyExistence, verifyNonExistence } from '@confio/ics23'
import { commit, emptyTree, rootHash, type Tree, type TreeChange } from '../../src/data/tree.ts'
import {
  existenceProof,
  nonExistenceProof,
  type ExistenceProof,
  type NonExistenceProof,
} from '../../src/data/treeProof.ts'
import { golden } from '../golden.ts'

type Version = {
  version: number
  changes: [string, string | null][]
  proofs?: [key: string, kind: 'exist' | 'nonexist', bytes: string][]
}

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('binary')
const fromHex = (text: string) => new Uint8Array(Buffer.from(text, 'hex'))

function existence({ key, value, leafPrefix, path }: ExistenceProof): ics23.IExistenceProof {
  const { HashOp, LengthOp } = ics23
  return {
    key,
    value,
    leaf: {
      hash: HashOp.SHA256,
      prehashValue: HashOp.SHA256,
      length: LengthOp.VAR_PROTO,
      prefix: leafPrefix,
    },
    path: path.map(({ prefix, suffix }) => ({ hash: HashOp.SHA256, prefix, ...(suffix.length > 0 && { suffix }) })),
  }
}

function nonExistence({ key, left, right }: NonExistenceProof): ics23.INonExistenceProof {
  return { key, ...(left && { left: existence(left) }), ...(right && { right: existence(right) }) }
}

// A decoded message has protobuf's defaults, which ics23 compares with.
const decoded = (proof: ics23.ICommitmentProof) =>
  ics23.CommitmentProof.decode(ics23.CommitmentProof.encode(proof).finish())

function checkExistence(proof: ExistenceProof, root: Uint8Array, value: Uint8Array): void {
  const { exist } = decoded({ exist: existence(proof) })
  verifyExistence(exist ?? {}, iavlSpec, root, proof.key, value)
}

function checkNonExistence(proof: NonExistenceProof, root: Uint8Array, key: Uint8Array): void {
  const { nonexist } = decoded({ nonexist: nonExistence(proof) })
  verifyNonExistence(nonexist ?? {}, iavlSpec, root, key)
}

const sameProofs = test.macro((t, name: 'growing' | 'shrinking') => {
  const encode = (proof: ics23.ICommitmentProof) =>
    Buffer.from(ics23.CommitmentProof.encode(proof).finish()).toString('hex')
  let tree = emptyTree
  let count = 0
  const versions = golden<Record<typeof name, Version[]>>('iavl.json')[name]
  for (const { version, changes, proofs = [] } of versions) {
    const sorted = changes.map(
      ([key, value]): TreeChange => [fromHex(key), value === null ? undefined : fromHex(value)],
    )
    tree = commit(tree, sorted, BigInt(version))
    for (const [key, kind, bytes] of proofs) {
      const exist = existenceProof(tree, fromHex(key), sha256)
      const nonexist = nonExistenceProof(tree, fromHex(key), sha256)
      t.is(exist === undefined ? 'nonexist' : 'exist', kind)
      t.is(nonexist === undefined ? 'exist' : 'nonexist', kind)
      if (exist) t.is(encode({ exist: existence(exist) }), bytes)
      if (nonexist) t.is(encode({ nonexist: nonExistence(nonexist) }), bytes)
      count++
    }
  }
  t.true(count >= 12)
})
test('proofs in a growing tree are those of cosmos/iavl', sameProofs, 'growing')
test('proofs in a shrinking tree are those of cosmos/iavl', sameProofs, 'shrinking')

function sample(count: number): Tree {
  const changes = Array.from({ length: count }, (_, i): TreeChange => [Uint8Array.of(i * 2 + 1), Uint8Array.of(7, i)])
  return commit(commit(emptyTree, changes.slice(0, 5), 1n), changes.slice(5), 300n)
}

test('ics23 accepts a proof for every key and every gap, and for no other value', (t) => {
  const tree = sample(100)
  const root = Uint8Array.from(Buffer.from(rootHash(tree, sha256), 'latin1'))
  for (let i = 0; i <= 210; i++) {
    const key = Uint8Array.of(i)
    const exist = existenceProof(tree, key, sha256)
    const nonexist = nonExistenceProof(tree, key, sha256)
    if (exist) {
      t.notThrows(() => checkExistence(exist, root, exist.value))
      t.throws(() => checkExistence(exist, root, Uint8Array.of(1)))
    }
    if (nonexist) t.notThrows(() => checkNonExistence(nonexist, root, key))
    t.not(exist === undefined, nonexist === undefined)
  }
})

test('the absence of a present neighbour cannot be shown with the same proof', (t) => {
  const tree = sample(20)
  const proof = nonExistenceProof(tree, Uint8Array.of(4), sha256)
  t.truthy(proof?.left && proof.right)
  if (!proof) return
  const root = Uint8Array.from(Buffer.from(rootHash(tree, sha256), 'latin1'))
  t.notThrows(() => checkNonExistence(proof, root, Uint8Array.of(4)))
  t.throws(() => checkNonExistence(proof, root, Uint8Array.of(5)))
})
