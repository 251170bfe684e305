/** How the nodes of an IAVL tree are hashed (cosmos/iavl v1 `node.go`). */
import type { HashFunction } from './bytes.ts'
import { fromBinaryString } from './binaryString.ts'
import type { Inner, Leaf, TreeNode } from './treeNode.ts'
import { maxVarintLength, writeUvarint, writeVarint } from './varint.ts'

const hashLength = 32

/** Returns the hash of a node, 32 bytes; hashes only nodes that have none yet, and keeps theirs. */
export function nodeHash(node: TreeNode, hash: HashFunction): Uint8Array {
  if (node.hash === undefined) {
    node.hash = node.left === undefined ? leafHash(node, hash) : innerHash(node, hash)
  }
  return node.hash
}

/** Returns the bytes a node's hash starts with: height, size and version, each a zig-zag varint. */
export function nodePrefix(node: TreeNode): Uint8Array {
  const prefix = new Uint8Array(3 * maxVarintLength)
  return prefix.slice(0, writePrefix(prefix, node))
}

// Where the bytes to hash are put together: an array of its own for every node costs more than its
// hash. Nothing is kept in it, and children are hashed before it is written to.
const scratch = new Uint8Array(512)

function leafHash(leaf: Leaf, hash: HashFunction): Uint8Array {
  const valueHash = hash(leaf.value)
  const key = fromBinaryString(leaf.key)
  const most = 5 * maxVarintLength + key.length + hashLength
  const bytes = most <= scratch.length ? scratch : new Uint8Array(most)
  const offset = writeUvarint(bytes, writePrefix(bytes, leaf), key.length)
  bytes.set(key, offset)
  return hash(bytes.subarray(0, writeHash(bytes, offset + key.length, valueHash)))
}

function innerHash(inner: Inner, hash: HashFunction): Uint8Array {
  const left = nodeHash(inner.left, hash)
  const right = nodeHash(inner.right, hash)
  const offset = writeHash(scratch, writePrefix(scratch, inner), left)
  return hash(scratch.subarray(0, writeHash(scratch, offset, right)))
}

function writePrefix(target: Uint8Array, node: TreeNode): number {
  const offset = writeVarint(target, writeVarint(target, 0, node.height), node.size)
  return writeVarint(target, offset, node.version)
}

function writeHash(target: Uint8Array, offset: number, digest: Uint8Array): number {
  const start = writeUvarint(target, offset, digest.length)
  target.set(digest, start)
  return start + digest.length
}
