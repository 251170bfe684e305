import { bytes, int32, message, nested, repeated, text } from './message.ts'

/** One step of a proof: the child's hash is placed between prefix and suffix. */
export type ProofStep = { readonly prefix: Uint8Array; readonly suffix: Uint8Array }

/** A proof that a key has a value in a tree; hashes are SHA-256. */
export type ExistenceProof = {
  readonly key: Uint8Array
  readonly value: Uint8Array
  readonly leafPrefix: Uint8Array
  readonly path: readonly ProofStep[]
}

/** A proof that a key is absent from a tree, given the adjacent keys on its left and right. */
export type AbsenceProof = {
  readonly key: Uint8Array
  readonly left: ExistenceProof | undefined
  readonly right: ExistenceProof | undefined
}

/** One operation of an `abci_query` proof in wire form. */
export type ProofOp = { readonly type: string; readonly key: Uint8Array; readonly data: Uint8Array }

/**
 * Returns the ICS23 commitment proof of an existing key (cosmos/ics23 CommitmentProof, field 1).
 */
export function encodeExistence(proof: ExistenceProof): Uint8Array {
  return commitmentProof.encode({ exist: wireOf(proof) })
}

/** Returns the ICS23 commitment proof of an absent key (CommitmentProof, field 2). */
export function encodeAbsence({ key, left, right }: AbsenceProof): Uint8Array {
  const nonexist = {
    key,
    left: left === undefined ? undefined : wireOf(left),
    right: right === undefined ? undefined : wireOf(right),
  }
  return commitmentProof.encode({ nonexist })
}

/** Returns the proof operation for a key in a store's IAVL tree. */
export function iavlOp(key: Uint8Array, proof: Uint8Array): ProofOp {
  return { type: 'ics23:iavl', key, data: proof }
}

/** Returns the proof operation for a store's root under the app hash. */
export function simpleOp(storeName: string, proof: Uint8Array): ProofOp {
  return { type: 'ics23:simple', key: new TextEncoder().encode(storeName), data: proof }
}

type LeafOp = {
  hash: number
  prehashKey: number
  prehashValue: number
  length: number
  prefix: Uint8Array
}
type InnerOp = { hash: number; prefix: Uint8Array; suffix: Uint8Array }
type WireExistence = {
  key: Uint8Array
  value: Uint8Array
  leaf: LeafOp | undefined
  path: readonly (InnerOp | undefined)[]
}
type WireAbsence = {
  key: Uint8Array
  left: WireExistence | undefined
  right: WireExistence | undefined
}

const leafOp = message<LeafOp>({
  1: ['hash', int32],
  2: ['prehashKey', int32],
  3: ['prehashValue', int32],
  4: ['length', int32],
  5: ['prefix', bytes],
})
const innerOp = message<InnerOp>({ 1: ['hash', int32], 2: ['prefix', bytes], 3: ['suffix', bytes] })
const existence = message<WireExistence>({
  1: ['key', bytes],
  2: ['value', bytes],
  3: ['leaf', nested(leafOp)],
  4: ['path', repeated(nested(innerOp))],
})
const absence = message<WireAbsence>({
  1: ['key', bytes],
  2: ['left', nested(existence)],
  3: ['right', nested(existence)],
})
const commitmentProof = message<{
  exist: WireExistence | undefined
  nonexist: WireAbsence | undefined
}>({
  1: ['exist', nested(existence)],
  2: ['nonexist', nested(absence)],
})

// Both trees use SHA-256, hash the value first, and prefix key and value with a varint length.
const sha256 = 1
const lengthVarProto = 1

function wireOf({ key, value, leafPrefix, path }: ExistenceProof): WireExistence {
  const leaf = {
    hash: sha256,
    prehashKey: 0,
    prehashValue: sha256,
    length: lengthVarProto,
    prefix: leafPrefix,
  }
  return { key, value, leaf, path: path.map((step) => ({ hash: sha256, ...step })) }
}

/** Codec of a proof operation (tendermint.crypto.ProofOp). */
export const proofOp = message<ProofOp>({
  1: ['type', text],
  2: ['key', bytes],
  3: ['data', bytes],
})
