/**
 * The application's stores as a whole: committing changes, the app hash over all roots, and proofs
 * (`store/rootmulti`, `store/types/commit_info.go`).
 */
import { encodeAbsence, encodeExistence, iavlOp, simpleOp } from '../codec/protobuf/ics23.ts'
import { lengthPrefixed } from '../codec/protobuf/wire.ts'
import { sha256 } from '../crypto/hash.ts'
import { merkleLeaf, merkleProofs, merkleRootOfLeaves } from '../crypto/merkle.ts'
import { concatBytes } from '../data/bytes.ts'
import { commit, emptyTree, rootHash, type TreeChange } from '../data/tree.ts'
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
  changes: ReadonlyMap<string, Iterable<TreeChange>>,
  height: bigint,
): MultiStore {
  for (const name of changes.keys()) assert(stores.has(name), `no store ${name}`)
  return new Map(
    [...stores].map(([name, tree]) => {
      const own = changes.get(name)
      return [name, own === undefined ? tree : commit(tree, own, height)]
    }),
  )
}

/**
 * Returns the app hash, 32 bytes. It is the Merkle root over the stores ordered by name; each leaf
 * holds the store's name and the hash of its root, both length-prefixed.
 */
export function appHashOf(stores: MultiStore): Uint8Array {
  return merkleRootOfLeaves([...stores].map(leafHashOf))
}

/**
 * Returns the two proof operations for a key: that it has its value or is absent under the store's
 * root, and that this root is under the app hash. Returns undefined if no proof exists (empty store
 * or key).
 */
export function proveKey(stores: MultiStore, name: string, key: Uint8Array): readonly ProofOp[] | undefined {
  const tree = stores.get(name)
  if (tree?.root === undefined || key.length === 0) return undefined
  return [iavlOp(key, proofInTree(tree, key)), simpleOp(name, proofOfStore(stores, name))]
}

type Tree = typeof emptyTree

function proofInTree(tree: Tree, key: Uint8Array): Uint8Array {
  const existence = existenceProof(tree, key, sha256)
  if (existence !== undefined) return encodeExistence(existence)
  const absence = nonExistenceProof(tree, key, sha256)
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
  const { proofs } = merkleProofs(entries.map(leafOf))
  const tree = stores.get(name) ?? emptyTree
  const path = stepsOf(index, entries.length).map((goesLeft, depth) => {
    const aunt = proofs[index]?.aunts[depth] ?? new Uint8Array(0)
    return goesLeft
      ? { prefix: innerPrefix, suffix: aunt }
      : { prefix: concatBytes([innerPrefix, aunt]), suffix: new Uint8Array(0) }
  })
  const key = new TextEncoder().encode(name)
  return encodeExistence({ key, value: rootHash(tree, sha256), leafPrefix: Uint8Array.of(0), path })
}

const innerPrefix = Uint8Array.of(1)

/** Returns, from the leaf up, whether the child is left of its sibling (RFC 6962 split). */
function stepsOf(index: number, total: number): readonly boolean[] {
  if (total <= 1) return []
  const middle = 2 ** (31 - Math.clz32(total - 1))
  return index < middle ? [...stepsOf(index, middle), true] : [...stepsOf(index - middle, total - middle), false]
}

function leafOf([name, tree]: readonly [string, Tree]): Uint8Array {
  const valueHash = sha256(rootHash(tree, sha256))
  return concatBytes([prefixedName(name), lengthPrefixed(valueHash)])
}

const prefixedNames = new Map<string, Uint8Array>()

function prefixedName(name: string): Uint8Array {
  const known = prefixedNames.get(name)
  if (known !== undefined) return known
  const prefixed = lengthPrefixed(new TextEncoder().encode(name))
  prefixedNames.set(name, prefixed)
  return prefixed
}

// A block leaves most stores unchanged, so their leaf hashes are cached. Recomputing known leaves
// took a third of the time of an app hash.
const leafHashes = new WeakMap<Tree, Map<string, Uint8Array>>()

function leafHashOf(entry: readonly [string, Tree]): Uint8Array {
  const [name, tree] = entry
  const byName = leafHashes.get(tree) ?? new Map<string, Uint8Array>()
  const known = byName.get(name)
  if (known !== undefined) return known
  const hash = merkleLeaf(leafOf(entry))
  leafHashes.set(tree, byName.set(name, hash))
  return hash
}
