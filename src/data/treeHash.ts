/** The node hashes of an IAVL tree (cosmos/iavl v1 `node.go`). */
import type { HashFunction } from './bytes.ts'
import { fromBinaryString } from './binaryString.ts'
import type { Inner, Leaf, TreeNode } from './treeNode.ts'
import { maxVarintLength, writeUvarint, writeVarint } from './varint.ts'

const hashLength = 32

/** Returns the hash of a node, 32 bytes. Computes missing hashes and stores them in the nodes. */
export function nodeHash(node: TreeNode, hash: HashFunction): Uint8Array {
  if (node.hash === undefined) {
    node.hash = node.left === undefined ? leafHash(node, hash) : innerHash(node, hash)
  }
  return node.hash
}

/**
 * Returns the first bytes of a node's hash input: height, size and version, each a zig-zag varint.
 */
export function nodePrefix(node: TreeNode): Uint8Array {
  const prefix = new Uint8Array(3 * maxVarintLength)
  return prefix.slice(0, writePrefix(prefix, node))
}

// A shared buffer for hash inputs: allocating an array per node costs more than hashing it.
// Children are hashed before the buffer is written, so sharing is safe.
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
