/**
 * The node hashes of an IAVL tree (cosmos/iavl v1 `node.go`). They are binary strings: a byte array
 * takes as long to allocate as the hash to compute.
 */
import type { BinaryHash } from './bytes.ts'
import { putBinaryString, toBinaryString } from './binaryString.ts'
import type { Inner, Leaf, TreeNode } from './treeNode.ts'
import { maxVarintLength, writeUvarint, writeVarint } from './varint.ts'

const hashLength = 32

/**
 * Returns the hash of a node as a binary string of 32 characters. Computes missing hashes and stores
 * them in the nodes.
 */
export function nodeHash(node: TreeNode, hash: BinaryHash): string {
  const known = node.hash
  if (typeof known === 'string') return known
  // Saved states of older versions have byte arrays.
  if (known !== undefined) node.hash = toBinaryString(known)
  else node.hash = node.left === undefined ? leafHash(node, hash) : innerHash(node, hash)
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
// Children are hashed before the buffer is written, so sharing is safe. So are its beginnings.
const scratch = new Uint8Array(512)
const beginnings: Uint8Array[] = []

/** Returns the first `length` bytes of the shared buffer. */
function beginning(length: number): Uint8Array {
  const known = beginnings[length]
  if (known !== undefined) return known
  while (beginnings.length <= length) beginnings.push(scratch.subarray(0, beginnings.length))
  return scratch.subarray(0, length)
}

function leafHash(leaf: Leaf, hash: BinaryHash): string {
  const { key, value } = leaf
  const valueHash = hash(value)
  const most = 5 * maxVarintLength + key.length + hashLength
  const bytes = most <= scratch.length ? scratch : new Uint8Array(most)
  const offset = writeUvarint(bytes, writePrefix(bytes, leaf), key.length)
  const length = writeHash(bytes, putBinaryString(bytes, offset, key), valueHash)
  return hash(bytes === scratch ? beginning(length) : bytes.subarray(0, length))
}

function innerHash(inner: Inner, hash: BinaryHash): string {
  const left = nodeHash(inner.left, hash)
  const right = nodeHash(inner.right, hash)
  const offset = writeHash(scratch, writePrefix(scratch, inner), left)
  return hash(beginning(writeHash(scratch, offset, right)))
}

function writePrefix(target: Uint8Array, node: TreeNode): number {
  const offset = writeVarint(target, writeVarint(target, 0, node.height), node.size)
  return writeVarint(target, offset, node.version)
}

function writeHash(target: Uint8Array, offset: number, digest: string): number {
  return putBinaryString(target, writeUvarint(target, offset, digest.length), digest)
}
