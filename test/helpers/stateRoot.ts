/** Ethereum's state root over a test world: a Merkle Patricia trie of its own (Yellow Paper, D). */
import { keccak_256 } from '@noble/hashes/sha3.js'
import { minimal, rlp, rlpRaw } from './rlp.ts'
import { hex, type World } from './state.ts'

type Leaf = { path: number[]; value: Uint8Array }

const emptyRoot = keccak_256(rlp(new Uint8Array()))

/** Hex-prefix encoding of a path. */
function compact(path: readonly number[], isLeaf: boolean): Uint8Array {
  const odd = path.length % 2
  const nibbles = [(isLeaf ? 2 : 0) + odd, ...(odd === 1 ? [] : [0]), ...path]
  return Uint8Array.from(
    { length: nibbles.length / 2 },
    (_, i) => ((nibbles[2 * i] ?? 0) << 4) | (nibbles[2 * i + 1] ?? 0),
  )
}

function nodeOf(leaves: readonly Leaf[], depth: number): Uint8Array {
  const [first, last] = [leaves[0], leaves.at(-1)]
  if (first === undefined || last === undefined) throw new Error('a node needs leaves')
  if (leaves.length === 1) return rlp([compact(first.path.slice(depth), true), first.value])
  let common = depth
  while (first.path[common] === last.path[common]) common += 1
  if (common > depth) {
    return rlpRaw([rlp(compact(first.path.slice(depth, common), false)), reference(nodeOf(leaves, common))])
  }
  const branches = Array.from({ length: 16 }, (_, nibble) => {
    const below = leaves.filter(({ path }) => path[depth] === nibble)
    return below.length === 0 ? rlp(new Uint8Array()) : reference(nodeOf(below, depth + 1))
  })
  return rlpRaw([...branches, rlp(new Uint8Array())])
}

function reference(node: Uint8Array): Uint8Array {
  return node.length < 32 ? node : rlp(keccak_256(node))
}

const pathCache = new Map<string, number[]>()

function pathOf(key: string): number[] {
  const known = pathCache.get(key)
  if (known !== undefined) return known
  const path = Array.from(keccak_256(hex(key))).flatMap((byte) => [byte >> 4, byte & 15])
  pathCache.set(key, path)
  return path
}

function trieRoot(entries: readonly (readonly [string, Uint8Array])[]): Uint8Array {
  if (entries.length === 0) return emptyRoot
  const leaves = entries.map(([key, value]) => ({ path: pathOf(key), value }))
  leaves.sort((a, b) => {
    const at = a.path.findIndex((nibble, index) => nibble !== b.path[index])
    return at < 0 ? 0 : (a.path[at] ?? 0) - (b.path[at] ?? 0)
  })
  return keccak_256(nodeOf(leaves, 0))
}

/** Returns the state root of the world. */
export function stateRoot(world: World): Uint8Array {
  return trieRoot(
    [...world.accounts].map(([at, account]) => {
      const slots = [...(world.slots.get(at) ?? [])].map(([key, value]) => {
        const start = value.findIndex((byte) => byte !== 0)
        return [key, rlp(value.subarray(start))] as const
      })
      return [at, rlp([minimal(account.nonce), minimal(account.balance), trieRoot(slots), account.codeHash])] as const
    }),
  )
}
