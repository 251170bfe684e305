/** Which waiting transactions a block takes while the application has a mempool of its own (§8). */
import test from 'ava'
import { localSimulation } from '../../helpers/ethSimulation.ts'

const accounts = [
  '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
  '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
  '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc',
  '0x90f79bf6eb2c4f870365e785982e1f101e93b906',
]

type Sent = readonly [sender: number, tip: number]

/** The senders and tips of the transactions of one block, in its order. */
function mined(settings: { evmMinTip?: number }, sent: readonly Sent[]): Sent[] {
  const chain = localSimulation({ mempoolMaxTxs: 0, blocks: 'manual', ...settings })
  const nonces = [0, 0, 0, 0]
  for (const [sender, tip] of sent) {
    const { error } = chain.call('eth_sendTransaction', {
      from: accounts[sender],
      to: accounts[0],
      gas: '0x5208',
      maxFeePerGas: '0x4a817c800',
      maxPriorityFeePerGas: `0x${tip.toString(16)}`,
      nonce: `0x${(nonces[sender] ?? 0).toString(16)}`,
    })
    nonces[sender] = (nonces[sender] ?? 0) + 1
    if (error !== undefined) throw new Error(error.message)
  }
  chain.call('evm_mine')
  const block = chain.call('eth_getBlockByNumber', 'latest', true).result as {
    transactions: { from: string; maxPriorityFeePerGas: string }[]
  }
  return block.transactions.map(({ from, maxPriorityFeePerGas }) => [
    accounts.indexOf(from),
    Number(maxPriorityFeePerGas),
  ])
}

/** What geth's heap of heads gives: the best head of all senders, the first come of equal ones. */
function expected(sent: readonly Sent[]): Sent[] {
  const senders = [...new Set(sent.map(([sender]) => sender))]
  const queues = senders.map((sender) => sent.filter(([one]) => one === sender))
  return sent.map(() => {
    const heads = queues.filter((queue) => queue.length > 0)
    const most = Math.max(...heads.map(([head]) => head?.[1] ?? 0))
    return heads.find(([head]) => head?.[1] === most)?.shift() ?? [0, 0]
  })
}

test('blocks take the best tips first, of equal ones the sender who came first', (t) => {
  const sent: Sent[] = [
    [1, 3],
    [2, 9],
    [3, 3],
    [1, 20],
    [2, 1],
    [3, 3],
    [0, 9],
    [2, 50],
    [0, 3],
    [1, 3],
  ]
  t.deepEqual(mined({}, sent), expected(sent))
})

test('min-tip: what pays less stays out of blocks, and so does what its sender sent after it', (t) => {
  const sent: Sent[] = [
    [1, 4],
    [2, 5],
    [3, 9],
    [3, 4],
    [3, 9],
    [1, 9],
  ]
  t.deepEqual(mined({ evmMinTip: 5 }, sent), [
    [3, 9],
    [2, 5],
  ])
  t.is(mined({ evmMinTip: 4 }, sent).length, sent.length)
})

test('min-tip: a transaction that pays too little waits', (t) => {
  const chain = localSimulation({ mempoolMaxTxs: 0, evmMinTip: 5 })
  const hash = chain.call('eth_sendTransaction', {
    from: accounts[1],
    to: accounts[0],
    gas: '0x5208',
    maxFeePerGas: '0x4a817c800',
    maxPriorityFeePerGas: '0x4',
  }).result
  chain.call('evm_mine')
  t.is(chain.call('eth_getTransactionReceipt', hash).result, null)
  t.like(chain.call('eth_getTransactionByHash', hash).result, { blockNumber: null })
})
