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

function leafHash(leaf: Leaf, hash: HashFunction): Uint8Array {
  const key = fromBinaryString(leaf.key)
  const bytes = new Uint8Array(5 * maxVarintLength + key.length + hashLength)
  let offset = writeUvarint(bytes, writePrefix(bytes, leaf), key.length)
  bytes.set(key, offset)
  offset = writeHash(bytes, offset + key.length, hash(leaf.value))
  return hash(bytes.subarray(0, offset))
}

function innerHash(inner: Inner, hash: HashFunction): Uint8Array {
  const bytes = new Uint8Array(3 * maxVarintLength + 2 * (1 + hashLength))
  let offset = writePrefix(bytes, inner)
  offset = writeHash(bytes, offset, nodeHash(inner.left, hash))
  offset = writeHash(bytes, offset, nodeHash(inner.right, hash))
  return hash(bytes.subarray(0, offset))
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
