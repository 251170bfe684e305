/** Index entries of old blocks are bytes: searches and look-ups find what they would find in memory. */
import test from 'ava'
import { isOpen } from '../../src/data/segments.ts'
import { entriesOf } from '../../src/data/sortedRun.ts'
import { stateBytes, simulationInFile } from '../../src/shell/stateFile.ts'
import { recordAt } from '../../src/chain/history.ts'
import type { History } from '../../src/chain/indexing.ts'
import { txAt } from '../../src/chain/indexing.ts'
import { ethTxPlace, recordByEthHash, recordByHash, txByHash } from '../../src/chain/lookups.ts'
import type { Chain, ChainWorld } from '../../src/chain/chain.ts'
import type { ChainCommand } from '../../src/chain/command.ts'
import { step } from '../../src/chain/step.ts'
import { txNumberOf } from '../../src/chain/txHashes.ts'
import { sha256 } from '../../src/crypto/hash.ts'
import { mapSize } from '../../src/data/persistentMap.ts'
import { parseQuery } from '../../src/feed/parseQuery.ts'
import { searchTxs } from '../../src/rpc/comet/searchTxs.ts'
import { localSimulation } from '../helpers/ethSimulation.ts'
import { kvChain } from '../helpers/kvChain.ts'
import { drawFrom } from '../helpers/randomTx.ts'

const utf8 = (text: string) => new TextEncoder().encode(text)

const queries = [
  ...["app.key='7'", "app.key='absent'", 'app.key EXISTS', 'app.key<9', 'app.key>=3 AND app.key<12'],
  ...["app.key CONTAINS '1'", 'tx.height>100 AND tx.height<=260', "tx.height>200 AND app.key='5'"],
]

/** Returns everything that hashes and queries find. */
function found(history: History, hashes: readonly Uint8Array[], txs: readonly Uint8Array[]) {
  const read = (number: number) => txAt(history, number)
  const searched = { ...history, read, numberOf: (hash: Uint8Array) => txNumberOf(history, hash) }
  return {
    blocks: hashes.map((hash) => recordByHash(history, hash)?.block.header.height),
    ethBlocks: hashes.map((hash) => recordByEthHash(history, hash)?.block.header.height),
    txs: txs.map((hash) => txByHash(history, hash)?.height),
    queries: queries.map((query) => searchTxs(searched, parseQuery(query))),
  }
}

/** Returns commands as a busy chain gets them; `open` of both chains differs. */
function commands(draw: (below: number) => number, { history, height }: Chain): readonly ChainCommand[] {
  const depth = (most: number) => BigInt(1 + draw(Math.max(1, Math.min(most, Number(height - history.base) - 1))))
  const canCut = height > history.base + 2n
  const kind = draw(12)
  if (kind === 0 && canCut) return [{ type: 'rollback', depth: depth(200) }]
  if (kind === 1 && canCut) return [{ type: 'reorgEthereum', depth: depth(3) }]
  if (kind === 2 && draw(4) === 0) return [{ type: 'prune', below: height - 300n }]
  const txs = Array.from({ length: draw(20) }, () => ({
    ...({ type: 'submitTx', mode: 'admit' } as const),
    tx: utf8(`${draw(15)}=${draw(9)}`),
  }))
  return [...txs, { type: 'produceBlock', count: 1 + draw(kind === 3 ? 120 : 6) }]
}

test('a chain finds the same with its index entries in runs and in memory, after rollbacks and pruning', (t) => {
  for (const seed of [1]) {
    const draw = drawFrom(seed)
    const begun = kvChain({ policy: { mode: 'manual' }, limits: { cacheSize: 1 } })
    const worlds = [0, 100_000].map(
      (open): ChainWorld => ({ ...begun.world, retention: { ...begun.world.retention, open } }),
    )
    let chains = [begun.chain, begun.chain]
    const [hashes, txs]: [Map<string, Uint8Array>, Map<string, Uint8Array>] = [new Map(), new Map()]
    let most = 0
    for (let turn = 0; turn < 80; turn++) {
      for (const command of commands(draw, chains[0] ?? begun.chain)) {
        chains = chains.map((chain, index) => step(worlds[index] ?? begun.world, chain, command, 0n).chain)
        if (command.type === 'submitTx') txs.set(String(command.tx), sha256(command.tx))
      }
      const [{ history }] = chains as [Chain]
      const newest = recordAt(history, (chains[0] ?? begun.chain).height)
      for (const hash of [newest?.id.hash, newest?.ethereum.ids?.hash]) if (hash) hashes.set(String(hash), hash)
      most = Math.max(most, history.txByHash.old.runs.length)
      if (turn % 10 !== 9) continue
      const [inRuns, inMemory] = chains.map((chain) => found(chain.history, [...hashes.values()], [...txs.values()]))
      t.deepEqual(inRuns, inMemory, `seed ${seed}, turn ${turn}`)
    }
    t.true(most > 2, `${most} runs`)
  }
})

test('the entries of a large block move with several blocks, and chunks close after them', (t) => {
  let { chain, world } = kvChain({ policy: { mode: 'manual' } })
  const seen: (readonly [moved: number, closedChunks: number])[] = []
  for (let block = 0; block < 5; block++) {
    for (let tx = 0; tx < (block === 0 ? 1500 : 0); tx++) {
      ;({ chain } = step(world, chain, { type: 'submitTx', mode: 'admit', tx: utf8(`${tx}=1`) }, 0n))
    }
    ;({ chain } = step(world, chain, { type: 'produceBlock', count: 1 }, 0n))
    const { txs, txByHash: hashes, txEvents } = chain.history
    t.is(hashes.old.end, txEvents.old.end)
    seen.push([hashes.old.end, txs.storage.chunks.filter((chunk) => !isOpen(chunk)).length])
  }
  // Of 1,500 transactions, ten chunks of 128 are older than the newest 128.
  t.deepEqual(
    seen,
    [512, 1024, 1280, 1280, 1280].map((moved) => [moved, moved / 128]),
  )
  for (const tx of [0, 600, 1300, 1499]) {
    t.is(txByHash(chain.history, sha256(utf8(`${tx}=1`)))?.height, 1n)
  }
})

test('Ethereum transactions of old blocks and their logs are found', (t) => {
  const grown = [0, 100_000].map((open) => {
    const chain = localSimulation({ blocks: 'manual' }, { open })
    // Emits the number of the block as topic.
    const code = '0x600a600c600039600a6000f3' + '4360006000a100' + '000000'
    const [from] = chain.call('eth_accounts').result as [string]
    chain.call('eth_sendTransaction', { from, data: code, gas: '0x30000' })
    chain.command({ type: 'produceBlock' })
    const hashes: string[] = []
    const to = (chain.call('eth_getBlockReceipts', 'latest').result as { contractAddress: string }[])[0]
      ?.contractAddress
    for (let block = 0; block < 140; block++) {
      hashes.push(String(chain.call('eth_sendTransaction', { from, to, gas: '0x30000' }).result))
      chain.command({ type: 'produceBlock' })
    }
    return { chain, hashes, to }
  })
  const [old, young] = grown as [(typeof grown)[0], (typeof grown)[0]]
  t.deepEqual(old.hashes, young.hashes)
  const { history } = old.chain.simulation().node.chain
  t.true(history.logs.old.runs.length > 0 && history.ethTxByHash.old.runs.length > 0)
  for (const { newest } of [history.blockByHash, history.ethTxByHash]) t.true(mapSize(newest) < 128)
  t.is(ethTxPlace(history, Buffer.from(String(old.hashes[3]).slice(2), 'hex'))?.height, 6n)
  const asked = [
    ...old.hashes.map((hash) => ['eth_getTransactionReceipt', hash]),
    ['eth_getTransactionByHash', `0x${'ab'.repeat(32)}`],
    ...[3, 77, 130].map((number) => [
      'eth_getLogs',
      { fromBlock: '0x1', topics: [`0x${number.toString(16).padStart(64, '0')}`] },
    ]),
    ['eth_getLogs', { fromBlock: '0x1', toBlock: '0x50', address: old.to }],
  ] as [string, ...unknown[]][]
  for (const [method, ...params] of asked) {
    t.deepEqual(old.chain.call(method, ...params), young.chain.call(method, ...params))
  }
  const logs = old.chain.call('eth_getLogs', { fromBlock: '0x1', address: old.to }).result as readonly unknown[]
  t.is(logs.length, 140)
})

test('a chain without logs that was saved goes on after its runs', (t) => {
  const chain = localSimulation()
  const [from] = chain.call('eth_accounts').result as [string]
  const hashes: string[] = []
  for (let block = 1; block <= 700; block++) {
    hashes.push(String(chain.call('eth_sendTransaction', { from, to: from, gas: '0x5208' }).result))
    if (block % 250 !== 0) continue
    // What was read and saved at once has the same runs.
    for (let times = 0; times < 2; times++) chain.become(simulationInFile(stateBytes(chain.simulation())))
  }
  const { blockByHash, txByHash, logs } = chain.simulation().node.chain.history
  t.deepEqual([blockByHash.old.end, logs.old.end], [txByHash.old.end + 1, txByHash.old.end + 1])
  const runs = blockByHash.old.runs.map((run) => [run.from, run.to, [...entriesOf(run)].length])
  t.true(runs.length > 2)
  for (const [runFrom = 0, to = 0, entries = 0] of runs) t.true(to > runFrom && entries >= to - Math.max(runFrom, 1))
  for (const [index, hash] of hashes.entries()) {
    const { blockNumber } = chain.call('eth_getTransactionReceipt', hash).result as { blockNumber: string }
    // Block 1 has no transaction.
    t.is(Number(blockNumber), index + 2)
  }
})
