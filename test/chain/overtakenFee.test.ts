/** What becomes of a transaction whose fee cap the base fee overtakes, as seen on evmd v0.5.0. */
import test from 'ava'
import type { TxResult } from '../../src/app/abci.ts'
import { recordAt } from '../../src/chain/history.ts'
import { localSimulation } from '../helpers/ethSimulation.ts'

const [sender, filler] = ['0x70997970c51812dc3a010c7d01b50e0d17dc79c8', '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266']
const hex = (value: bigint): string => `0x${value.toString(16)}`

/** Jumps to itself until its gas is used up. */
const endlessLoop = '0x5b600056'

const overtaken = test.macro((t, mempoolMaxTxs: number, isKept: boolean) => {
  const chain = localSimulation({ mempoolMaxTxs, blocks: 'manual', quirks: ['faithful'] })
  const mine = (): readonly TxResult[] => {
    chain.call('evm_mine')
    const {
      chain: { history, height },
    } = chain.simulation().node
    return recordAt(history, height)?.results.txResults ?? []
  }
  const send = (tx: object): unknown => {
    const { result, error } = chain.call('eth_sendTransaction', tx)
    t.is(error, undefined)
    return result
  }
  mine()
  const last = chain.call('eth_getBlockByNumber', 'latest', false).result as Block
  for (const nonce of ['0x0', '0x1'])
    send({
      from: filler,
      gas: last.gasLimit,
      data: endlessLoop,
      nonce,
      maxFeePerGas: hex(4n * BigInt(last.baseFeePerGas)),
      maxPriorityFeePerGas: '0x1',
    })
  const cap = BigInt(last.baseFeePerGas)
  const hash = send({
    from: sender,
    to: filler,
    gas: '0x5208',
    maxFeePerGas: hex(cap),
    maxPriorityFeePerGas: '0x0',
    nonce: '0x0',
  })
  t.deepEqual([mine().length, mine().length], [1, 1], 'two full blocks raise the base fee')
  const [failed] = mine()
  const { baseFeePerGas: fee } = chain.call('eth_getBlockByNumber', 'latest', false).result as Block
  t.like(failed, {
    code: 13,
    codespace: 'sdk',
    gasUsed: 0n,
    gasWanted: -1n,
    events: [],
    log: `max fee per gas less than block base fee (${cap} < ${BigInt(fee)}): insufficient fee`,
  })
  t.is(mine().length, 0, 'the fee of the block before is the one that counts')
  t.is(mine().length, isKept ? 1 : 0)
  t.is(chain.call('eth_getTransactionByHash', hash).result !== null, isKept)
  t.is(chain.call('eth_getTransactionCount', sender, 'latest').result, isKept ? '0x1' : '0x0')
})

type Block = { readonly gasLimit: string; readonly baseFeePerGas: string }

test('the base fee overtakes a fee cap: the transaction fails in a block and is gone', overtaken, -1, false)
test('the base fee overtakes a fee cap: the mempool of the EVM tries again once it has fallen', overtaken, 0, true)

test('the mempool of the EVM counts the nonces behind a transaction that waits for its fee', (t) => {
  const chain = localSimulation({ mempoolMaxTxs: 0, blocks: 'manual', quirks: ['faithful'] })
  const send = (tx: object): string => String(chain.call('eth_sendTransaction', tx).result)
  chain.call('evm_mine')
  const { gasLimit, baseFeePerGas } = chain.call('eth_getBlockByNumber', 'latest', false).result as Block
  const fee = BigInt(baseFeePerGas)
  for (const nonce of ['0x0', '0x1']) {
    send({
      from: filler,
      gas: gasLimit,
      data: endlessLoop,
      nonce,
      maxFeePerGas: hex(4n * fee),
      maxPriorityFeePerGas: '0x1',
    })
  }
  const cheap = { from: sender, to: filler, gas: '0x5208', maxFeePerGas: baseFeePerGas, maxPriorityFeePerGas: '0x0' }
  const hashes = ['0x0', '0x1'].map((nonce) => send({ ...cheap, nonce }))
  for (let count = 0; count < 3; count++) chain.call('evm_mine')
  const pool = (): unknown => chain.call('txpool_status').result
  t.deepEqual(pool(), { pending: '0x2', queued: '0x0' }, 'the base fee is above the cap of both')
  hashes.push(send({ ...cheap, nonce: '0x2', maxFeePerGas: hex(4n * fee) }))
  t.deepEqual(pool(), { pending: '0x3', queued: '0x0' }, 'what follows them is no gap')
  send({ ...cheap, nonce: '0x4', maxFeePerGas: hex(4n * fee) })
  t.deepEqual(pool(), { pending: '0x3', queued: '0x1' })
  for (let count = 0; count < 8 && chain.call('eth_getTransactionCount', sender, 'latest').result === '0x0'; count++) {
    chain.call('evm_mine')
  }
  const blocks = hashes.map((hash) => (chain.call('eth_getTransactionReceipt', hash).result as Receipt).blockNumber)
  t.is(new Set(blocks).size, 1, 'one block takes all three')
})

type Receipt = { readonly blockNumber: string }
