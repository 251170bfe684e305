/** Computes the root of an Ethereum Merkle Patricia trie (Yellow Paper, appendix D). */
import { encodeRlp, type RlpItem } from '../codec/rlp.ts'
import { compareBytes } from '../data/bytes.ts'
import { assert } from '../errors.ts'
import { keccak256 } from './hash.ts'

/** A stored entry; in a list, the key is the RLP of the index and the value is the encoded item. */
export type TrieEntry = readonly [key: Uint8Array, value: Uint8Array]

/** Entries in the order of their keys, so that those of a subtrie lie side by side. */
type Sorted = readonly TrieEntry[]

const noBytes = new Uint8Array(0)

/**
 * Returns the 32-byte root. Keys must be unique and values not empty; the order does not matter.
 */
export function trieRoot(entries: readonly TrieEntry[]): Uint8Array {
  for (const [, value] of entries) assert(value.length > 0, 'a trie holds no empty value')
  const sorted = entries.toSorted(([a], [b]) => compareBytes(a, b))
  return keccak256(encodeRlp(nodeOf(sorted, { from: 0, to: sorted.length, depth: 0 })))
}

/** The entries of a subtrie, whose keys share their first `depth` nibbles; `to` is the first one behind it. */
type Subtrie = { readonly from: number; readonly to: number; readonly depth: number }

/** Returns the node of a subtrie as an RLP item: a leaf, an extension, a branch or, without entries, nothing. */
function nodeOf(sorted: Sorted, { from, to, depth }: Subtrie): RlpItem {
  const [first, value] = sorted[from] ?? [noBytes, noBytes]
  if (from === to) return noBytes
  if (from + 1 === to) return [hexPrefix(first, { from: depth, to: 2 * first.length, ends: true }), value]
  const [last] = sorted[to - 1] ?? [noBytes]
  const shared = sharedNibbles(first, last, depth)
  if (shared === depth) return branchOf(sorted, { from, to, depth })
  return [hexPrefix(first, { from: depth, to: shared, ends: false }), reference(sorted, { from, to, depth: shared })]
}

/** A branch has a subtrie for each nibble, and the value of the entry whose key ends here. */
function branchOf(sorted: Sorted, { from, to, depth }: Subtrie): RlpItem {
  const items: RlpItem[] = []
  let [key, value] = sorted[from] ?? [noBytes, noBytes]
  let start = from
  if (2 * key.length === depth) start++
  else value = noBytes
  for (let nibble = 0; nibble < 16; nibble++) {
    let end = start
    for (; end < to; end++) {
      key = sorted[end]?.[0] ?? noBytes
      assert(2 * key.length > depth, 'a trie has each key once')
      if (nibbleAt(key, depth) !== nibble) break
    }
    items.push(reference(sorted, { from: start, to: end, depth: depth + 1 }))
    start = end
  }
  items.push(value)
  return items
}

/** Returns the form of a node in its parent: the node if its RLP has under 32 bytes, otherwise its hash. */
function reference(sorted: Sorted, subtrie: Subtrie): RlpItem {
  const node = nodeOf(sorted, subtrie)
  if (node === noBytes) return node
  const bytes = encodeRlp(node)
  return bytes.length < 32 ? node : keccak256(bytes)
}

/** Returns how many of their first nibbles two keys share, if `depth` of them are known to be the same. */
function sharedNibbles(a: Uint8Array, b: Uint8Array, depth: number): number {
  const most = 2 * Math.min(a.length, b.length)
  let shared = depth
  while (shared < most && nibbleAt(a, shared) === nibbleAt(b, shared)) shared++
  return shared
}

function nibbleAt(key: Uint8Array, index: number): number {
  const byte = key[index >> 1] ?? 0
  return index % 2 === 0 ? byte >> 4 : byte & 15
}

/**
 * Returns some nibbles of a key as bytes. Before them are flags: 2 if the path ends here, 1 if the number
 * of nibbles is odd; then a 0 if it is even. The nibbles 2 and 3 of `0x1234` are `0x0034`, and at the end `0x2034`.
 */
function hexPrefix(key: Uint8Array, { from, to, ends }: { from: number; to: number; ends: boolean }): Uint8Array {
  const isOdd = (to - from) % 2 === 1
  const bytes = new Uint8Array(((to - from) >> 1) + 1)
  bytes[0] = (ends ? 0x20 : 0) + (isOdd ? 0x10 + nibbleAt(key, from) : 0)
  for (let at = 1, nibble = isOdd ? from + 1 : from; at < bytes.length; at++, nibble += 2) {
    bytes[at] = nibbleAt(key, nibble) * 16 + nibbleAt(key, nibble + 1)
  }
  return bytes
}
