/**
 * The stores of the application together: committing changes, the app hash over all roots, and the
 * proofs under it (`store/rootmulti`, `store/types/commit_info.go`).
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

/** Returns the stores of these names, all empty. */
export function emptyStores(names: readonly string[]): MultiStore {
  return new Map([...names].sort().map((name) => [name, emptyTree]))
}

/** Returns the stores after the changes of a block; new nodes carry its height. */
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
 * Returns the app hash, 32 bytes: the Merkle root over the stores in the order of their names, each
 * leaf its name and the hash of its root, both behind their lengths.
 */
export function appHashOf(stores: MultiStore): Uint8Array {
  return merkleRootOfLeaves([...stores].map(leafHashOf))
}

/**
 * Returns the two proof operations for a key of a store: that it has its value, or is absent, under
 * the root of the store, and that root under the app hash. Undefined where no proof can be made (an
 * empty store or key).
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

/** The simple tree's leaf is an ICS23 leaf with prefix 0 whose value is the root itself. */
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

/** Returns from the leaf up whether the child stands left of its sibling (RFC 6962 split). */
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

// A block leaves most stores as they are, and the same value stands for them: a third of the time
// that an app hash takes went into leaves that were known.
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
