/** The block tag `pending`: the next block with the transactions that wait. */
import test from 'ava'
import { localSimulation, type Asked } from '../../helpers/ethSimulation.ts'

const from = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
const receiver = '0x00000000000000000000000000000000000000aa'
const contract = '0x00000000000000000000000000000000000c0de1'

type Block = {
  readonly number: string
  readonly hash: string
  readonly parentHash: string
  readonly gasUsed: string
  readonly timestamp: string
  readonly transactions: readonly string[]
}

function read(chain: Asked, method: string, ...params: unknown[]): unknown {
  const { result, error } = chain.call(method, ...params)
  if (error !== undefined) throw new Error(`${method}: ${error.message}`)
  return result
}

const block = (chain: Asked, tag: string) => read(chain, 'eth_getBlockByNumber', tag, false) as Block

const send = (chain: Asked, more: object = {}) =>
  read(chain, 'eth_sendTransaction', { from, to: receiver, value: '0x7', gas: '0x5208', ...more })

function waitingChain(settings: Parameters<typeof localSimulation>[0] = {}) {
  const chain = localSimulation({ blocks: 'manual', ...settings })
  read(chain, 'evm_mine')
  const hashes = [send(chain), send(chain)]
  return { chain, hashes }
}

test('the pending block is the next one, with the transactions that wait', (t) => {
  const { chain, hashes } = waitingChain()
  const [latest, pending] = [block(chain, 'latest'), block(chain, 'pending')]
  t.is(Number(pending.number), Number(latest.number) + 1)
  t.is(pending.parentHash, latest.hash)
  t.deepEqual(pending.transactions, hashes)
  t.deepEqual(latest.transactions, [])
  t.is(read(chain, 'eth_getBlockTransactionCountByNumber', 'pending'), '0x2')
  t.is((read(chain, 'eth_getBlockReceipts', 'pending') as unknown[]).length, 2)
  t.like(read(chain, 'eth_getTransactionByBlockNumberAndIndex', 'pending', '0x1'), {
    hash: hashes[1],
    blockNumber: pending.number,
  })
  read(chain, 'evm_mine')
  const { number, gasUsed, transactions } = pending
  t.like(block(chain, 'latest'), { number, gasUsed, transactions })
})

test('a proof is of a mined block, so that none is answered at pending', (t) => {
  const { chain } = waitingChain()
  const { error } = chain.call('eth_getProof', receiver, [], 'pending')
  t.is(error?.code, -32602)
  t.regex(error?.message ?? '', /a mined block, received "pending".* request "latest"/)
  t.like(read(chain, 'eth_getProof', receiver, [], 'latest'), { balance: '0x0' })
})

test('balances, nonces and calls at pending see the mempool, and latest does not', (t) => {
  const { chain } = waitingChain()
  // Returns the balance of the receiver, then the number of the block.
  const code = `0x73${receiver.slice(2)}315f524360205260405ff3`
  read(chain, 'hardhat_setCode', contract, code)
  const sees = (tag: string) => ({
    balance: Number(read(chain, 'eth_getBalance', receiver, tag)),
    nonce: Number(read(chain, 'eth_getTransactionCount', from, tag)),
    called: (String(read(chain, 'eth_call', { to: contract }, tag)).match(/[0-9a-f]{64}/g) ?? []).map((word) =>
      Number(`0x${word}`),
    ),
  })
  const head = Number(read(chain, 'eth_blockNumber'))
  const nonce = sees('latest').nonce
  t.deepEqual(sees('latest'), { balance: 0, nonce, called: [0, head] })
  t.deepEqual(sees('pending'), { balance: 14, nonce: nonce + 2, called: [14, head + 1] })
  t.deepEqual(sees('latest'), { balance: 0, nonce, called: [0, head] }, 'nothing of it stays')
  send(chain)
  t.is(sees('pending').balance, 21, 'the mempool changed')
})

test('a transaction that failed its check is not pending', (t) => {
  const { chain, hashes } = waitingChain()
  const poor = { from: receiver, to: from, value: '0x1', gas: '0x5208' }
  t.truthy(chain.call('eth_sendTransaction', poor).error)
  t.deepEqual(block(chain, 'pending').transactions, hashes)
})

/** Stores a word at a new slot, in blocks of odd numbers alone. */
const storesInOddBlocks = '0x43600116600857005b6001435500'

test('estimates are for the next block: exactly their gas suffices', (t) => {
  const chain = localSimulation()
  read(chain, 'hardhat_setCode', contract, storesInOddBlocks)
  const call = { from, to: contract }
  const estimates = new Set<unknown>()
  for (const [, ...at] of [[0], [1, 'pending'], [2, 'latest'], [3, 'latest'], [4]]) {
    const gas = read(chain, 'eth_estimateGas', call, ...at)
    const hash = read(chain, 'eth_sendTransaction', { ...call, gas })
    t.like(read(chain, 'eth_getTransactionReceipt', hash), { status: '0x1' })
    estimates.add(gas)
  }
  t.is(estimates.size, 2)
  const hash = read(chain, 'eth_sendTransaction', call)
  t.like(read(chain, 'eth_getTransactionReceipt', hash), { status: '0x1' }, 'gas that we filled in')
})

test('an estimate sees the transactions that wait', (t) => {
  const chain = localSimulation({ blocks: 'manual' })
  // Reverts unless the receiver has something.
  read(chain, 'hardhat_setCode', contract, `0x73${receiver.slice(2)}31601c575f5ffd5b00`)
  t.is(chain.call('eth_estimateGas', { from, to: contract }).error?.code, 3)
  send(chain)
  t.is(chain.call('eth_estimateGas', { from, to: contract }).error, undefined)
  t.is(chain.call('eth_estimateGas', { from, to: contract }, 'latest').error?.code, 3)
})

test('the node takes pending for latest', (t) => {
  const { chain } = waitingChain({ quirks: ['pending-is-latest'] })
  t.deepEqual(block(chain, 'pending'), block(chain, 'latest'))
  t.is(read(chain, 'eth_getBalance', receiver, 'pending'), '0x0')
})
