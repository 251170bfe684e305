import test from 'ava'
import { recordAt, stateAt, type Retention } from '../../src/chain/history.ts'
import { recordByHash, txByHash } from '../../src/chain/lookups.ts'
import { sha256 } from '../../src/crypto/hash.ts'
import type { Chain, ChainWorld } from '../../src/chain/chain.ts'
import { step } from '../../src/chain/step.ts'
import { searchBlocks } from '../../src/rpc/comet/searchBlocks.ts'
import { parseQuery } from '../../src/feed/parseQuery.ts'
import { kvChain } from '../helpers/kvChain.ts'

/**
 * A chain of some blocks, each with one transaction, that evidence may name up to 3 blocks back.
 */
function grown(retention: Partial<Retention>, blocks: number): Chain {
  const { world, chain } = begun(retention)
  return grownBy(world, chain, { from: 1, to: blocks })
}

function begun(retention: Partial<Retention>) {
  const { world, chain } = kvChain({ retention, policy: { mode: 'manual' } })
  const evidence = { ...chain.consensusParams.evidence, maxAgeBlocks: 3n }
  return { world, chain: { ...chain, consensusParams: { ...chain.consensusParams, evidence } } }
}

function grownBy(
  world: ChainWorld,
  before: Chain,
  { from, to }: { readonly from: number; readonly to: number },
): Chain {
  let chain = before
  for (let count = from; count <= to; count++) {
    const tx = new TextEncoder().encode(`k=${count}`)
    chain = step(world, chain, { type: 'submitTx', tx, mode: 'admit' }, 0n).chain
    chain = step(world, chain, { type: 'produceBlock' }, 0n).chain
  }
  return chain
}

const hashOf = (count: number) => sha256(new TextEncoder().encode(`k=${count}`))

test('as many blocks are kept as asked for, and what is in the others is still found', (t) => {
  const { history } = grown({ blocks: 5n }, 18)
  t.is(history.base, 13n)
  t.is(recordAt(history, 12n), undefined)
  t.is(recordAt(history, 13n)?.block.header.height, 13n)
  t.is(txByHash(history, hashOf(1))?.height, 1n)
  t.deepEqual(searchBlocks(history, parseQuery('block.height<=2')), [1, 2])
})

test('a chain that kept all blocks until now still finds the transactions of those it drops', (t) => {
  const { world, chain } = begun({ open: 0 })
  const all = grownBy(world, chain, { from: 1, to: 300 })
  const forgetful = { ...world, retention: { ...world.retention, blocks: 5n } }
  const { history } = grownBy(forgetful, all, { from: 301, to: 310 })
  t.is(history.base, 305n)
  t.is(recordAt(history, 300n), undefined)
  for (const count of [1, 127, 128, 129, 256, 300, 301, 310])
    t.is(txByHash(history, hashOf(count))?.height, BigInt(count))
  t.is(txByHash(history, hashOf(1))?.result.code, 0)
})

test('blocks that evidence may name are kept, however few are asked for', (t) => {
  t.is(grown({ blocks: 1n }, 18).history.base, 15n)
})

test('without an index nothing of a pruned block is found', (t) => {
  const { history } = grown({ blocks: 5n, isIndexed: false }, 18)
  t.is(txByHash(history, hashOf(12)), undefined)
  t.is(txByHash(history, hashOf(13))?.height, 13n)
  t.deepEqual(searchBlocks(history, parseQuery('k.v EXISTS')), [])
})

test('states are dropped every so many blocks, and blocks stay', (t) => {
  const { history } = grown({ states: { recent: 4n, interval: 10n } }, 25)
  t.is(stateAt(history, 15n), undefined)
  t.not(stateAt(history, 16n), undefined)
  t.not(stateAt(history, 25n), undefined)
  t.is(recordAt(history, 1n)?.block.header.height, 1n)
})

test('pruned blocks leave memory, and older versions of the chain keep theirs', (t) => {
  const { world, chain: first } = kvChain({ policy: { mode: 'manual' } })
  const before = step(world, first, { type: 'produceBlock', count: 300 }, 0n).chain
  const after = step(world, before, { type: 'prune', below: 280n }, 0n).chain
  t.is(after.history.records.storage.chunks.flat().length, 300 - 256)
  t.is(recordAt(after.history, 280n)?.block.header.height, 280n)
  const both = [before, after].map((one) => step(world, one, { type: 'produceBlock', count: 2 }, 0n).chain)
  for (const one of both) t.is(recordAt(one.history, 302n)?.block.header.height, 302n)
  t.is(recordAt(before.history, 1n)?.block.header.height, 1n)
  t.is(recordByHash(after.history, recordAt(before.history, 1n)?.id.hash ?? hashOf(0)), undefined)
})
