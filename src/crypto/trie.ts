/** Computes the root of an Ethereum Merkle Patricia trie (Yellow Paper, appendix D). */
import { concatBytes } from '../data/bytes.ts'
import { assert } from '../errors.ts'
import { keccak256 } from './hash.ts'

/** A stored entry; in a list, the key is the RLP of the index and the value is the encoded item. */
export type TrieEntry = readonly [key: Uint8Array, value: Uint8Array]

/**
 * Returns the 32-byte root. Keys must be unique and values not empty; the order does not matter.
 */
export function trieRoot(entries: readonly TrieEntry[]): Uint8Array {
  const paths = entries.map(([key, value]): Path => {
    assert(value.length > 0, 'a trie holds no empty value')
    return { nibbles: toNibbles(key), value }
  })
  return keccak256(encodeNode(paths, 0))
}

type Path = { readonly nibbles: readonly number[]; readonly value: Uint8Array }

/** Returns the RLP of the node for these paths, which all match up to `depth`. */
function encodeNode(paths: readonly Path[], depth: number): Uint8Array {
  const [first, ...others] = paths
  if (first === undefined) return encodeBytes(new Uint8Array(0))
  if (others.length === 0) {
    return encodePair(hexPrefix(first.nibbles.slice(depth), true), encodeBytes(first.value))
  }
  let shared = first.nibbles.length
  for (const { nibbles } of others) {
    let same = depth
    while (same < shared && nibbles[same] === first.nibbles[same]) same++
    shared = Math.min(shared, same)
  }
  if (shared > depth) {
    const path = hexPrefix(first.nibbles.slice(depth, shared), false)
    return encodePair(path, reference(paths, shared))
  }
  return encodeBranch(paths, depth)
}

function encodeBranch(paths: readonly Path[], depth: number): Uint8Array {
  const groups = Array.from({ length: 16 }, (): Path[] => [])
  let value = new Uint8Array(0)
  for (const path of paths) {
    const nibble = path.nibbles[depth]
    if (nibble !== undefined) groups[nibble]?.push(path)
    else {
      assert(value.length === 0, 'a trie has each key once')
      value = Uint8Array.from(path.value)
    }
  }
  return encodeList([...groups.map((group) => reference(group, depth + 1)), encodeBytes(value)])
}

/** Returns the form of a node in its parent: the node if under 32 bytes, otherwise its hash. */
function reference(paths: readonly Path[], depth: number): Uint8Array {
  const node = encodeNode(paths, depth)
  return node.length < 32 ? node : encodeBytes(keccak256(node))
}

function encodePair(path: Uint8Array, encodedItem: Uint8Array): Uint8Array {
  return encodeList([encodeBytes(path), encodedItem])
}

function toNibbles(key: Uint8Array): number[] {
  return Array.from(key).flatMap((byte) => [byte >> 4, byte & 15])
}

/**
 * Returns a path's bytes. The first nibble holds flags: 2 if the path ends here, 1 if its number of
 * nibbles is odd.
 */
function hexPrefix(nibbles: readonly number[], ends: boolean): Uint8Array {
  const odd = nibbles.length % 2
  const flag = (ends ? 2 : 0) + odd
  const all = odd === 1 ? [flag, ...nibbles] : [flag, 0, ...nibbles]
  const byteAt = (i: number) => (all[2 * i] ?? 0) * 16 + (all[2 * i + 1] ?? 0)
  return Uint8Array.from({ length: all.length / 2 }, (_, i) => byteAt(i))
}

// A minimal RLP encoder for nodes: items are already encoded, while codec's takes whole values.

function encodeBytes(bytes: Uint8Array): Uint8Array {
  if (bytes.length === 1 && (bytes[0] ?? 0) < 0x80) return bytes
  return concatBytes([header(0x80, bytes.length), bytes])
}

function encodeList(encodedItems: readonly Uint8Array[]): Uint8Array {
  const body = concatBytes(encodedItems)
  return concatBytes([header(0xc0, body.length), body])
}

function header(base: number, length: number): Uint8Array {
  if (length < 56) return Uint8Array.of(base + length)
  const bytes = [length >>> 24, (length >>> 16) & 255, (length >>> 8) & 255, length & 255]
  const digits = bytes.slice(bytes.findIndex((byte) => byte !== 0))
  return Uint8Array.of(base + 55 + digits.length, ...digits)
}
