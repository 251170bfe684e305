/** Searches for the transactions of an account open the blocks that have some, not the whole chain. */
import test from 'ava'
import { accountsOf, blocksOfAccount, blocksOfSender } from '../../src/chain/accountSearch.ts'
import type { BlockRecord } from '../../src/chain/block.ts'
import { indexedUpTo, recordAt } from '../../src/chain/history.ts'
import type { History } from '../../src/chain/indexing.ts'
import { decodeEthTx } from '../../src/codec/ethTx.ts'
import { bytesOfHex, hexOf } from '../../src/codec/hex.ts'
import { stateBytes, simulationInFile } from '../../src/shell/stateFile.ts'
import { type Asked, localSimulation } from '../helpers/ethSimulation.ts'

const stranger = bytesOfHex(`0x${'66'.repeat(20)}`)
// Creates a contract that emits the number of the block as topic.
const emitter = `0x600a600c600039600a6000f3${'4360006000a100'}000000`
const heightOf = ({ block }: BlockRecord) => block.header.height
const historyOf = (chain: Asked) => chain.simulation().node.chain.history

/** Grows a chain by blocks of which every seventh has a transaction. */
function grow(chain: Asked, blocks: number): void {
  const [from, other] = chain.call('eth_accounts').result as [string, string]
  for (let block = 0; block < blocks; block++) {
    const turn = block % 7 === 3 ? (block - 3) / 7 : undefined
    const [receipt] = (chain.call('eth_getBlockReceipts', '0x5').result ?? []) as { contractAddress: string }[]
    const calls = [{ data: emitter }, { to: other }, { to: receipt?.contractAddress ?? other, data: '0x01' }]
    if (turn !== undefined)
      chain.call('eth_sendTransaction', { from: turn % 4 === 3 ? other : from, gas: '0x30000', ...calls[turn % 3] })
    chain.command({ type: 'produceBlock' })
  }
}

/** Returns all blocks of a history by height. */
function all(history: History): readonly BlockRecord[] {
  return Array.from({ length: history.records.length }, (_, index) =>
    recordAt(history, history.first + BigInt(index)),
  ).flatMap((record) => record ?? [])
}

/** Compares the blocks that searches find with those that have the transactions; returns how many were opened. */
function searched(history: History): { wrong: readonly string[]; opened: number; needed: number } {
  const txs = all(history).flatMap((record) => record.ethereum.transactions.map((tx) => ({ record, tx })))
  const accounts = [...new Set([...txs.flatMap(({ tx }) => accountsOf(tx)), stranger].map(hexOf))]
  const wrong: string[] = []
  let [opened, needed] = [0, 0]
  const compare = (what: string, blocks: readonly BlockRecord[], has: (one: (typeof txs)[0]) => boolean) => {
    opened += blocks.length
    const wanted = new Set(txs.filter(has).map(({ record }) => heightOf(record)))
    needed += wanted.size
    const found = blocks.map(heightOf).filter((height) => wanted.has(height))
    if (String(found) !== String([...wanted])) wrong.push(`${what}: ${found} instead of ${[...wanted]}`)
  }
  const top = history.first + BigInt(history.records.length) - 1n
  for (const account of accounts) {
    const [bytes, has] = [bytesOfHex(account), ({ tx }: (typeof txs)[0]) => accountsOf(tx).map(hexOf).includes(account)]
    compare(`up ${account}`, [...blocksOfAccount(history, bytes, { from: history.base, step: 1n })], has)
    compare(`down ${account}`, [...blocksOfAccount(history, bytes, { from: top, step: -1n })].toReversed(), has)
    const from = top - 40n
    const upper = (one: (typeof txs)[0]) => heightOf(one.record) >= from && has(one)
    compare(`from ${account}`, [...blocksOfAccount(history, bytes, { from, step: 1n })], upper)
    const lower = (one: (typeof txs)[0]) => heightOf(one.record) <= from && has(one)
    compare(`to ${account}`, [...blocksOfAccount(history, bytes, { from, step: -1n })].toReversed(), lower)
  }
  for (const { tx } of txs) {
    const { nonce } = decodeEthTx(tx.raw)
    const has = (one: (typeof txs)[0]) =>
      hexOf(one.tx.from) === hexOf(tx.from) && decodeEthTx(one.tx.raw).nonce === nonce
    compare(`nonce ${nonce}`, [...blocksOfSender(history, tx.from, nonce)], has)
  }
  return { wrong, opened, needed }
}

test('a search opens only blocks with transactions of the account, in runs and in memory', (t) => {
  const kinds = [[{ open: 0 }, 280] as const, [{}, 56] as const, [{ open: 0, isIndexed: false }, 140] as const]
  for (const [retention, blocks] of kinds) {
    const chain = localSimulation({ blocks: 'manual' }, retention)
    grow(chain, blocks)
    const history = historyOf(chain)
    t.is(history.logs.old.runs.length > 0, blocks > 128)
    const { wrong, opened, needed } = searched(history)
    t.deepEqual(wrong, [])
    t.is(opened, needed)
    t.true(needed > 20)
    const from = history.base
    t.deepEqual([...blocksOfAccount(history, stranger, { from, step: 1n })], [])
    t.deepEqual([...blocksOfAccount(history, stranger, { from: BigInt(blocks), step: -1n })], [])
    const [sender = ''] = chain.call('eth_accounts').result as string[]
    t.deepEqual([...blocksOfSender(history, bytesOfHex(sender), 999n)], [])
  }
})

test('searches find the same after a rollback, on a pruned chain and on one that was saved', (t) => {
  const chain = localSimulation({ blocks: 'manual' }, { open: 0 })
  grow(chain, 140)
  chain.command({ type: 'rollback', depth: 37n })
  t.deepEqual(searched(historyOf(chain)).wrong, [])
  grow(chain, 60)
  t.deepEqual(searched(historyOf(chain)).wrong, [])
  const before = searched(historyOf(chain))
  chain.become(simulationInFile(stateBytes(chain.simulation())))
  t.deepEqual(searched(historyOf(chain)), before)
  chain.command({ type: 'prune', below: 140n })
  t.deepEqual(searched(historyOf(chain)).wrong, [])
  t.is(historyOf(chain).base, 140n)
})

test('blocks that are not indexed yet are searched one by one', (t) => {
  const chain = localSimulation({ blocks: 'manual' }, { open: 0 })
  grow(chain, 260)
  const lagging = indexedUpTo(historyOf(chain), 250n)
  t.deepEqual(searched(lagging).wrong, [])
  t.is([...blocksOfAccount(lagging, stranger, { from: 251n, step: 1n })].length, 11)
  t.is([...blocksOfAccount(lagging, stranger, { from: 261n, step: -1n })].length, 11)
})
