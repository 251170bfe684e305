/**
 * The application's stores as a whole: committing changes, the app hash over all roots, and proofs
 * (`store/rootmulti`, `store/types/commit_info.go`).
 */
import { encodeAbsence, encodeExistence, iavlOp, simpleOp } from '../codec/protobuf/ics23.ts'
import { lengthPrefixed } from '../codec/protobuf/wire.ts'
import { sha256, sha256Binary } from '../crypto/hash.ts'
import { merkleLeaf, merkleProofs, merkleTree, type MerkleTree } from '../crypto/merkle.ts'
import { fromBinaryString, putBinaryString } from '../data/binaryString.ts'
import { concatBytes } from '../data/bytes.ts'
import { commit, emptyTree, type KeyedChange, rootHash, type TreeChange } from '../data/tree.ts'
import { existenceProof, nonExistenceProof } from '../data/treeProof.ts'
import { assert } from '../errors.ts'
import type { ProofOp } from './abci.ts'
import type { MultiStore } from './state.ts'

/** Returns empty stores with these names. */
export function emptyStores(names: readonly string[]): MultiStore {
  return new Map([...names].sort().map((name) => [name, emptyTree]))
}

/** Returns the stores after a block's changes. New nodes carry the block's height. */
export function commitStores(
  stores: MultiStore,
  changes: ReadonlyMap<string, Iterable<TreeChange | KeyedChange>>,
  height: bigint,
): MultiStore {
  for (const name of changes.keys()) assert(stores.has(name), `no store ${name}`)
  const after = new Map(stores)
  for (const [name, own] of changes) after.set(name, commit(after.get(name) ?? emptyTree, own, height))
  return after
}

/**
 * Returns the app hash, 32 bytes. It is the Merkle root over the stores ordered by name; each leaf
 * holds the store's name and the hash of its root, both length-prefixed. The hashes of `before`, the
 * stores before the last commit, are reused: a block leaves most stores unchanged.
 */
export function appHashOf(stores: MultiStore, before?: MultiStore): Uint8Array {
  if (stores.size === 0) return sha256(new Uint8Array(0))
  const known = before && hashedStores.get(before)
  const leaves = new Map<string, string>()
  for (const [name, tree] of stores) {
    const isSame = known !== undefined && before?.get(name) === tree
    leaves.set(name, (isSame ? known.leaves.get(name) : undefined) ?? merkleLeaf(leafOf(name, tree)))
  }
  const tree = merkleTree([...leaves.values()], known?.tree)
  hashedStores.set(stores, { leaves, tree })
  return fromBinaryString(tree.root)
}

type HashedStores = { readonly leaves: ReadonlyMap<string, string>; readonly tree: MerkleTree }

const hashedStores = new WeakMap<MultiStore, HashedStores>()

/**
 * Returns the two proof operations for a key: that it has its value or is absent under the store's
 * root, and that this root is under the app hash. Returns undefined if no proof exists (unknown store
 * or empty key).
 */
export function proveKey(stores: MultiStore, name: string, key: Uint8Array): readonly ProofOp[] | undefined {
  const tree = stores.get(name)
  if (tree === undefined || key.length === 0) return undefined
  return [iavlOp(key, proofInTree(tree, key)), simpleOp(name, proofOfStore(stores, name))]
}

type Tree = typeof emptyTree

function proofInTree(tree: Tree, key: Uint8Array): Uint8Array {
  const existence = existenceProof(tree, key, sha256Binary)
  if (existence !== undefined) return encodeExistence(existence)
  const absence = nonExistenceProof(tree, key, sha256Binary)
  assert(absence !== undefined, 'a key is present or absent')
  return encodeAbsence(absence)
}

/**
 * Returns the proof of a store's root. A leaf of the simple tree is an ICS23 leaf with prefix 0
 * whose value is the root itself.
 */
function proofOfStore(stores: MultiStore, name: string): Uint8Array {
  const entries = [...stores]
  const index = entries.findIndex(([each]) => each === name)
  const { proofs } = merkleProofs(entries.map(([each, tree]) => leafOf(each, tree)))
  const tree = stores.get(name) ?? emptyTree
  const path = stepsOf(index, entries.length).map((goesLeft, depth) => {
    const aunt = proofs[index]?.aunts[depth] ?? new Uint8Array(0)
    return goesLeft
      ? { prefix: innerPrefix, suffix: aunt }
      : { prefix: concatBytes([innerPrefix, aunt]), suffix: new Uint8Array(0) }
  })
  const key = new TextEncoder().encode(name)
  return encodeExistence({
    key,
    value: fromBinaryString(rootHash(tree, sha256Binary)),
    leafPrefix: Uint8Array.of(0),
    path,
  })
}

const innerPrefix = Uint8Array.of(1)

/** Returns, from the leaf up, whether the child is left of its sibling (RFC 6962 split). */
function stepsOf(index: number, total: number): readonly boolean[] {
  if (total <= 1) return []
  const middle = 2 ** (31 - Math.clz32(total - 1))
  return index < middle ? [...stepsOf(index, middle), true] : [...stepsOf(index - middle, total - middle), false]
}

/** Returns the leaf of a store: its name and the hash of its root's hash, both length-prefixed. */
function leafOf(name: string, tree: Tree): Uint8Array {
  const before = prefixedName(name)
  const leaf = new Uint8Array(before.length + 1 + hashLength)
  leaf.set(before)
  leaf[before.length] = hashLength
  putBinaryString(rootBytes, 0, rootHash(tree, sha256Binary))
  putBinaryString(leaf, before.length + 1, sha256Binary(rootBytes))
  return leaf
}

const hashLength = 32
/** A reusable buffer. */
const rootBytes = new Uint8Array(hashLength)

const prefixedNames = new Map<string, Uint8Array>()

function prefixedName(name: string): Uint8Array {
  const known = prefixedNames.get(name)
  if (known !== undefined) return known
  const prefixed = lengthPrefixed(new TextEncoder().encode(name))
  prefixedNames.set(name, prefixed)
  return prefixed
}
