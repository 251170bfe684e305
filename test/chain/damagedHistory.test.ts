/** Files of old blocks are damaged: the chain goes on, as new blocks need nothing from them. */
import test from 'ava'
import { keepsAll, pruned } from '../../src/chain/history.ts'
import { retained } from '../../src/chain/retention.ts'
import { damagedChain, sendTransaction } from '../helpers/damagedHistory.ts'

test('a transaction is mined when the hashes of old ones cannot be read: each was refused', (t) => {
  const chain = damagedChain()
  const { height } = chain.simulation().node.chain
  const { result, error } = sendTransaction(chain)
  t.is(error, undefined)
  t.is(chain.simulation().node.chain.height, height + 1n)
  t.like(chain.call('eth_getTransactionReceipt', result).result, { blockNumber: `0x${(height + 1n).toString(16)}` })
})

const unpruned = test.macro((t, isIndexed: boolean) => {
  const { chain } = damagedChain().simulation().node
  const { consensusParams, history } = chain
  t.throws(() => pruned(history, 200n, { isIndexed }), { code: 'BROKEN_HISTORY' })
  const evidence = { ...consensusParams.evidence, maxAgeBlocks: 10n }
  const young = { ...chain, consensusParams: { ...consensusParams, evidence } }
  t.is(retained({ ...keepsAll, blocks: 200n, isIndexed }, young, history), history)
})

test('blocks stay when the transactions to prune cannot be read: no block could be mined', unpruned, true)
test('so they do when the transactions have no index', unpruned, false)
