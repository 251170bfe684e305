/** Old blocks and states are held as bytes: nobody may notice. */
import test from 'ava'
import { itemAt } from '../../src/data/segments.ts'
import { chainDigest } from '../../src/simulation/digest.ts'
import { stateBytes, simulationInFile } from '../../src/shell/stateFile.ts'
import { type Asked, localSimulation } from '../helpers/ethSimulation.ts'

const [from, to] = ['0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266', '0x70997970c51812dc3a010c7d01b50e0d17dc79c8']
// Counts its calls in slot 0, and logs the count under topic 7.
const counter = '0x60158060093d393df3600054600101806000556000526007602060 00a100'.replace(' ', '')
// Of the sender's first transaction.
const contract = '0x5fbdb2315678afecb367f032d93f642f64180aa3'
const blocks = 300
const heights = [1, 2, 5, 64, 127, 128, 129, 130, 199, 255, 256, 257, 299, 300]

/** Mines transfers, calls of a contract, edits of state and empty blocks. */
function grow(chain: Asked): void {
  chain.call('evm_setAutomine', false)
  chain.call('eth_sendTransaction', { from, data: counter })
  const mined = chain.call('eth_blockNumber').result as string
  for (let height = Number(mined) + 1; height <= blocks; height++) {
    if (height % 3 === 0) chain.call('eth_sendTransaction', { from, to, value: '0x1' })
    if (height % 7 === 0) chain.call('eth_sendTransaction', { from, to: contract })
    if (height % 50 === 0) chain.call('hardhat_setBalance', to, `0x${height.toString(16)}`)
    chain.call('evm_mine')
  }
}

/** Returns everything that can be asked about a height, on both interfaces. */
function answers(chain: Asked, height: number): Record<string, unknown> {
  const at = `0x${height.toString(16)}`
  const found: Record<string, unknown> = {}
  const eth = (method: string, ...params: unknown[]) => {
    const { result, error } = chain.call(method, ...params)
    found[`${method} ${JSON.stringify(params)}`] = error ?? result
    return result
  }
  const comet = (method: string, params: object) => {
    found[`${method} ${JSON.stringify(params)}`] = chain
      .comet(method, params)
      .map((one) => ('body' in one ? one.body : ''))
  }
  const block = eth('eth_getBlockByNumber', at, true) as { hash: string; transactions: { hash: string }[] }
  eth('eth_getBlockByHash', block.hash, false)
  eth('eth_getBlockReceipts', at)
  eth('eth_getHeaderByNumber', at)
  eth('eth_getLogs', { fromBlock: at, toBlock: at })
  eth('eth_feeHistory', 4, at, [50])
  for (const address of [from, to, contract]) {
    eth('eth_getBalance', address, at)
    eth('eth_getProof', address, ['0x0'], at)
  }
  eth('eth_call', { from, to: contract }, at)
  eth('debug_traceBlockByNumber', at, { tracer: 'callTracer' })
  for (const { hash } of block.transactions) {
    eth('eth_getTransactionByHash', hash)
    eth('eth_getTransactionReceipt', hash)
    eth('debug_traceTransaction', hash)
  }
  const text = String(height)
  for (const method of ['block', 'block_results', 'commit', 'validators', 'consensus_params', 'header']) {
    comet(method, { height: text })
  }
  comet('block_by_hash', { hash: Buffer.from(block.hash.slice(2), 'hex').toString('base64') })
  comet('blockchain', { minHeight: text, maxHeight: text })
  comet('tx_search', { query: `tx.height=${text}`, prove: true })
  comet('abci_query', { path: '/store/acc/key', data: `01${to.slice(2)}`, height: text, prove: true })
  return found
}

const [closed, open] = [localSimulation({}, { open: 0 }), localSimulation({}, { open: Infinity })]
grow(closed)
grow(open)

test('blocks and states are held as bytes once they are old', (t) => {
  const { records, states, txs } = closed.simulation().node.chain.history
  for (const { storage } of [records, states]) {
    t.deepEqual(storage.chunks.map(Array.isArray), [false, false, true])
  }
  t.deepEqual(itemAt(txs, 0), { height: 2n, index: 0 })
  t.true(txs.length > 128)
  const all = open.simulation().node.chain.history
  t.true([all.records, all.states, all.txs].every(({ storage }) => storage.chunks.every(Array.isArray)))
})

for (const height of heights) {
  test(`block ${height} of ${blocks} is shown as when it was new`, (t) => {
    t.deepEqual(answers(closed, height), answers(open, height))
  })
}

test('searches find what is old', (t) => {
  const found = (chain: Asked) => [
    chain.comet('tx_search', { query: "message.action='/cosmos.evm.vm.v1.MsgEthereumTx'", per_page: '100' }),
    chain.comet('block_search', { query: 'block.height>100 AND block.height<140', per_page: '100' }),
    chain.comet('block_search', { query: 'mint.bonded_ratio EXISTS', per_page: '3' }),
    chain.call('eth_getLogs', { fromBlock: '0x1', toBlock: 'latest', address: contract }),
  ]
  t.deepEqual(found(closed), found(open))
})

test('a chain that is saved and loaded shows the same, and goes on the same', (t) => {
  const loaded = localSimulation({}, { open: 0 })
  loaded.become(simulationInFile(stateBytes(closed.simulation())))
  for (const height of [2, 129, 300]) t.deepEqual(answers(loaded, height), answers(open, height))
  const other = localSimulation({}, { open: Infinity })
  other.become(open.simulation())
  for (const chain of [loaded, other]) chain.command({ type: 'produceBlock', count: 130 })
  t.is(chainDigest(loaded.simulation().node), chainDigest(other.simulation().node))
})

test('a chain goes back to an old block and on from there', (t) => {
  const results = [0, Infinity].map((limit) => {
    const chain = localSimulation({}, { open: limit })
    chain.become((limit === 0 ? closed : open).simulation())
    chain.call('anvil_rollback', `0x${(blocks - 70).toString(16)}`)
    grow(chain)
    return [chainDigest(chain.simulation().node), answers(chain, 129), answers(chain, 250)]
  })
  t.deepEqual(results[0], results[1])
})
