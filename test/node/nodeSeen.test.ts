import test from 'ava'
import { sha256 } from '../../src/crypto/hash.ts'
import { txByHash } from '../../src/chain/lookups.ts'
import { createRandom } from '../../src/data/random.ts'
import { apply } from '../../src/node/apply.ts'
import { createNode } from '../../src/node/createNode.ts'
import type { Node } from '../../src/node/node.ts'
import { nodeSeen } from '../../src/node/nodeSeen.ts'
import type { World } from '../../src/node/world.ts'
import { profileSettings } from '../../src/settings/profiles.ts'
import { kvChain } from '../helpers/kvChain.ts'

/** A chain with a transaction in each of its blocks, made at the times given. */
function made(times: readonly bigint[]): Node {
  const { world, chain } = kvChain()
  const random = createRandom(new TextEncoder().encode('seen'), sha256)
  const full: World = { ...world, keyring: [], version: 'test', random }
  const first = createNode(full, profileSettings('local'), chain.genesis)
  return times.reduce((node, nowMs, index) => {
    const tx = new TextEncoder().encode(`a=${index}`)
    return apply(full, { ...node, nowMs }, { type: 'submitTx', tx, mode: 'admit' }).node
  }, first)
}

const ms = (count: bigint) => ({ unit: 'ms', count }) as const
const blocks = (count: bigint) => ({ unit: 'blocks', count }) as const

const stale = test.macro({
  exec(t, lag: ReturnType<typeof ms> | ReturnType<typeof blocks>, height: bigint) {
    const node = made([0n, 0n, 100n, 200n])
    const { chain } = nodeSeen(node, [{ type: 'stale', lag, flip: false }])
    t.is(chain.height, height)
    t.is(chain.history.records.length, Number(height))
    t.is(node.chain.height, 4n)
  },
  title: (_, lag: { unit: string; count: bigint }) => `as of ${lag.count} ${lag.unit} ago`,
})
test(stale, blocks(1n), 3n)
test(stale, blocks(99n), 1n)
test(stale, ms(0n), 4n)
test(stale, ms(1n), 3n)
test(stale, ms(100n), 3n)
test(stale, ms(150n), 2n)
// Of what was before the first block nothing is held.
test(stale, ms(500n), 1n)

test('what is not filed yet is in its block and in no index', (t) => {
  const node = made([0n, 10n, 20n])
  const { chain } = nodeSeen(node, [{ type: 'indexLag', lag: blocks(1n) }])
  t.is(chain.height, 3n)
  const hashes = [...Array(3).keys()].map((index) => sha256(new TextEncoder().encode(`a=${index}`)))
  t.deepEqual(
    hashes.map((hash) => txByHash(chain.history, hash)?.height),
    [1n, 2n, undefined],
  )
  t.deepEqual(
    hashes.map((hash) => txByHash(node.chain.history, hash)?.height),
    [1n, 2n, 3n],
  )
})
