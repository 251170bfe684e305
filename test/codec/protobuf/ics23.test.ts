import test from 'ava'
import { createHash } from 'node:crypto'
import { ics23, iavlSpec, verifyExistence } from '@confio/ics23'
import { encodeAbsence, encodeExistence, iavlOp, proofOp, simpleOp } from '../../../src/codec/protobuf/ics23.ts'

const sha256 = (...parts: Uint8Array[]) => new Uint8Array(createHash('sha256').update(Buffer.concat(parts)).digest())
const key = Uint8Array.of(1, 2)
const value = Uint8Array.of(3)
// An IAVL leaf of height 0, size 1, version 1 (zig-zag varints).
const leafPrefix = Uint8Array.of(0, 2, 2)
const step = {
  prefix: Uint8Array.of(2, 4, 2, 32),
  suffix: Uint8Array.of(32, ...new Uint8Array(32)),
}
const present = { key, value, leafPrefix, path: [step] }

test('a proof of existence is verified by the ics23 package', (t) => {
  const { exist } = ics23.CommitmentProof.decode(encodeExistence(present))
  const leaf = sha256(leafPrefix, Uint8Array.of(2), key, Uint8Array.of(32), sha256(value))
  const root = sha256(step.prefix, leaf, step.suffix)
  t.notThrows(() => verifyExistence(exist as ics23.ExistenceProof, iavlSpec, root, key, value))
  t.throws(() => verifyExistence(exist as ics23.ExistenceProof, iavlSpec, root, key, key))
})

test('a proof of absence names its neighbours', (t) => {
  const bytes = encodeAbsence({ key: Uint8Array.of(1, 3), left: present, right: undefined })
  const { nonexist } = ics23.CommitmentProof.decode(bytes)
  t.deepEqual(new Uint8Array(nonexist?.left?.key ?? []), key)
  t.falsy(nonexist?.right)
})

test('operations are named as the multistore names them and read back', (t) => {
  t.is(iavlOp(key, value).type, 'ics23:iavl')
  const op = simpleOp('bank', value)
  t.deepEqual(proofOp.decode(proofOp.encode(op)), op)
})
